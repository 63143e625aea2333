/** The SQLSTATEs that the code distinguishes, by the names in PostgreSQL's manual. */
export const sqlStates = {
  featureNotSupported: '0A000',
  stringTooLong: '22001',
  numberOutOfRange: '22003',
  invalidDatetimeFormat: '22007',
  datetimeFieldOverflow: '22008',
  characterNotInRepertoire: '22021',
  invalidTextRepresentation: '22P02',
  untranslatableCharacter: '22P05',
  notNullViolation: '23502',
  foreignKeyViolation: '23503',
  uniqueViolation: '23505',
  checkViolation: '23514',
  readOnlyTransaction: '25006',
  invalidStatementName: '26000',
  serializationFailure: '40001',
  deadlock: '40P01',
  diskFull: '53100',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
  cannotConnectNow: '57P03',
  /** Raised by our own function `invoice_issue`. */
  seriesClosed: 'IN002',
} as const

type SqlState = keyof typeof sqlStates

/** The code of an error, an SQLSTATE if the database reported it; '' when it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Whether the database reported one of these conditions. */
export const isSqlState = (error: unknown, ...names: readonly SqlState[]): boolean =>
  names.some((name) => sqlStates[name] === codeOf(error))

/** Where in the request the fault lies: a JSON pointer into the body, a query parameter, or a header. */
export type Source = { pointer: string } | { parameter: string } | { header: string }

/** One JSON:API error object; `status` is a string on the wire, as JSON:API asks. */
export type ErrorObject = {
  status: string
  code: string
  title: string
  detail: string
  source?: Source
  meta?: Record<string, unknown>
}

/** Every code that can reach a client, with its HTTP status and its title. A code is stable: clients may switch on it. */
export const codes = {
  bad_request: [400, 'Bad request'],
  bad_parameter: [400, 'Invalid query parameter'],
  idempotency_key_required: [400, 'An Idempotency-Key is required'],
  malformed_json: [400, 'Malformed JSON'],
  unauthenticated: [401, 'Not signed in'],
  address_not_allowed: [401, 'Not from this address'],
  signature_invalid: [401, 'The signature is not valid'],
  signature_expired: [401, 'The signature is too old'],
  payment_failed: [402, 'The payment was refused'],
  forbidden: [403, 'Not allowed'],
  recent_sign_in_required: [403, 'A recent sign-in is required'],
  two_factor_required: [403, 'The second step is required'],
  identity_not_linked: [403, 'This identity is not linked to the account'],
  client_generated_id: [403, 'Client-generated ids are not supported'],
  not_found: [404, 'Not found'],
  link_invalid: [404, 'This link is not valid'],
  method_not_allowed: [405, 'Method not allowed'],
  not_acceptable: [406, 'Not acceptable'],
  request_timeout: [408, 'Request too slow'],
  conflict: [409, 'Conflict'],
  type_mismatch: [409, 'Resource type does not match'],
  id_mismatch: [409, 'Resource id does not match'],
  ledger_key_reused: [409, 'This was posted before with other data'],
  already_reversed: [409, 'This was taken back before'],
  idempotency_in_progress: [409, 'The same request is being worked on'],
  no_card: [409, 'There is no card'],
  insufficient_balance: [409, 'The balance does not suffice'],
  not_ready: [409, 'Not ready yet'],
  credited_already: [409, 'There is not so much left to credit'],
  link_used: [410, 'This link was used already'],
  link_expired: [410, 'This link has expired'],
  too_large: [413, 'Request body too large'],
  uri_too_long: [414, 'Request target too long'],
  unsupported_media_type: [415, 'Unsupported media type'],
  validation: [422, 'Invalid value'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used for another request'],
  card_not_listed: [422, 'This card is not one of the test cards'],
  code_invalid: [422, 'The code is wrong'],
  billing_info_incomplete: [422, 'Billing details are incomplete'],
  account_suspended: [423, 'The account is suspended'],
  rate_limited: [429, 'Too many requests'],
  headers_too_large: [431, 'Request headers too large'],
  internal: [500, 'Internal error'],
  not_implemented: [501, 'Not implemented'],
  provider_unavailable: [502, 'The provider of payments does not answer'],
  engine_unavailable: [502, 'The engine does not answer'],
  unavailable: [503, 'Service unavailable'],
  documents_unavailable: [503, 'Documents cannot be issued at the moment'],
  file_damaged: [503, 'The file is damaged'],
  file_unavailable: [503, 'The file is missing'],
  storage_unavailable: [503, 'The file storage is not available'],
  storage_full: [507, 'The file storage is full'],
} as const satisfies Record<string, readonly [number, string]>

export type Code = keyof typeof codes

/** What only the operator can repair, so that the log has it as an error. */
export const operatorCodes: ReadonlySet<Code> = new Set<Code>([
  'file_damaged',
  'file_unavailable',
  'storage_unavailable',
  'storage_full',
])

/** An expected failure. It owns its status through its code; anything else that is thrown is a bug and answers 500. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: Code
  readonly source: Source | undefined
  readonly meta: Record<string, unknown> | undefined
  /** Response headers the failure brings along, such as `allow` or `retry-after`. */
  readonly headers: Record<string, string>

  constructor(
    code: Code,
    detail: string,
    more: {
      source?: Source
      meta?: Record<string, unknown>
      headers?: Record<string, string>
      /** What failed behind it, for the log. */
      cause?: unknown
    } = {},
  ) {
    super(detail, 'cause' in more ? { cause: more.cause } : {})
    this.code = code
    this.source = more.source
    this.meta = more.meta
    this.headers = more.headers ?? {}
  }

  get status(): number {
    return codes[this.code][0]
  }

  toObject(): ErrorObject {
    return {
      status: String(this.status),
      code: this.code,
      title: codes[this.code][1],
      detail: this.message,
      ...(this.source && { source: this.source }),
      ...(this.meta && { meta: this.meta }),
    }
  }
}

/** A form shows a few faults at once; a document that was made to have thousands is not worth naming each. */
export const mostFaults = 50

/** Several faults of one request, answered together so that a form can show them all at once. */
export class Problems extends Error {
  override readonly name = 'Problems'
  readonly all: readonly Problem[]

  constructor(all: readonly Problem[]) {
    super(all.map((one) => one.message).join('; '))
    this.all = all
  }

  /** The shared status, or the most general of its class when they differ (JSON:API, "Processing Errors"). */
  get status(): number {
    const statuses = new Set(this.all.map((one) => one.status))
    return statuses.size === 1 ? (this.all[0]?.status ?? 400) : 400
  }
}

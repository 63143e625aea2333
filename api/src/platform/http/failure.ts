import type { RefusalCode } from '@portico/contract/refusals/index.ts'
import type { Language } from '@portico/contract/refusals/refusal.ts'
import { codeOf } from '#platform/db/sql-states.ts'
import { type ErrorObject, Problem, Problems, refuse } from '#platform/errors/problem.ts'
import { databaseFailure } from './database-failure.ts'

/** A failure with its response. `bug` means an unexpected error, logged with its stack. */
export type Failure = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly errors: readonly ErrorObject[]
  readonly bug: boolean
  /** An expected failure that the operator has to repair. */
  readonly forOperator: boolean
}

/** Maps Fastify's own refusals to our codes. */
const framework: Readonly<Record<string, () => Problem>> = {
  FST_ERR_BAD_URL: () => refuse('address_encoding'),
  FST_ERR_MAX_PARAM_LENGTH: () => refuse('uri_too_long'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => refuse('too_large'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => refuse('malformed_json'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => refuse('malformed_json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => refuse('body_length'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => refuse('unsupported_media_type'),
}

/**
 * Maps errors of Fastify and its plugins. A status on any other error was set by other code and is ignored.
 */
function frameworkFailure(error: Error): Problem | undefined {
  const code = codeOf(error)
  const known = framework[code]
  if (known) return known()
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
  // An aborted body carries the code of the socket.
  if (status < 400 || status >= 500 || !/^(?:FST_|ECONNRESET$)/.test(code)) return undefined
  return refuse('bad_request', {}, { status, cause: error })
}

function problemsOf(error: unknown): readonly Problem[] | undefined {
  if (error instanceof Problem) return [error]
  if (error instanceof Problems) return error.all
  if (!(error instanceof Error)) return undefined
  const problem = databaseFailure(error) ?? frameworkFailure(error)
  return problem && [problem]
}

/** Failures that only the operator can repair are logged as errors. */
const operatorCodes = new Set<RefusalCode>([
  'file_damaged',
  'file_missing',
  'archive_damaged',
  'storage_unavailable',
  'storage_full',
])

/** Turns any thrown value into the response for the client; the message of a bug is not disclosed. */
export function failureOf(error: unknown, requestId: string, language: Language): Failure {
  const problems = problemsOf(error)
  if (problems === undefined || problems.length === 0) {
    const object = { id: requestId, ...refuse('internal', { id: requestId }).toObject(language) }
    return { status: 500, headers: {}, errors: [object], bug: true, forOperator: false }
  }
  const status = new Problems(problems).status
  return {
    status,
    headers: Object.assign({}, ...problems.map(({ headers }) => headers)),
    errors: problems.map((one) => ({
      ...(one.status >= 500 && { id: requestId }),
      ...one.toObject(language),
    })),
    bug: false,
    forOperator: problems.some(({ code }) => operatorCodes.has(code)),
  }
}

/** A failure as a JSON:API document. */
export function failureDocument(errors: readonly ErrorObject[]): string {
  return JSON.stringify({ jsonapi: { version: '1.1' }, errors })
}

import {
  type Code,
  codes,
  type ErrorObject,
  operatorCodes,
  Problem,
  Problems,
} from '#platform/errors/problem.ts'
import { databaseFailure } from './database-failure.ts'

/** A failure as it is answered. `bug` means that nobody expected it: it is logged with its stack. */
export type Failure = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly errors: readonly ErrorObject[]
  readonly bug: boolean
  /** Expected, and yet an error of the installation. */
  readonly forOperator: boolean
}

/** What Fastify itself refuses, in our words. */
const framework: Record<string, readonly [Code, string]> = {
  FST_ERR_BAD_URL: ['bad_request', 'The address holds a percent sign that does not begin a valid sequence.'],
  FST_ERR_MAX_PARAM_LENGTH: ['uri_too_long', 'A part of the path is longer than any id or name.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'The body is larger than what is read here.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['malformed_json', 'The body is empty, but its media type says JSON.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['malformed_json', 'The body is not valid JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The body is not as long as its Content-Length says.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'This media type is not supported here.'],
}

const byStatus = new Map<number, Code>()
for (const code of Object.keys(codes)) {
  // Object.keys forgets that these are the keys of `codes`.
  const known = code as Code
  if (!byStatus.has(codes[known][0])) byStatus.set(codes[known][0], known)
}

/** What Fastify and its plugins refuse. A status on any other error is of somebody else's making and says nothing here. */
function frameworkFailure(error: Error): Problem | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const known = framework[code]
  if (known) return new Problem(...known)
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
  // A body whose sender went away carries the code of the socket.
  if (status < 400 || status >= 500 || !/^(?:FST_|ECONNRESET$)/.test(code)) return undefined
  return new Problem(byStatus.get(status) ?? 'bad_request', error.message)
}

function problemsOf(error: unknown): readonly Problem[] | undefined {
  if (error instanceof Problem) return [error]
  if (error instanceof Problems) return error.all
  if (!(error instanceof Error)) return undefined
  const problem = databaseFailure(error) ?? frameworkFailure(error)
  return problem && [problem]
}

/** Turns anything that was thrown into the answer that the client gets; what a bug said stays here. */
export function failureOf(error: unknown, requestId: string): Failure {
  const problems = problemsOf(error)
  if (problems === undefined || problems.length === 0) {
    const detail = `Something went wrong on our side. Should it happen again, tell us the request id ${requestId}.`
    const object = { id: requestId, ...new Problem('internal', detail).toObject() }
    return { status: 500, headers: {}, errors: [object], bug: true, forOperator: false }
  }
  const status = new Problems(problems).status
  return {
    status,
    headers: Object.assign({}, ...problems.map(({ headers }) => headers)),
    errors: problems.map((one) => ({ ...(one.status >= 500 && { id: requestId }), ...one.toObject() })),
    bug: false,
    forOperator: problems.some(({ code }) => operatorCodes.has(code)),
  }
}

/** A failure as a JSON:API document. */
export function failureDocument(errors: readonly ErrorObject[]): string {
  return JSON.stringify({ jsonapi: { version: '1.1' }, errors })
}

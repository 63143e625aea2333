import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { mediaType } from '@portico/contract/wire.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Problem, refuse } from '#platform/errors/problem.ts'
import { failureDocument, failureOf } from './failure.ts'
import { languageOf } from './language.ts'

/** Answers any failure as JSON:API errors, and logs those that are not the client's own. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, errors, bug, forOperator } = failureOf(error, request.id, languageOf(request))
  if (bug) request.log.error({ err: error }, 'unexpected error')
  else if (forOperator) request.log.error({ err: error }, 'the file storage failed')
  else if (status >= 500) request.log.warn({ err: error }, 'unavailable')
  reply.code(status).headers(headers).header('content-type', mediaType).header('cache-control', 'no-store')
  // A text would be given a charset parameter by Fastify, which JSON:API forbids; bytes are sent as they are.
  reply.send(Buffer.from(failureDocument(errors)))
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])

/** The failure of an address that nothing is served at. */
export function nowhere(request: FastifyRequest): Problem {
  const path = request.url.split('?', 1)[0] ?? ''
  if (methods.has(request.method)) return refuse('address_not_found', { path })
  const allow = [...methods].join(', ')
  return refuse('method_not_allowed', { method: request.method, allow }, { headers: { allow } })
}

/** Failures that are found before a route is: their answers pass no hook, so they are dressed here. */
export function frameworkErrors(dress: Readonly<Record<string, string>>) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers({ ...dress, 'x-request-id': request.id })
    sendFailure(error, request, reply)
  }
}

/** What Node's parser refuses; anything else is no HTTP at all. */
const protocol: Record<string, Problem> = {
  HPE_HEADER_OVERFLOW: refuse('headers_too_large', { most: '16 KiB' }),
  ERR_HTTP_REQUEST_TIMEOUT: refuse('request_timeout'),
}
const noHttp = refuse('bad_request')

function rawAnswer(problem: Problem, dress: Readonly<Record<string, string>>): string {
  const id = randomUUID()
  const body = failureDocument(failureOf(problem, id, 'en').errors)
  const headers = {
    ...dress,
    'x-request-id': id,
    'content-type': mediaType,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`, ...lines, '', body].join('\r\n')
}

/** Answers what cannot be read as a request; there is no request or reply yet, only the socket. */
export function clientErrorHandler(dress: Readonly<Record<string, string>>) {
  return function (this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
    // Node's own default handler looks at this private field too: bytes in the middle of an answer would corrupt it.
    const { _httpMessage: answering } = socket as Socket & { _httpMessage?: { headersSent: boolean } }
    if (socket.writable && !answering?.headersSent) {
      const problem = protocol[error.code ?? ''] ?? noHttp
      this.log.info({ status: problem.status, code: error.code }, 'unreadable request')
      socket.write(rawAnswer(problem, dress))
    }
    socket.destroySoon()
  }
}

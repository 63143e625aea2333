import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { mediaType } from '@portico/contract/wire.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Problem, refuse } from '#platform/errors/problem.ts'
import { failureDocument, failureOf } from './failure.ts'
import { languageOf } from './language.ts'

/** Answers any failure as JSON:API errors, and logs the failures that are not the client's fault. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, errors, bug, forOperator } = failureOf(error, request.id, languageOf(request))
  if (bug) request.log.error({ err: error }, 'unexpected error')
  else if (forOperator) request.log.error({ err: error }, 'the file storage failed')
  else if (status >= 500) request.log.warn({ err: error }, 'unavailable')
  reply.code(status).headers(headers).header('content-type', mediaType).header('cache-control', 'no-store')
  // Fastify would add a charset parameter to a string, which JSON:API forbids; it sends bytes unchanged.
  reply.send(Buffer.from(failureDocument(errors)))
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])

/** The failure of an address that has no route. */
export function routeNotFound(request: FastifyRequest): Problem {
  const path = request.url.split('?', 1)[0] ?? ''
  if (methods.has(request.method)) return refuse('address_not_found', { path })
  const allow = [...methods].join(', ')
  return refuse('method_not_allowed', { method: request.method, allow }, { headers: { allow } })
}

/**
 * Answers failures that occur before routing: no hook runs for their responses, so the headers are added
 * here.
 */
export function frameworkErrors(dress: Readonly<Record<string, string>>) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers({ ...dress, 'x-request-id': request.id })
    sendFailure(error, request, reply)
  }
}

/** The errors of Node's parser; anything else is not HTTP at all. */
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

/** Answers input that cannot be parsed as a request; only the socket exists at this point. */
export function clientErrorHandler(dress: Readonly<Record<string, string>>) {
  return function (this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
    // Node's default handler reads this private field too: bytes in the middle of a response would corrupt
    // it.
    const { _httpMessage: answering } = socket as Socket & { _httpMessage?: { headersSent: boolean } }
    if (socket.writable && !answering?.headersSent) {
      const problem = protocol[error.code ?? ''] ?? noHttp
      this.log.info({ status: problem.status, code: error.code }, 'unreadable request')
      socket.write(rawAnswer(problem, dress))
    }
    socket.destroySoon()
  }
}

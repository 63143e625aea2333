import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import { type FastifyBaseLogger, type FastifyHttpOptions, LogController } from 'fastify'
import type { Trust } from '#platform/http/trust.ts'
import { tracingLogger } from './traces.ts'

/**
 * The default limit of a body, in bytes: small, because searching a megabyte for an e-mail address at sign-in
 * would take half a second. Documents of the data API may be larger.
 */
const mostBodyBytes = 16_384

/** The longest part of a path, such as an id; longer ones are answered 414. */
const mostParameterLength = 500

/** A request id from a trusted proxy, so that its log and ours can be correlated. */
const wellFormed = /^[\w-]{8,64}$/

function requestIds(trust: Trust): (request: IncomingMessage) => string {
  return (request) => {
    const given = request.headers['x-request-id']
    if (typeof given !== 'string' || !wellFormed.test(given) || !trust(request.socket.remoteAddress))
      return randomUUID()
    return given
  }
}

/**
 * Bodies are validated by the contract's own schemas; Fastify's compilers would add megabytes of unused code.
 */
function noCompiler(): never {
  throw new Error('A route has no schema of Fastify’s: what comes in is checked by the contract.')
}

/** The options of Fastify and of the HTTP server under it; `decides`: whose `traceparent` says what is recorded. */
export function serverOptions(log: FastifyBaseLogger, trust: Trust, decides: Trust) {
  return {
    loggerInstance: log,
    // `request-log.ts` writes one line for each finished request.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIds(trust),
    childLoggerFactory: tracingLogger(decides),
    requestIdHeader: false,
    trustProxy: trust,
    bodyLimit: mostBodyBytes,
    // Open requests are finished during a stop; `drain.ts` sets the limit.
    return503OnClosing: false,
    // Clients that send headers or a body slowly, or do not read the response, are disconnected within 15
    // seconds. Node checks a stuck response twice before it gives up. A statement times out sooner, and its
    // failure is answered. `one-host.ts` checks the Host header, so that the refusal has our format.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1000, requireHostHeader: false },
    // Long enough for a 10 MB file at 1 Mbit/s; other bodies have a shorter limit (`slow-clients.ts`).
    requestTimeout: 90_000,
    connectionTimeout: 7200,
    // Longer than load balancers keep a connection, so that they close it first and no request meets a closed
    // connection.
    keepAliveTimeout: 65_000,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: { maxParamLength: mostParameterLength },
  } satisfies FastifyHttpOptions<Server>
}

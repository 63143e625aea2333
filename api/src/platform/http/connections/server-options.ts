import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import { type FastifyBaseLogger, type FastifyHttpOptions, LogController } from 'fastify'
import type { Trust } from '#platform/http/trust.ts'

/**
 * The largest body that is read where nothing else is said: at sign-in, where looking for an address in a megabyte would cost
 * half a second, and at addresses that lead nowhere. Documents of the data API may be larger.
 */
const mostBodyBytes = 16_384

/** The longest part of a path, such as an id; longer ones are answered 414. */
const mostParameterLength = 500

/** A name that a trusted proxy gave to a request, so that its log and ours can be laid side by side. */
const wellFormed = /^[\w-]{8,64}$/

function requestIds(trust: Trust): (request: IncomingMessage) => string {
  return (request) => {
    const given = request.headers['x-request-id']
    if (typeof given !== 'string' || !wellFormed.test(given) || !trust(request.socket.remoteAddress))
      return randomUUID()
    return given
  }
}

/** Bodies are checked by the contract's own schemas; Fastify's compilers would be megabytes that nothing uses. */
function noCompiler(): never {
  throw new Error('A route has no schema of Fastify’s: what comes in is checked by the contract.')
}

/** How Fastify and the server under it are set up. */
export function serverOptions(log: FastifyBaseLogger, trust: Trust) {
  return {
    loggerInstance: log,
    // One line for each finished request is written in `request-log.ts`.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIds(trust),
    requestIdHeader: false,
    trustProxy: trust,
    bodyLimit: mostBodyBytes,
    // What was begun is answered while the server stops; `drain.ts` says for how long.
    return503OnClosing: false,
    // Whoever sends headers or a body by the drop, or does not take the answer, is let go within 15 seconds. Node looks at
    // a stuck answer twice before it gives up. A statement of ours ends sooner than that, and its failure is answered.
    // The Host header is required by `one-host.ts`, which refuses in our words.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1000, requireHostHeader: false },
    // A file of 10 MB over a line of 1 Mbit/s; other bodies have less (`slow-clients.ts`).
    requestTimeout: 90_000,
    connectionTimeout: 7200,
    // Longer than load balancers keep a connection, so that it is they who close it and no request meets a closed one.
    keepAliveTimeout: 65_000,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: { maxParamLength: mostParameterLength },
  } satisfies FastifyHttpOptions<Server>
}

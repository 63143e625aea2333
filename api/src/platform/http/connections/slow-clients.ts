import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '#platform/errors/problem.ts'
import { lingerOnClose } from './linger.ts'
import { Standstill } from './standstill.ts'

/**
 * The default time limit for a body to arrive, in milliseconds: short, because bodies are small and slow ones
 * are an attack.
 */
const patienceMs = 11_500

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/**
 * Answers 408 when the body of a request does not arrive in time. Node has one such limit for all routes,
 * which must allow for a large file over a slow line (`slowBody` of a route).
 */
function boundBodies(app: FastifyInstance, standstill: Standstill): void {
  app.addHook('onRequest', (request, reply, done) => {
    done()
    if (!hasBody(request) || request.routeOptions.config.slowBody) return
    const cancel = standstill.after(patienceMs, () => {
      if (request.raw.complete || reply.sent) return
      reply.header('connection', 'close')
      reply.send(refuse('request_timeout'))
    })
    reply.raw.once('close', cancel)
  })
}

/**
 * Whether the client is waiting for the server: it has sent its request and received nothing of the response
 * yet.
 */
function isOurTurn(socket: Socket): boolean {
  // Node keeps the pending response of a socket in this private field and reads it in its own handlers.
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null }
  return Boolean(answer?.req.complete && !answer.headersSent)
}

/** Closes connections without traffic, unless the client is waiting for the server. */
function boundSilence(app: FastifyInstance, standstill: Standstill): void {
  app.server.on('timeout', (socket: Socket) => {
    if (isOurTurn(socket)) return
    const heard = socket.bytesRead
    standstill.after(standstill.within(socket.timeout ?? 0), () => {
      if (socket.bytesRead === heard && !isOurTurn(socket)) socket.destroy()
    })
  })
}

/**
 * Disconnects clients that send or read too slowly. The server cannot read while its process stands still, so
 * that time extends each limit: otherwise the timers would fire first and cut off requests that had arrived
 * meanwhile.
 */
export function boundSlowClients(app: FastifyInstance): void {
  const standstill = new Standstill()
  app.addHook('onClose', async () => standstill.stop())
  for (const name of ['headersTimeout', 'requestTimeout'] as const) {
    const limit = app.server[name]
    // Node reads them once a second when it looks for late connections.
    Object.defineProperty(app.server, name, { get: () => limit + standstill.within(limit) })
  }
  lingerOnClose(app, standstill)
  boundSilence(app, standstill)
  boundBodies(app, standstill)
}

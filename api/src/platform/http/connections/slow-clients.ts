import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '#platform/errors/problem.ts'
import { lingerOnClose } from './linger.ts'
import { Standstill } from './standstill.ts'

/** How long a body may take to arrive, where nothing else is said; it is small, and whoever drops it by the letter is let go. */
const patienceMs = 11_500

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/**
 * Answers 408 when the body of a request does not arrive in time. Node has one such limit for all, which has to let a file
 * through that somebody sends over a slow line (`slowBody` of a route).
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

/** Whether the client waits for us: it has sent its request, and nothing of the answer was sent yet. */
function isOurTurn(socket: Socket): boolean {
  // Node keeps the answer that a socket is waiting for in this private field, and reads it in its own handlers.
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null }
  return Boolean(answer?.req.complete && !answer.headersSent)
}

/** Closes connections on which nothing moves, unless it is us who let the client wait. */
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
 * Lets clients go who send or read too slowly. For as long as this process stands still nobody can be read from, so that time
 * is added to each limit: otherwise the timers would be up first, and requests that came meanwhile were cut off unread.
 */
export function boundSlowClients(app: FastifyInstance): void {
  const standstill = new Standstill()
  app.addHook('onClose', async () => standstill.stop())
  for (const name of ['headersTimeout', 'requestTimeout'] as const) {
    const limit = app.server[name]
    // Node asks for them once a second, when it looks for connections that are late.
    Object.defineProperty(app.server, name, { get: () => limit + standstill.within(limit) })
  }
  lingerOnClose(app, standstill)
  boundSilence(app, standstill)
  boundBodies(app, standstill)
}

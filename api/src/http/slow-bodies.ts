import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../errors/problem.ts'

/** How long a body may take to arrive, where nothing else is said; it is small, and whoever drops it by the letter is let go. */
const patienceMs = 11_500

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/**
 * Answers 408 when the body of a request does not arrive in time. Node has one such limit for all, which has to let a file
 * through that somebody sends over a slow line (`slowBody` of a route).
 */
export function boundBodies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    done()
    if (request.routeOptions.config.slowBody || !hasBody(request)) return
    const timer = setTimeout(() => {
      if (request.raw.complete || reply.sent) return
      reply.header('connection', 'close')
      reply.send(new Problem('request_timeout', 'The request did not arrive in time.'))
    }, patienceMs)
    reply.raw.once('close', () => clearTimeout(timer))
  })
}

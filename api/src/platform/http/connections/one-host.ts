import type { FastifyInstance } from 'fastify'
import { Problem } from '#platform/errors/problem.ts'

/**
 * Refuses requests of HTTP/1.1 that name no host or several (RFC 9112, section 3.2). Node keeps the first of several, and a
 * proxy before it may have looked at another.
 */
export function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { rawHeaders, httpVersion } = request.raw
    const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length
    const fits = hosts === 1 || (hosts === 0 && httpVersion === '1.0')
    done(fits ? undefined : new Problem('bad_request', 'A request has one Host header.'))
  })
}

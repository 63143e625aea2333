import type { FastifyInstance } from 'fastify'
import { refuse } from '#platform/errors/problem.ts'

/**
 * Refuses requests of HTTP/1.1 that name no host or several (RFC 9112, section 3.2). Node keeps the first of several, and a
 * proxy before it may have looked at another.
 */
export function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { rawHeaders, httpVersion } = request.raw
    let hosts = 0
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at]
      // The length rules most names out, in what is done for each header of each request.
      if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
    }
    const fits = hosts === 1 || (hosts === 0 && httpVersion === '1.0')
    done(fits ? undefined : refuse('host_headers'))
  })
}

import type { FastifyInstance } from 'fastify'
import { refuse } from '#platform/errors/problem.ts'

/**
 * Refuses HTTP/1.1 requests with no Host header or several (RFC 9112, section 3.2). Node uses the first of
 * several, and a proxy in front may have used another.
 */
export function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { rawHeaders, httpVersion } = request.raw
    let hosts = 0
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at]
      // The length check skips most names cheaply; this runs for each header of each request.
      if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
    }
    const fits = hosts === 1 || (hosts === 0 && httpVersion === '1.0')
    done(fits ? undefined : refuse('host_headers'))
  })
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from './metrics.ts'

// Parameters of the data API that say nothing about a person; the values of all others stay out of the log.
const harmless = /^(?:page|fields)(?:\[|%5B)|^(?:sort|include)(?:=|$)/i

// Enough to know what was asked; a client may send fifteen kilobytes of it.
const longestPath = 500

/** A query as it may be logged: the names stay, values that could be a secret or somebody's data do not. */
export function redactQuery(query: string): string {
  return query
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=')
      if (pair === '' || harmless.test(pair)) return pair
      // Without a name it may be the secret itself.
      return at < 0 ? '[redacted]' : `${pair.slice(0, at)}=[redacted]`
    })
    .join('&')
}

// Pages that letters, and a bank's question, lead to, as the browser asks for them: what follows the name is a secret.
const secretPage = /^\/(?:invitation|verify-email|sandbox\/challenge)\//i

/**
 * An address as it may be logged: under /auth, and on the pages that letters lead to, even the path can hold a secret, so
 * its pattern or its beginning stands for it.
 */
function loggedPath(url: string, route: string): string {
  const at = url.indexOf('?')
  const path = at < 0 ? url : url.slice(0, at)
  const page = secretPage.exec(path)?.[0]
  const known = path.startsWith('/auth/') ? route : path
  const shown = page === undefined ? known : `${page}[redacted]`
  const logged = at < 0 ? shown : `${shown}?${redactQuery(url.slice(at + 1))}`
  return logged.length > longestPath ? `${logged.slice(0, longestPath)}…` : logged
}

function finished(request: FastifyRequest, reply: FastifyReply, begun: number, metrics: Metrics): void {
  // Fastify makes this object anew each time it is asked for.
  const { url: route = '(none)', config } = request.routeOptions
  const seconds = (performance.now() - begun) / 1000
  // An answer whose reader went away never finished; 499 is what proxies call it.
  const status = reply.raw.writableEnded ? reply.statusCode : 499
  metrics.observe(request.method, route, status, seconds)
  if (config.quiet) return
  const line = {
    method: request.method,
    route,
    path: loggedPath(request.url, route),
    status,
    ms: Math.round(seconds * 10_000) / 10,
    ...(request.clientId !== undefined && { client_id: request.clientId }),
  }
  if (status >= 500) request.log.error(line, 'request')
  else request.log.info(line, 'request')
}

/** Writes one line for each finished request and counts it. Register it first, so that it also sees what others refuse. */
export function logRequests(app: FastifyInstance, metrics: Metrics): void {
  app.decorateRequest('clientId', undefined)
  app.decorateRequest('language', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const begun = performance.now()
    metrics.begin()
    // `close` comes for every answer, also for one whose reader goes away half-way.
    reply.raw.on('close', () => {
      metrics.end()
      finished(request, reply, begun, metrics)
    })
    done()
  })
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from './metrics.ts'

// Parameters of the data API that hold no personal data; the values of all others are kept out of the log.
const harmless = /^(?:page|fields)(?:\[|%5B)|^(?:sort|include)(?:=|$)/i

// Long enough to identify the request; a client may send fifteen kilobytes.
const longestPath = 500

/** Redacts a query for the log: names stay, values that could be secret or personal are removed. */
export function redactQuery(query: string): string {
  return query
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=')
      if (pair === '' || harmless.test(pair)) return pair
      // A value without a name may itself be the secret.
      return at < 0 ? '[redacted]' : `${pair.slice(0, at)}=[redacted]`
    })
    .join('&')
}

// Pages that letters and the bank's card challenge link to: the last part of the path is a secret.
const secretPage = /^\/(?:invitation|verify-email|unsubscribe|sandbox\/challenge)\//i

/**
 * Redacts an address for the log: under /auth and on pages that letters link to the path can hold a secret,
 * so its pattern or its beginning is logged instead.
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
  // Fastify builds this object on every access.
  const { url: route = '(none)', config } = request.routeOptions
  const seconds = (performance.now() - begun) / 1000
  // Proxies use 499 for a response whose client disconnected before it finished.
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

/**
 * Logs and counts every finished request. Register it first, so that it also sees requests that later hooks
 * refuse.
 */
export function logRequests(app: FastifyInstance, metrics: Metrics): void {
  app.decorateRequest('clientId', undefined)
  app.decorateRequest('language', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const begun = performance.now()
    metrics.begin()
    // `close` fires for every response, also for one whose client disconnects half-way.
    reply.raw.on('close', () => {
      metrics.end()
      finished(request, reply, begun, metrics)
    })
    done()
  })
}

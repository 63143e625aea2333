import type { FastifyRequest } from 'fastify'
import { refuse } from '#platform/errors/problem.ts'
import { routeNotFound } from '#platform/http/errors.ts'
import type { Engine } from './engine.ts'

/** Remembers the methods of a path, for the 405 of all others. */
export function note({ offered }: Engine, url: string, methods: readonly string[]): void {
  // Fastify adds HEAD to every GET route.
  offered.set(url, [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', '))
}

/** The methods that the path of a request offers; undefined when there is no such path. */
function offeredAt({ offered }: Engine, { url }: FastifyRequest, prefix: string): string | undefined {
  const path = url.split('?', 1)[0]?.slice(prefix.length) ?? ''
  const [, type, id, ...rest] = path.split('/')
  return offered.get(path) ?? (id ? offered.get(['', type, ':id', ...rest].join('/')) : undefined)
}

/**
 * Answers what has no route: 405 with the methods of a path, or 404. Routes for the methods that paths lack would be two
 * thirds of all, and take half of the time in which a start registers them.
 */
export function refuseOthers(engine: Engine, prefix: string): void {
  engine.app.setNotFoundHandler(async (request) => {
    const allow = offeredAt(engine, request, prefix)
    if (allow === undefined) throw routeNotFound(request)
    throw refuse('method_not_allowed', { method: request.method, allow }, { headers: { allow } })
  })
}

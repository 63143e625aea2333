import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import { minuteMs } from '@portico/contract/time.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '#platform/errors/problem.ts'

/** Requests in a minute. Those on sign-in are stricter, kept in the database, and not scaled. */
const perMinute = { read: 800, write: 120, anonymous: 300 }

/** Who asks, from a token that was checked without the database; undefined for somebody unknown. */
export type Who = (request: FastifyRequest) => string | undefined | Promise<string | undefined>

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

/**
 * Limits how often one person, or one unknown address, may ask. Counted in the memory of each process: being limited costs
 * no query, and with several replicas the limit is so many times higher.
 */
export async function limits(app: FastifyInstance, options: { scale: number; who: Who }): Promise<void> {
  const { scale, who } = options
  const scaled = (limit: number) => Math.max(1, Math.round(limit * scale))
  const most = {
    read: scaled(perMinute.read),
    write: scaled(perMinute.write),
    anonymous: scaled(perMinute.anonymous),
  }
  await app.register(rateLimit, {
    timeWindow: minuteMs,
    cache: 20_000,
    enableDraftSpec: true,
    keyGenerator: async (request: FastifyRequest) => {
      const person = await who(request)
      // One household or server usually has a whole /64 of IPv6, so the limit is on that.
      if (person === undefined) return `anonymous ${normalizeIP(request.ip, 64)}`
      return `${isRead(request) ? 'read' : 'write'} ${person}`
    },
    max: (_request: FastifyRequest, key: string) => {
      if (key.startsWith('anonymous ')) return most.anonymous
      return key.startsWith('read ') ? most.read : most.write
    },
    errorResponseBuilder: (_request, { max, ttl }) =>
      refuse('rate_limited', { most: max, seconds: Math.ceil(ttl / 1000) }),
  })
}

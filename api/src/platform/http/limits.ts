import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import { minuteMs } from '@portico/contract/time.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '#platform/errors/problem.ts'

/** Requests per minute. Limits on sign-in are stricter, stored in the database, and not scaled. */
const perMinute = { read: 800, write: 120, anonymous: 300 }

/**
 * Identifies the requester from a token that is verified without the database; undefined for an anonymous
 * request.
 */
export type Who = (request: FastifyRequest) => string | undefined | Promise<string | undefined>

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

/**
 * Limits the request rate per person or anonymous address. Counters live in each process: limiting costs no
 * query, and with several replicas the limit is multiplied by their number.
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
      // A household or server usually has a whole IPv6 /64, so the limit applies to the /64.
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

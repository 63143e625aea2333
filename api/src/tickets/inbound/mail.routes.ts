import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '#platform/clock.ts'
import type { Pool } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { routeNotFound } from '#platform/http/errors.ts'
import { verifyBytes } from '#platform/webhook-signature.ts'
import { takeMail } from './mail-in.ts'

type Options = {
  readonly pool: Pool
  readonly clock: Clock
  /** The Standard Webhooks secret at this moment; undefined: the route does not exist. */
  readonly secret: () => string | undefined
}

// The files of a message have at most 25 MB, a third more in base64.
const mostBytes = 36 * 1_048_576

const challenge = { headers: { 'www-authenticate': 'Webhook-Signature' } }
const forged = () => refuse('mail_signature_invalid', {}, challenge)

const patience = 300

/** Refuses implausible headers before the body is read, which may be large. */
function assertPlausible({ headers }: FastifyRequest, now: Date): void {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headers
  if (typeof id !== 'string' || id.length > 200 || typeof at !== 'string' || typeof signature !== 'string')
    throw forged()
  if (!(Math.abs(Number(at) - now.getTime() / 1000) <= patience))
    throw refuse('signature_expired', {}, challenge)
}

/**
 * The number of bodies that are read concurrently before the sender is verified, in total and per address.
 */
const mostAtOnce = { all: 6, each: 2 }

/**
 * Limits concurrent requests: the signature covers the whole body, so unsigned requests could otherwise fill
 * the memory. A slow body times out within seconds, and our mail server retries.
 */
function limitConcurrency(): (request: FastifyRequest, reply: FastifyReply) => void {
  const inside = new Map<string, number>()
  let all = 0
  return ({ ip: address }, reply) => {
    // One server usually has a whole IPv6 /64.
    const ip = normalizeIP(address, 64)
    const each = inside.get(ip) ?? 0
    if (all >= mostAtOnce.all || each >= mostAtOnce.each)
      throw refuse('mail_busy', {}, { headers: { 'retry-after': '15', connection: 'close' } })
    all += 1
    inside.set(ip, each + 1)
    reply.raw.once('close', () => {
      all -= 1
      const left = (inside.get(ip) ?? 1) - 1
      if (left > 0) inside.set(ip, left)
      else inside.delete(ip)
    })
  }
}

/**
 * POST /mail/v1/inbound: receives a raw mail (RFC 5322) from our mail server, signed by Standard Webhooks. It
 * is processed later, without a response about the outcome. Throws `mail_signature_invalid`,
 * `signature_expired`, `too_large`, `mail_busy`.
 */
export async function mailIngest(app: FastifyInstance, { pool, clock, secret }: Options): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    const enter = limitConcurrency()
    scope.addHook('onRequest', async (request, reply) => {
      if (secret() === undefined) throw routeNotFound(request)
      assertPlausible(request, clock.now())
      enter(request, reply)
    })
    scope.post('/mail/v1/inbound', { bodyLimit: mostBytes }, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const known = secret()
      if (known === undefined || !verifyBytes(known, body, request.headers)) throw forged()
      await takeMail(pool.kysely, body, String(request.headers['webhook-id']))
      return reply.code(202).type('application/json; charset=utf-8').send({ status: true })
    })
  })
}

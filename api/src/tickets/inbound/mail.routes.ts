import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '#platform/clock.ts'
import type { Pool } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { verifyBytes } from '#platform/webhook-signature.ts'
import { takeMail } from './mail-in.ts'

type Options = {
  readonly pool: Pool
  readonly clock: Clock
  /** By Standard Webhooks; undefined: nothing is taken, and the address does not exist. */
  readonly secret: string | undefined
}

// The files of a message are 25 MB, a third more as text.
const mostBytes = 36 * 1_048_576

const challenge = { headers: { 'www-authenticate': 'Webhook-Signature' } }
const forged = () => refuse('mail_signature_invalid', {}, challenge)

const patience = 300

/** Refuses what cannot be genuine before its body is read, which may be large. */
function assertPlausible({ headers }: FastifyRequest, now: Date): void {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headers
  if (typeof id !== 'string' || id.length > 200 || typeof at !== 'string' || typeof signature !== 'string')
    throw forged()
  if (!(Math.abs(Number(at) - now.getTime() / 1000) <= patience))
    throw refuse('signature_expired', {}, challenge)
}

/** How many bodies are read at once before it is known who sends them, in all and from one address. */
const mostAtOnce = { all: 6, each: 2 }

/**
 * Lets in only so many at a time: a signature is over the whole body, so whoever has none could otherwise have it all kept
 * in memory. A body that is slow is let go after seconds, and our mail server hands a mail over again.
 */
function limitConcurrency(): (request: FastifyRequest, reply: FastifyReply) => void {
  const inside = new Map<string, number>()
  let all = 0
  return ({ ip: address }, reply) => {
    // One server usually has a whole /64 of IPv6.
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
 * POST /mail/v1/inbound: a mail as it came (RFC 5322), handed over by our mail server and signed by Standard Webhooks. What
 * becomes of it is decided later and told to nobody. `mail_signature_invalid`, `signature_expired`, `too_large`, `mail_busy`.
 */
export async function mailIngest(app: FastifyInstance, { pool, clock, secret }: Options): Promise<void> {
  if (secret === undefined) return
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    const enter = limitConcurrency()
    scope.addHook('onRequest', async (request, reply) => {
      assertPlausible(request, clock.now())
      enter(request, reply)
    })
    scope.post('/mail/v1/inbound', { bodyLimit: mostBytes }, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      if (!verifyBytes(secret, body, request.headers)) throw forged()
      await takeMail(pool.kysely, body, String(request.headers['webhook-id']))
      return reply.code(202).type('application/json; charset=utf-8').send({ status: true })
    })
  })
}

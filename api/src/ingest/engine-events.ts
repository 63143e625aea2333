import { engineEvents } from '@portico/contract/engine/wire.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { verify } from '../adapters/webhook-signature.ts'
import type { Pool } from '../db/pool.ts'
import type { Vault } from '../db/vault.ts'
import { Problem } from '../errors/problem.ts'
import { engineAccess } from '../services/engine-access.ts'
import { type EngineMessage, receive } from '../services/engine-events.ts'

export type IngestOptions = {
  readonly pool: Pool
  readonly clock: { now(): Date }
  readonly vault: Vault
}

// 500 events with long names are about 300 kB.
const mostBytes = 1_048_576

/** The dot separates an id from what follows it in the text that is signed, so it cannot be part of one. */
const idPattern = /^[\w:~-]{1,128}$/

const challenge = { headers: { 'www-authenticate': 'Webhook-Signature' } }

/** Who sent this and under which id; everything is looked at only after the signature of the bytes as they came. */
async function sender(
  { pool, vault }: IngestOptions,
  { headers }: FastifyRequest,
  body: Buffer,
): Promise<{ engineId: number; id: string }> {
  const { 'webhook-engine': code, 'webhook-id': id } = headers
  const access =
    typeof code === 'string' ? await engineAccess({ db: pool.kysely, vault }, { code }) : undefined
  const verdict = verify(access?.secrets ?? [], body, headers)
  if (verdict === 'expired')
    throw new Problem('signature_expired', 'webhook-timestamp is more than five minutes from now.', challenge)
  if (!access || verdict === 'forged' || typeof id !== 'string' || !idPattern.test(id))
    throw new Problem('signature_invalid', 'No live secret of this engine made this signature.', challenge)
  return { engineId: access.id, id }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new Problem('malformed_json', 'The body is not valid JSON.')
  }
}

function eventsIn(body: Buffer): readonly unknown[] {
  const result = z.safeParse(engineEvents, parsed(body))
  if (result.success) return result.data.events
  const [issue] = result.error.issues
  const pointer = issue?.path.map((part) => `/${String(part)}`).join('') ?? ''
  throw new Problem('validation', issue?.message ?? 'The body is not what is expected.', {
    source: { pointer },
  })
}

/**
 * POST /engine/v1/events: what engines tell, signed by Standard Webhooks with a secret of the engine that the header
 * `webhook-engine` names. Answers a receipt; the same message sent again is answered the same and changes nothing.
 * `signature_invalid`, `signature_expired`, `malformed_json`, `validation`, `conflict`.
 */
export async function engineIngest(app: FastifyInstance, options: IngestOptions): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // Reading JSON comes after the signature, which is over the bytes.
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    scope.post('/engine/v1/events', { bodyLimit: mostBytes }, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const { engineId, id } = await sender(options, request, body)
      const message: EngineMessage = { engineId, id, body, events: eventsIn(body) }
      const receipt = await receive(options.pool.kysely, message, options.clock.now())
      return reply.type('application/json; charset=utf-8').send(receipt)
    })
  })
}

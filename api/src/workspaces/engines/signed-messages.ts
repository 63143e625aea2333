import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Pool } from '#platform/db/pool.ts'
import { refuse, refuseValue } from '#platform/errors/problem.ts'
import type { Vault } from '#platform/vault.ts'
import { verify } from '#platform/webhook-signature.ts'
import { engineAccess } from './engine-access.ts'
import type { SignedMessage } from './engine-messages.ts'

export type IngestOptions = {
  readonly pool: Pool
  readonly clock: { now(): Date }
  readonly vault: Vault
}

/** The dot separates an id from what follows it in the text that is signed, so it cannot be part of one. */
const idPattern = /^[\w:~-]{1,128}$/

const challenge = { headers: { 'www-authenticate': 'Webhook-Signature' } }

// An engine that tells of a large fleet sends more than people do, all from one address.
const messagesPerMinute = 3000

/** Who sent this and under which id; everything is looked at only after the signature of the bytes as they came. */
async function signed(
  { pool, vault }: IngestOptions,
  { headers, body }: FastifyRequest,
): Promise<SignedMessage> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  const { 'webhook-engine': code, 'webhook-id': id } = headers
  const access =
    typeof code === 'string' ? await engineAccess({ db: pool.kysely, vault }, { code }) : undefined
  const verdict = verify(access?.secrets ?? [], bytes, headers)
  if (verdict === 'expired') throw refuse('signature_expired', {}, challenge)
  if (!access || verdict === 'forged' || typeof id !== 'string' || !idPattern.test(id))
    throw refuse('signature_invalid', {}, challenge)
  return { engineId: access.id, id, body: bytes }
}

function jsonOf({ body }: SignedMessage): unknown {
  try {
    return JSON.parse(body.toString())
  } catch (cause) {
    throw refuse('malformed_json', {}, { cause })
  }
}

/** What a message holds, by its schema. Throws `malformed_json`, and what its schema refuses. */
export function bodyOf<S extends z.ZodMiniType>(schema: S, message: SignedMessage): z.output<S> {
  const result = z.safeParse(schema, jsonOf(message))
  if (result.success) return result.data
  const [issue] = result.error.issues
  const pointer = issue?.path.map((part) => `/${String(part)}`).join('') ?? ''
  throw refuseValue(issue?.message, {
    source: { pointer },
  })
}

type Door = {
  readonly url: string
  readonly contentType: string
  readonly mostBytes: number
  readonly status: number
  /** What is answered to a message that is genuine, as JSON. */
  readonly answer: (message: SignedMessage, headers: FastifyRequest['headers']) => Promise<string>
}

/**
 * A call for engines: signed by Standard Webhooks with a secret of the engine that the header `webhook-engine` names.
 * `signature_invalid`, `signature_expired`, `unsupported_media_type`, `too_large`.
 */
export async function signedRoute(app: FastifyInstance, options: IngestOptions, door: Door): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // Reading JSON comes after the signature, which is over the bytes.
    scope.addContentTypeParser(door.contentType, { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    const config = { rateLimit: { max: messagesPerMinute } }
    scope.post(door.url, { bodyLimit: door.mostBytes, config }, async (request, reply) => {
      const answer = await door.answer(await signed(options, request), request.headers)
      return reply.code(door.status).type('application/json; charset=utf-8').send(answer)
    })
  })
}

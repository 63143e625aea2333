import { isLater } from '@portico/contract/engine/wire.ts'
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

/** A signed message, and whether its engine speaks contract 1.1 or later. */
type HeardMessage = SignedMessage & { readonly later: boolean }

/** A dot separates the id from the rest of the signed text, so an id may not contain one. */
const idPattern = /^[\w:~-]{1,128}$/

const challenge = { headers: { 'www-authenticate': 'Webhook-Signature' } }

// An engine with a large fleet sends more requests than people do, all from one address.
const messagesPerMinute = 3000

/**
 * Verifies the sender and the id of a message; the body is parsed only after the signature over its bytes.
 */
async function signed(
  { pool, vault }: IngestOptions,
  { headers, body }: FastifyRequest,
): Promise<HeardMessage> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  const { 'webhook-engine': code, 'webhook-id': id } = headers
  const access =
    typeof code === 'string' ? await engineAccess({ db: pool.kysely, vault }, { code }) : undefined
  const verdict = verify(access?.secrets ?? [], bytes, headers)
  if (verdict === 'expired') throw refuse('signature_expired', {}, challenge)
  if (!access || verdict === 'forged' || typeof id !== 'string' || !idPattern.test(id))
    throw refuse('signature_invalid', {}, challenge)
  return { engineId: access.id, later: isLater(access.contract), id, body: bytes }
}

function jsonOf({ body }: SignedMessage): unknown {
  try {
    return JSON.parse(body.toString())
  } catch (cause) {
    throw refuse('malformed_json', {}, { cause })
  }
}

/** Parses the body of a message by its schema. Throws `malformed_json` and schema errors. */
export function bodyOf<S extends z.ZodMiniType>(schema: S, message: SignedMessage): z.output<S> {
  const result = z.safeParse(schema, jsonOf(message))
  if (result.success) return result.data
  const [issue] = result.error.issues
  const pointer = issue?.path.map((part) => `/${String(part)}`).join('') ?? ''
  throw refuseValue(issue?.message, {
    source: { pointer },
  })
}

type SignedRoute = {
  readonly url: string
  readonly contentType: string
  readonly mostBytes: number
  readonly status: number
  /** Handles a verified message; returns the response as JSON. */
  readonly answer: (message: HeardMessage, headers: FastifyRequest['headers']) => Promise<string>
}

/**
 * Registers a call for engines, signed by Standard Webhooks with a secret of the engine in the header
 * `webhook-engine`. Throws `signature_invalid`, `signature_expired`, `unsupported_media_type`, `too_large`.
 */
export async function signedRoute(
  app: FastifyInstance,
  options: IngestOptions,
  route: SignedRoute,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // JSON is parsed after the signature, which covers the bytes.
    scope.addContentTypeParser(route.contentType, { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    const config = { rateLimit: { max: messagesPerMinute } }
    scope.post(route.url, { bodyLimit: route.mostBytes, config }, async (request, reply) => {
      const answer = await route.answer(await signed(options, request), request.headers)
      return reply.code(route.status).type('application/json; charset=utf-8').send(answer)
    })
  })
}

import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Actor, Context } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import { refuse } from '#platform/errors/problem.ts'
import type { Call } from '#platform/jsonapi/http/engine.ts'

// Idempotency-Key by draft-ietf-httpapi-idempotency-key-header: a repeated POST gets the stored answer and
// has no further effect.

/** The time that a request may take before a repetition of it may take over, in seconds. */
const lockSeconds = 60

/** Printable, and short enough to be stored; a program may quote it, as in the draft. */
const shape = /^[\x21\x23-\x7e]{1,255}$/

/** A request with an idempotency key. */
export type Keyed = {
  readonly key: string
  readonly actor: string
  readonly hash: Buffer
  /** The request moves money, so its key is never pruned. */
  readonly keep: boolean
}

export type Answered = { readonly status: number; readonly location: string | null; readonly body: Buffer }

/** The state of a key: new, interrupted after it created a row, or answered. */
export type Claim =
  | { readonly state: 'fresh' }
  | { readonly state: 'begun'; readonly id: number }
  | { readonly state: 'answered'; readonly answer: Answered }

// Keys of two requesters must never collide, nor those of a person and of their programs.
const nameOf = ({ kind, id, staff, key }: Actor): string => `${kind} ${key?.id ?? staff?.id ?? id}`

const bodyOf = ({ body }: FastifyRequest): string => (typeof body === 'string' ? body : '')

/**
 * The idempotency key of a request, or undefined. Throws `idempotency_key_required` where one is mandatory,
 * and `bad_request` for one that cannot be stored.
 */
export function keyOf({ request, actor }: Call, required: boolean): Keyed | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined && !required) return undefined
  const source = { header: 'Idempotency-Key' }
  if (typeof header !== 'string' || header.trim() === '')
    throw refuse(
      'idempotency_key_required',
      {},
      {
        source,
      },
    )
  const key = header.trim().replace(/^"(.*)"$/, '$1')
  if (!shape.test(key)) throw refuse('idempotency_key_invalid', {}, { source })
  const text = `${request.method} ${request.url}\n${bodyOf(request)}`
  return { key, actor: nameOf(actor), hash: createHash('sha256').update(text).digest(), keep: required }
}

/**
 * Claims a key in the request's transaction: a concurrent repetition waits for the commit. Throws
 * `idempotency_key_reused` for another request, and `idempotency_in_progress` while the first is running.
 */
export async function claim({ tx, vault }: Context, { key, actor, hash, keep }: Keyed): Promise<Claim> {
  const lock = sql<string>`now() + make_interval(secs => ${lockSeconds})`
  const made = await tx
    .insertInto('idempotency_keys')
    .values({ actor, key, request_hash: hash, locked_until: lock, keep })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (made) return { state: 'fresh' }
  const known = await tx
    .selectFrom('idempotency_keys')
    .select(columns.idempotency_keys)
    .select(sql<boolean>`locked_until > now()`.as('locked'))
    .where('actor', '=', actor)
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (!hash.equals(known.request_hash))
    throw refuse('idempotency_key_reused', {}, { source: { header: 'Idempotency-Key' } })
  if (known.done && known.answer !== null) {
    const body = Buffer.from(vault.unseal(known.answer))
    return { state: 'answered', answer: { status: known.status ?? 200, location: known.location, body } }
  }
  if (known.locked)
    throw refuse(
      'idempotency_in_progress',
      {},
      {
        headers: { 'retry-after': '2' },
      },
    )
  await tx
    .updateTable('idempotency_keys')
    .set({ locked_until: lock })
    .where('actor', '=', actor)
    .where('key', '=', key)
    .execute()
  return known.resource_id === null ? { state: 'fresh' } : { state: 'begun', id: known.resource_id }
}

const row = ({ tx }: Pick<Context, 'tx'>, { actor, key }: Keyed) =>
  tx.updateTable('idempotency_keys').where('actor', '=', actor).where('key', '=', key)

/**
 * Records the created row in its own transaction, so that a repetition can continue after an interruption.
 */
export async function keepBegun(context: Context, keyed: Keyed, id: number): Promise<void> {
  await row(context, keyed).set({ resource_id: id }).execute()
}

/**
 * Stores the answer in the transaction of the effect, and returns the answer to send. The first one wins: a
 * request that outlived its claim and was taken over sends the answer of the other.
 */
export async function keepAnswer(context: Context, keyed: Keyed, answer: Answered): Promise<Answered> {
  const { status, location, body } = answer
  const { numUpdatedRows } = await row(context, keyed)
    .set({ done: true, status, location, answer: context.vault.seal(body.toString()) })
    .where('done', '=', false)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? answer : ((await answerOf(context, keyed)) ?? answer)
}

async function answerOf({ tx, vault }: Context, { actor, key }: Keyed): Promise<Answered | undefined> {
  const kept = await tx
    .selectFrom('idempotency_keys')
    .select(['status', 'location', 'answer'])
    .where('actor', '=', actor)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!kept?.answer) return undefined
  return { status: kept.status ?? 200, location: kept.location, body: Buffer.from(vault.unseal(kept.answer)) }
}

/** Whether the same request was answered before. */
export const wasAnswered = async (context: Context, keyed: Keyed): Promise<boolean> =>
  (await answerOf(context, keyed)) !== undefined

/**
 * Releases the key of a failed request, so that it can be repeated at once; a key without a created row is
 * deleted.
 */
export async function releaseKey(context: Context, keyed: Keyed): Promise<void> {
  const { actor, key } = keyed
  await context.tx
    .deleteFrom('idempotency_keys')
    .where('actor', '=', actor)
    .where('key', '=', key)
    .where('done', '=', false)
    .where('resource_id', 'is', null)
    .execute()
  await row(context, keyed).set({ locked_until: sql<string>`now()` }).where('done', '=', false).execute()
}

/** Sends the stored answer. */
export function replay({ reply }: Call, { status, location, body }: Answered): Buffer {
  reply.code(status).header('idempotency-replayed', 'true')
  if (location !== null) reply.header('location', location)
  return body
}

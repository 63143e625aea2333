import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Actor, Context } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import { refuse } from '#platform/errors/problem.ts'
import type { Call } from '#platform/jsonapi/http/engine.ts'

// Idempotency-Key, as draft-ietf-httpapi-idempotency-key-header: the same POST again is answered the same, and does nothing.

/** How long a request may work before the same one may go on in its place. */
const lockSeconds = 60

/** Printable, and short enough to be stored; a program may quote it, as the draft writes it. */
const shape = /^[\x21\x23-\x7e]{1,255}$/

/** One request among those that carry the same key. */
export type Keyed = {
  readonly key: string
  readonly actor: string
  readonly hash: Buffer
  /** It moves money, so it is never forgotten. */
  readonly keep: boolean
}

export type Answered = { readonly status: number; readonly location: string | null; readonly body: Buffer }

/** What is known of a request: nothing yet, the row that it made before it was interrupted, or its whole answer. */
export type Claim =
  | { readonly state: 'fresh' }
  | { readonly state: 'begun'; readonly id: number }
  | { readonly state: 'answered'; readonly answer: Answered }

// Keys of two who ask must never meet, nor those of a person and of a program of theirs.
const nameOf = ({ kind, id, staff, key }: Actor): string => `${kind} ${key?.id ?? staff?.id ?? id}`

const bodyOf = ({ body }: FastifyRequest): string => (typeof body === 'string' ? body : '')

/**
 * The key of a request, or nothing when it has none. Throws `idempotency_key_required` where it must have one, and
 * `bad_request` for one that cannot be kept.
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
 * Takes a key for this request, in its transaction: whoever sends the same at the same time waits for the commit. Throws
 * `idempotency_key_reused` for another request, and `idempotency_in_progress` while the same one is worked on.
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

/** Keeps what a request made, in the transaction that made it: should the rest be interrupted, it goes on from there. */
export async function keepBegun(context: Context, keyed: Keyed, id: number): Promise<void> {
  await row(context, keyed).set({ resource_id: id }).execute()
}

/**
 * Keeps the answer, in the transaction of the effect; answers what is to be said. The first one stays: whoever took longer than
 * the key was held for, and found that the same request was gone on with, says what that was answered.
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

/** Lets the same request be tried again at once, because this one failed; one that made nothing is forgotten. */
export async function letGo(context: Context, keyed: Keyed): Promise<void> {
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

/** Sends what was answered before. */
export function replay({ reply }: Call, { status, location, body }: Answered): Buffer {
  reply.code(status).header('idempotency-replayed', 'true')
  if (location !== null) reply.header('location', location)
  return body
}

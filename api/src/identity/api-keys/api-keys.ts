import { createHash, randomBytes } from 'node:crypto'
import { mostApiKeys } from '@portico/contract/rules/api-key-scopes.ts'
import { ulid } from 'ulid'
import { noteAct } from '#notifications/account-log.ts'
import type { Actor, Context, Key, RowOf } from '#platform/context.ts'
import { storedNetwork } from '#platform/db/address.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { accessOf } from '#sharing/grants.ts'

type ApiKey = RowOf<'api_keys'>

/** The prefix of a key: no access token begins with it, and scanners for leaked secrets recognise it. */
export const keyMark = 'pk_'

/** The stored and looked-up hash of a key. */
export const hashOfKey = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** A new key of 256 bits, to be shown once, and its stored columns. */
export function newSecret() {
  const secret = `${keyMark}${randomBytes(32).toString('base64url')}`
  return {
    columns: { secret_hash: hashOfKey(secret), prefix: secret.slice(0, keyMark.length + 6) },
    returned: { secret },
  }
}

/** Addresses and networks in stored form, deduplicated. */
export const networksOf = (all: readonly string[]): string[] => [...new Set(all.map(storedNetwork))]

/** Server-set columns of a new key. Throws `api_key_expiry_past` for one that would already have expired. */
export function newKey({
  actor,
  now,
  sent,
}: {
  readonly actor: Pick<Actor, 'id'>
  readonly now: Date
  readonly sent: { readonly expires_at?: string | null }
}) {
  if (sent.expires_at != null && Date.parse(sent.expires_at) <= now.getTime())
    throw refuse('api_key_expiry_past', {}, { source: { pointer: '/data/attributes/expires_at' } })
  return { id: ulid(now.getTime()), client_id: actor.id }
}

/** Records an event of a key in the security log of its owner's account. */
const note = (
  context: Context,
  kind: 'api-key-created' | 'api-key-changed' | 'api-key-revoked',
  { client_id: owner, name: about }: Pick<ApiKey, 'client_id' | 'name'>,
): Promise<void> => noteAct(context, { kind, owner, about })

/**
 * Runs after a key was created. Throws `recent_sign_in_required`, because a hijacked session must not gain a
 * key that outlives it. Throws `api_keys_most` when there are too many active keys.
 */
export async function keyCreated(context: Context, key: ApiKey): Promise<void> {
  assertRecentSignIn(context)
  const { tx, now } = context
  // The owner's row is the lock: of two concurrent creations, the later one counts the other's key.
  await tx.selectFrom('clients').select('id').where('id', '=', key.client_id).forNoKeyUpdate().execute()
  const { count } = await tx
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('client_id', '=', key.client_id)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now.toISOString())]))
    .executeTakeFirstOrThrow()
  if (Number(count) > mostApiKeys) throw refuse('api_keys_most', { most: mostApiKeys })
  await note(context, 'api-key-created', key)
}

/**
 * Runs after a key was changed. The allowed networks protect a leaked key, so a hijacked session must not
 * widen them, and the change is logged for the owner. Throws `recent_sign_in_required`.
 */
export async function keyChanged(context: Context, key: ApiKey, before: ApiKey): Promise<void> {
  if (JSON.stringify(key.allowed_ips) === JSON.stringify(before.allowed_ips)) return
  assertRecentSignIn(context)
  await note(context, 'api-key-changed', key)
}

/** Revokes a key, from the next request on. Throws `api_key_revoked` when it already is. */
export async function revokeKey(context: Context, key: ApiKey): Promise<{ revoked_at: string }> {
  if (key.revoked_at !== null) throw refuse('api_key_revoked', {}, { status: 409 })
  const revoked_at = context.now.toISOString()
  await context.tx.updateTable('api_keys').set({ revoked_at }).where('id', '=', key.id).execute()
  await note(context, 'api-key-revoked', key)
  return { revoked_at }
}

/** Deletes a key, and records its revocation if it was not revoked before. */
export async function removeKey(context: Context, key: ApiKey): Promise<void> {
  await context.tx.deleteFrom('api_keys').where('id', '=', key.id).execute()
  if (key.revoked_at === null) await note(context, 'api-key-revoked', key)
}

/**
 * The actor of a key: its owner on their own account, without grants from others, and within the key's
 * rights.
 */
export const keyActor = (key: Key, owner: { readonly id: number; readonly accountId: string }): Actor => ({
  kind: 'key',
  id: owner.id,
  accountId: owner.accountId,
  sessionId: '',
  emailVerified: true,
  language: 'en',
  key,
  ...accessOf(owner.id, []),
})

/** Records when and from where a key was last used; called at most once a minute by each process. */
export async function keyUsed(
  db: Database,
  { id, ip, now, atMostEvery }: { id: string; ip: string | null; now: Date; atMostEvery: number },
): Promise<void> {
  const before = new Date(now.getTime() - atMostEvery).toISOString()
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now.toISOString(), last_used_ip: ip })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', before)]))
    .execute()
}

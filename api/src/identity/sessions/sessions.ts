import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { lockAccountById } from '#identity/accounts.ts'
import { lifetimes } from '#identity/config.ts'
import { hmac, isToken, newToken, sha256 } from '#identity/crypto.ts'
import type { Deps, Origin } from '#identity/deps.ts'
import { inOne, type Work } from '#identity/identity-context.ts'
import type { Device } from '#identity/security/devices.ts'
import { longestUserAgent, record } from '#identity/security/events.ts'
import { queueOwnerLetter } from '#identity/security/letters.ts'
import type { Actor } from '#platform/context.ts'
import { storedAddress } from '#platform/db/address.ts'
import type { Database } from '#platform/db/pool.ts'
import { mayAct } from '#reference/client-status.ts'
import type { Keys } from './signing-keys.ts'

/** The reason why a session ended early. */
export type RevokeReason =
  | 'signed-out'
  | 'refresh-reuse'
  | 'ended'
  | 'password-changed'
  | 'password-reset'
  | 'two-factor-enabled'
  | 'passkey-added'
  | 'email-change-undone'
  | 'taken-over'
  | 'account-closed'
  | 'account-blocked'
  | 'confirmed-elsewhere'

/** A new session for its holder; the refresh token is stored nowhere. */
export type Opened = {
  readonly sessionId: string
  readonly accountId: string
  readonly amr: readonly string[]
  readonly refreshToken: string
  /** The new value of the device cookie; undefined when it does not change. */
  readonly device?: string | undefined
}

const later = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString()

/** SQL: whether a row of `auth_accounts` is the login of a member of staff. */
const isStaff = (accounts: string) => sql<boolean>`${sql.ref(`${accounts}.kind`)} = 'staff'`

const lifetimesOf = (staff: boolean) =>
  staff
    ? { idle: lifetimes.staffIdle, absolute: lifetimes.staffAbsolute }
    : { idle: lifetimes.idle, absolute: lifetimes.absolute }

/** Opens a session for an authenticated person. */
export async function openSession(
  { tx, now, origin }: Work,
  { accountId, amr, device }: { accountId: string; amr: readonly string[]; device: Device },
): Promise<Opened> {
  const sessionId = randomUUID()
  const refreshToken = newToken()
  const account = tx.selectFrom('auth_accounts').select(isStaff('auth_accounts').as('staff'))
  const { staff } = await account.where('id', '=', accountId).executeTakeFirstOrThrow()
  const { idle, absolute } = lifetimesOf(staff)
  await tx
    .insertInto('auth_sessions')
    .values({
      id: sessionId,
      account_id: accountId,
      amr: [...amr],
      ip: storedAddress(origin.ip),
      user_agent: origin.userAgent?.slice(0, longestUserAgent) ?? null,
      device_hash: device.hash,
      created_at: now.toISOString(),
      authenticated_at: now.toISOString(),
      last_seen_at: now.toISOString(),
      idle_expires_at: later(now, idle),
      expires_at: later(now, absolute),
    })
    .execute()
  await tx
    .insertInto('auth_refresh_tokens')
    .values({ token_hash: sha256(refreshToken), session_id: sessionId, generation: 0 })
    .execute()
  return { sessionId, accountId, amr, refreshToken, device: device.cookie }
}

/** Ends a session at once, including its access tokens: every request checks the database. */
export async function revokeSession(
  db: Database,
  sessionId: string,
  reason: RevokeReason,
  now: Date,
): Promise<void> {
  await db
    .updateTable('auth_sessions')
    .set({ revoked_at: now.toISOString(), revoke_reason: reason })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Ends every session of an account but one, or with `null` every one; returns their number. */
export async function revokeOthers(
  { tx, now }: { readonly tx: Database; readonly now: Date },
  { accountId, sessionId }: { accountId: string; sessionId: string | null },
  reason: RevokeReason,
): Promise<number> {
  const ended = await tx
    .updateTable('auth_sessions')
    .set({ revoked_at: now.toISOString(), revoke_reason: reason })
    .where('account_id', '=', accountId)
    .where('id', 'is distinct from', sessionId)
    .where('revoked_at', 'is', null)
    .where('idle_expires_at', '>', now.toISOString())
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  return Number(ended.numUpdatedRows)
}

/** Ends the session of a person who signs out. */
export function signOut(
  deps: Deps,
  { sessionId, accountId }: Pick<Actor, 'sessionId' | 'accountId'>,
  origin: Origin,
): Promise<void> {
  return inOne(deps, origin, async (work) => {
    await lockAccountById(work.tx, accountId)
    await revokeSession(work.tx, sessionId, 'signed-out', work.now)
    await record(work, { accountId, kind: 'signed-out' })
  })
}

/**
 * The presented token with its active session and its account, locked in the common order: a concurrent use
 * of the same token waits.
 */
async function lockPresented(tx: Database, presented: string, now: Date) {
  return tx
    .selectFrom('auth_refresh_tokens as t')
    .innerJoin('auth_sessions as s', 's.id', 't.session_id')
    .innerJoin('auth_accounts as a', 'a.id', 's.account_id')
    .innerJoin('clients as c', 'c.auth_id', 'a.id')
    .select(['t.generation', 't.used_at', 's.id', 's.account_id', 's.amr', 's.expires_at', 'a.verified_at'])
    .select(['s.created_at', isStaff('a').as('staff')])
    .where('t.token_hash', '=', sha256(presented))
    .where('s.revoked_at', 'is', null)
    .where('s.idle_expires_at', '>', now.toISOString())
    .where('s.expires_at', '>', now.toISOString())
    .where('a.disabled_at', 'is', null)
    .where('c.status', 'in', mayAct)
    .forUpdate(['a', 's', 't'])
    .executeTakeFirst()
}

type Presented = NonNullable<Awaited<ReturnType<typeof lockPresented>>>

// The successor is derived from the token: a repeated request gets the same answer, though only hashes are
// stored.
const successorOf = (presented: string, key: Keys[number]) =>
  hmac(key.refreshToken, presented).toString('base64url')

async function advance(tx: Database, token: Presented, presented: string, next: string, now: Date) {
  await tx
    .updateTable('auth_refresh_tokens')
    .set({ used_at: now.toISOString() })
    .where('token_hash', '=', sha256(presented))
    .execute()
  await tx
    .insertInto('auth_refresh_tokens')
    .values({ token_hash: sha256(next), session_id: token.id, generation: token.generation + 1 })
    .execute()
  const lives = lifetimesOf(token.staff)
  // Also a session from before its holder became staff ends with theirs.
  const end = Math.min(Date.parse(token.expires_at), Date.parse(token.created_at) + lives.absolute)
  const idle = Math.min(now.getTime() + lives.idle, end)
  await tx
    .updateTable('auth_sessions')
    .set({
      last_seen_at: now.toISOString(),
      idle_expires_at: new Date(idle).toISOString(),
      expires_at: new Date(end).toISOString(),
    })
    .where('id', '=', token.id)
    .execute()
}

/** The unused successor of a just-used token; derived with whichever key was current then. */
async function unusedSuccessor(tx: Database, token: Presented, presented: string, keys: Keys) {
  const row = await tx
    .selectFrom('auth_refresh_tokens')
    .select('token_hash')
    .where('session_id', '=', token.id)
    .where('generation', '=', token.generation + 1)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return (
    row && keys.map((key) => successorOf(presented, key)).find((next) => sha256(next).equals(row.token_hash))
  )
}

/**
 * Exchanges a refresh token for its successor. A token that was used within the grace period returns the same
 * successor again; any other reuse means that two parties hold it, and ends the session. Undefined: no valid
 * token.
 */
export async function rotate(deps: Deps, presented: string, origin: Origin): Promise<Opened | undefined> {
  if (!isToken(presented)) return undefined
  const { clock, keys } = deps
  return inOne(deps, origin, async (work) => {
    const { tx } = work
    const token = await lockPresented(tx, presented, clock.now())
    if (token === undefined) return undefined
    // Read after the lock: a request that waited must not have an earlier time than the one before it.
    const now = clock.now()
    const opened = { sessionId: token.id, accountId: token.account_id, amr: token.amr }
    if (token.used_at === null) {
      const refreshToken = successorOf(presented, keys[0])
      await advance(tx, token, presented, refreshToken, now)
      return { ...opened, refreshToken }
    }
    const inGrace = now.getTime() - Date.parse(token.used_at) <= lifetimes.refreshGrace
    const refreshToken = inGrace ? await unusedSuccessor(tx, token, presented, keys) : undefined
    if (refreshToken !== undefined) return { ...opened, refreshToken }
    await revokeSession(tx, token.id, 'refresh-reuse', now)
    await record(work, { accountId: token.account_id, kind: 'refresh-reuse' })
    // The address of an unconfirmed account may be a stranger's.
    if (token.verified_at !== null)
      await queueOwnerLetter(work, token.account_id, (about) => ({ kind: 'session-stolen', ...about }))
    return undefined
  })
}

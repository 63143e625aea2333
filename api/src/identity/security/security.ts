import type * as calls from '@portico/contract/calls/account/security.ts'
import type { ActDetails } from '@portico/contract/calls/account/security.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { lockAccountById } from '#identity/accounts.ts'
import type { Deps, Origin } from '#identity/deps.ts'
import { inOne } from '#identity/identity-context.ts'
import { lockLive } from '#identity/sessions/live-session.ts'
import { recentUntil } from '#identity/sessions/recent.ts'
import { revokeOthers, revokeSession } from '#identity/sessions/sessions.ts'
import { countPasskeys } from '#identity/sign-in/passkeys/passkeys.ts'
import { twoFactorOf } from '#identity/sign-in/two-factor/two-factor.ts'
import type { Actor } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { deviceName } from './device-name.ts'
import { forgetDevices } from './devices.ts'
import { actorOf, record, type SecurityEventKind } from './events.ts'

type Person = Pick<Actor, 'accountId' | 'sessionId'>

/** The sign-in methods of a person. */
export async function overview(deps: Deps, person: Person): Promise<z.input<typeof calls.security.output>> {
  const { accountId } = person
  const db = deps.pool.kysely
  const { email, password_hash, pending_email } = await db
    .selectFrom('auth_accounts as a')
    .select(['a.email', 'a.password_hash'])
    .select(({ selectFrom }) =>
      selectFrom('auth_one_time')
        .select(sql<string>`data ->> 'email'`.as('email'))
        .where('account_id', '=', accountId)
        .where('purpose', '=', 'email-change')
        .where('used_at', 'is', null)
        .where('expires_at', '>', deps.clock.now().toISOString())
        .as('pending_email'),
    )
    .where('a.id', '=', accountId)
    .executeTakeFirstOrThrow()
  return {
    email,
    pending_email,
    has_password: password_hash !== null,
    two_factor: await twoFactorOf(db, accountId),
    passkeys: await countPasskeys(db, accountId),
    recent_until: (await recentUntil(deps, person.sessionId)).toISOString(),
  }
}

/** The active sessions of a person, this one first, then by last use. */
export async function listSessions(
  { pool, clock }: Deps,
  { accountId, sessionId }: Person,
): Promise<z.input<typeof calls.sessions.output>> {
  const now = clock.now().toISOString()
  const rows = await pool.kysely
    .selectFrom('auth_sessions')
    .select(['id', 'user_agent', 'ip', 'created_at', 'last_seen_at', 'idle_expires_at as expires_at'])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('idle_expires_at', '>', now)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute()
  const sessions = rows.map(({ user_agent, ...session }) => ({
    ...session,
    current: session.id === sessionId,
    device: deviceName(user_agent),
  }))
  return { sessions: sessions.sort((a, b) => Number(b.current) - Number(a.current)) }
}

/**
 * Ends one session of the person, on every replica, and forgets its browser. Throws `session_not_found` for
 * one that is not theirs, or has ended.
 */
export async function endSession(
  deps: Deps,
  { accountId }: Person,
  { id, origin }: { id: string; origin: Origin },
): Promise<void> {
  await inOne(deps, origin, async (work) => {
    const { tx, now } = work
    await lockAccountById(tx, accountId)
    const session = await tx
      .selectFrom('auth_sessions')
      .select(['device_hash', 'user_agent'])
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .where('idle_expires_at', '>', now.toISOString())
      .where('expires_at', '>', now.toISOString())
      .executeTakeFirst()
    if (session === undefined) throw refuse('session_not_found')
    await revokeSession(tx, id, 'ended', now)
    await tx
      .deleteFrom('auth_devices')
      .where('account_id', '=', accountId)
      .where('device_hash', '=', session.device_hash)
      .execute()
    const { browser, system } = deviceName(session.user_agent)
    const about = [browser, system].filter((part) => part !== null).join(', ')
    await record(work, { accountId, kind: 'session-ended', ...(about && { about }) })
  })
}

/** Ends every other session of the person; returns their number. */
export async function endOtherSessions(deps: Deps, person: Person, origin: Origin): Promise<number> {
  return inOne(deps, origin, async (work) => {
    // A session that was ended just now may end no others.
    await lockLive(work, person)
    await forgetDevices(work, person)
    const ended = await revokeOthers(work, person, 'ended')
    if (ended > 0) await record(work, { accountId: person.accountId, kind: 'session-ended' })
    return ended
  })
}

const pageSize = 25

/** The security events of the account, newest first. */
export async function securityLog(
  { pool }: Deps,
  { accountId }: Person,
  before: number | undefined,
): Promise<z.input<typeof calls.securityLog.output>> {
  const rows = await pool.kysely
    .selectFrom('auth_events as e')
    .select(['e.id', 'e.kind', 'e.at', 'e.ip', 'e.user_agent', 'e.about', 'e.details', actorOf.as('actor')])
    .where('e.account_id', '=', accountId)
    .$if(before !== undefined, (query) => query.where('e.id', '<', before ?? 0))
    .orderBy('e.id', 'desc')
    .limit(pageSize + 1)
    .execute()
  const events = rows.slice(0, pageSize).map(({ user_agent, kind, details, ...event }) => ({
    ...event,
    // Only `record` and `noteAct` write this table, with these kinds and details.
    kind: kind as SecurityEventKind,
    details: details as ActDetails | null,
    device: deviceName(user_agent),
  }))
  return { events, more: rows.length > pageSize }
}

import { type SqlBool, sql } from 'kysely'
import { endSetup } from '#identity/first-admin/setup-state.ts'
import type { Work } from '#identity/identity-context.ts'
import { revokeOthers } from '#identity/sessions/sessions.ts'
import { withdraw } from '#identity/sign-in/one-time.ts'
import type { Actor } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'

// The second factor of staff is two-factor authentication or a passkey, which verifies its person (0202).

type Person = Pick<Actor, 'accountId' | 'sessionId'>

const passkeys = sql<number>`(select count(*) from auth_passkeys p where p.account_id = m.auth_id)`

/** Staff of an account, `m`, whose rights need a second factor, and who have no two-factor authentication. */
const withoutApp = (accountId: string) => sql<SqlBool>`m.auth_id = ${accountId} and m.disabled_at is null
  and m.totp_required and not exists (select from auth_totp t where t.account_id = m.auth_id and t.enabled_at is not null)`

/** Whether only a passkey opens a session of this account. */
export async function needsPasskey(db: Database, accountId: string): Promise<boolean> {
  const { rows } = await sql`select from admins m where ${withoutApp(accountId)} and ${passkeys} > 0`.execute(
    db,
  )
  return rows.length > 0
}

/**
 * Throws `staff_second_factor_required` in a session that their passkey did not open, as one from before they were staff:
 * somebody who knows only their password would add a second factor of their own, or remove theirs and add the first again.
 */
export async function assertByPasskey({ tx }: Work, { accountId, sessionId }: Person): Promise<void> {
  const { rows } = await sql`select from admins m join auth_sessions s on s.id = ${sessionId}
    where ${withoutApp(accountId)} and ${passkeys} > 0 and not 'passkey' = any(s.amr)`.execute(tx)
  if (rows.length > 0) throw refuse('staff_second_factor_required')
}

/**
 * Lets the session that added the first passkey of staff use the rights of the role. Other sessions, and sign-ins that have
 * begun, end, because they were opened without it.
 */
export async function beginSecondFactor(work: Work, person: Person): Promise<void> {
  const { accountId, sessionId } = person
  const { rows } = await sql`update auth_sessions s set amr = s.amr || 'passkey'::text from admins m
    where s.id = ${sessionId} and ${withoutApp(accountId)} and ${passkeys} = 1 returning s.id`.execute(
    work.tx,
  )
  if (rows.length === 0) return
  await revokeOthers(work, person, 'passkey-added')
  await withdraw(work.tx, accountId, 'sign-in')
  await endSetup(work, accountId)
}

import { sql } from 'kysely'
import { reasonInLog, writeClient } from '#desk/verbs/client-letter.ts'
import { lockAccountById, setVerified } from '#identity/accounts.ts'
import { withdraw } from '#identity/sign-in/one-time.ts'
import { noteAct } from '#notifications/account-log.ts'
import { dropConfirmations } from '#notifications/waiting-letters.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

/**
 * Whether more than one browser may have registered the address: staff cannot know whose password the account has. A browser proves
 * that it is the same by the token of its registration, which nobody else has. Its network says nothing: it changes on the way,
 * and strangers share it.
 */
async function isContested(tx: Database, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ contested: boolean }>`select count(*) > 1 as contested from auth_events
    where account_id = ${accountId} and kind = 'registered' and same_browser is not true`.execute(tx)
  return rows[0]?.contested === true
}

/**
 * Confirms the address of a client who cannot follow the link of their letter. The browser that registered
 * goes on by itself, as after the link. Throws `recent_sign_in_required`, `client_not_active`,
 * `client_email_confirmed`, `client_registered_twice`.
 */
export async function confirmEmail(
  context: Context,
  { row }: { readonly row: RowOf<'clients'> },
): Promise<{ email_verified_at: string }> {
  assertRecentSignIn(context)
  const { tx, now } = context
  if (row.auth_id === null) throw refuse('client_not_active')
  const account = await lockAccountById(tx, row.auth_id)
  if (!account.may_act) throw refuse('client_not_active')
  if (account.verified_at !== null) throw refuse('client_email_confirmed')
  if (await isContested(tx, account.id)) throw refuse('client_registered_twice')
  await setVerified(tx, account.id, now)
  await withdraw(tx, account.id, 'verify-email')
  await dropConfirmations(tx, account.email, now)
  const reason = await reasonInLog(tx)
  const act = { kind: 'email-verified', owner: row.id, about: account.email, details: { reason } } as const
  await noteAct({ tx, now }, act)
  await writeClient(context, row.id, (about) => ({ kind: 'email-confirmed-by-staff', ...about, reason }))
  return { email_verified_at: now.toISOString() }
}

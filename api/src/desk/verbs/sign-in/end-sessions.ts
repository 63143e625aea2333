import { reasonInLog, writeClient } from '#desk/verbs/client-letter.ts'
import { lockAccountById } from '#identity/accounts.ts'
import { forgetDevices } from '#identity/security/devices.ts'
import { revokeOthers } from '#identity/sessions/sessions.ts'
import { withdraw } from '#identity/sign-in/one-time.ts'
import { noteAct } from '#notifications/account-log.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

/**
 * Signs a client out everywhere, also where a sign-in has only begun, forgets their browsers, and tells them why. Throws
 * `recent_sign_in_required`, `client_not_active`.
 */
export async function endSessionsOfClient(
  context: Context,
  { row }: { readonly row: RowOf<'clients'> },
): Promise<{ ended: number }> {
  assertRecentSignIn(context)
  const { tx, now } = context
  const { auth_id: accountId } = row
  if (accountId === null) throw refuse('client_not_active')
  // A concurrent sign-in ends before or begins after, never in between.
  if (!(await lockAccountById(tx, accountId)).may_act) throw refuse('client_not_active')
  // A thief's browser must not count as one of the client's.
  await forgetDevices({ tx }, { accountId, sessionId: null })
  const ended = await revokeOthers({ tx, now }, { accountId, sessionId: null }, 'ended')
  await withdraw(tx, accountId)
  const reason = await reasonInLog(tx)
  await noteAct({ tx, now }, { kind: 'session-ended', owner: row.id, about: '', details: { reason } })
  await writeClient(context, row.id, (about) => ({ kind: 'sessions-ended', ...about, reason }))
  return { ended }
}

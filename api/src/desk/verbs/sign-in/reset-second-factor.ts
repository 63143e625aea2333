import { assertSecond } from '#desk/second/assert-second.ts'
import { reasonInLog, writeClient } from '#desk/verbs/client-letter.ts'
import { lockAccountById } from '#identity/accounts.ts'
import { removeCodes } from '#identity/sign-in/two-factor/recovery-codes.ts'
import { setEnabled } from '#identity/sign-in/two-factor/two-factor.ts'
import { endSessions } from '#identity/staff-registry.ts'
import { noteAct } from '#notifications/account-log.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

/**
 * Turns off the second factor of a client who lost it, and ends their sessions. Throws `recent_sign_in_required`,
 * `second_person_required`, `two_factor_off`.
 */
export async function resetSecondFactor(context: Context, { row }: { readonly row: RowOf<'clients'> }) {
  assertRecentSignIn(context)
  assertSecond(context)
  const { tx, now } = context
  const { auth_id: accountId } = row
  if (accountId === null) throw refuse('two_factor_off')
  // Locked first, as when its owner turns it on, which avoids deadlocks.
  await lockAccountById(tx, accountId)
  const totp = await tx
    .selectFrom('auth_totp')
    .select('enabled_at')
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  if (!totp?.enabled_at) throw refuse('two_factor_off')
  await setEnabled({ tx, now }, accountId, false)
  await removeCodes(tx, accountId)
  await noteAct({ tx, now }, { kind: 'two-factor-disabled', owner: row.id, about: '' })
  const reason = await reasonInLog(tx)
  await writeClient(context, row.id, (about) => ({ kind: 'two-factor-reset', ...about, reason }))
  return { ended: await endSessions({ tx, now }, accountId) }
}

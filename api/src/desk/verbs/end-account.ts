import { assertFewStops } from '#desk/panels/few-stops.ts'
import { assertSecond } from '#desk/second/assert-second.ts'
import { emailKey } from '#identity/accounts.ts'
import { noteAct } from '#notifications/account-log.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { erasedFrom } from '#privacy/close-account.ts'
import { endWithSignIn } from '#privacy/closing.ts'
import { requestExport } from '#privacy/data-exports.ts'
import { eraseAccount, isUnbilled } from '#privacy/erase-account.ts'
import { clientStatus, mayAct } from '#reference/client-status.ts'
import { reasonInLog, writeClient } from './client-letter.ts'

type Client = { readonly row: RowOf<'clients'> }

/**
 * Prepares the copy of a client's data, which they alone can download. Throws `client_not_active`, and like
 * `requestExport`.
 */
export async function exportData({ tx, now }: Context, { row }: Client): Promise<{ status: 'queued' }> {
  if (!mayAct.some((status) => status === row.status)) throw refuse('client_not_active')
  await requestExport(tx, row.id, now, true)
  return { status: 'queued' }
}

/**
 * Closes the account of a client who asks for it. Throws `recent_sign_in_required`, `client_closed`, like `assertFewStops`, and like
 * `endAccount`.
 */
export async function closeClient(context: Context, { row }: Client): Promise<{ status: number }> {
  assertRecentSignIn(context)
  await assertFewStops(context)
  if (row.status === clientStatus.closed) throw refuse('client_closed')
  const { tx, now } = context
  const reason = await reasonInLog(tx)
  const erased = erasedFrom(now)
  // Before the end, because the log of the account is kept by its sign-in.
  await noteAct({ tx, now }, { kind: 'account-closed', owner: row.id, about: '' })
  await writeClient(context, row.id, (about) => ({
    kind: 'account-closed-by-staff',
    ...about,
    reason,
    erased,
  }))
  await endWithSignIn(context, { clientId: row.id, accountId: row.auth_id })
  return { status: clientStatus.closed }
}

/**
 * Erases a closed account at once. Throws `recent_sign_in_required`, `second_person_required`, `client_not_closed`,
 * `client_email_differs`, `client_use_unbilled`.
 */
export async function eraseClient(
  context: Context,
  { row, input: { email } }: Client & { readonly input: { readonly email: string } },
): Promise<{ erased_at: string }> {
  assertRecentSignIn(context)
  assertSecond(context)
  const { tx, now } = context
  if (row.status !== clientStatus.closed || row.erased_at !== null) throw refuse('client_not_closed')
  if (emailKey(row.email) !== emailKey(email))
    throw refuse('client_email_differs', {}, { source: { pointer: '/email' } })
  if (await isUnbilled(tx, row.id)) throw refuse('client_use_unbilled')
  await eraseAccount(tx, row.id, now)
  return { erased_at: now.toISOString() }
}

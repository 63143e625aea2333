import { lockAccountById } from '#identity/accounts.ts'
import { sendConfirmation } from '#identity/registration/confirmation.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'

/**
 * Sends the link that confirms the address of a client again. Throws `client_not_active`, `client_email_confirmed`,
 * `letters_most`.
 */
export async function resendConfirmation(
  { tx, now, vault, ip }: Context,
  { row }: { readonly row: RowOf<'clients'> },
): Promise<{ status: 'queued' }> {
  if (row.auth_id === null) throw refuse('client_not_active')
  const account = await lockAccountById(tx, row.auth_id)
  if (!account.may_act) throw refuse('client_not_active')
  if (account.verified_at !== null) throw refuse('client_email_confirmed')
  const work = { tx, now, vault, origin: { ip, userAgent: undefined } }
  if (!(await sendConfirmation(work, account, account.email))) throw refuse('letters_most')
  return { status: 'queued' }
}

import { changeCurrency } from '#accounts/currency.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { clientStatus } from '#reference/client-status.ts'

type Given = { readonly row: RowOf<'clients'>; readonly input: { readonly currency: string } }

/**
 * The action of billing staff that changes the currency of an account before anything is kept in it. Throws
 * `recent_sign_in_required`, `client_closed`, and like `changeCurrency`.
 */
export function changeCurrencyOf(context: Context, given: Given): Promise<{ currency: string }> {
  assertRecentSignIn(context)
  if (given.row.status === clientStatus.closed) throw refuse('client_closed')
  return changeCurrency(context, given)
}

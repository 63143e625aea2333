import type { billingPolicies } from '@portico/contract/resources/billing-policies.ts'
import type { currencyPolicies } from '@portico/contract/resources/currency-policies.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

type Days = z.output<(typeof billingPolicies.actions)['editPolicy']['input']>
type Amounts = z.output<(typeof currencyPolicies.actions)['editAmounts']['input']>

/** Has every account evaluated by the new rules within minutes, instead of at its next change or the end of the day. */
async function evaluateAll(tx: Database): Promise<void> {
  await sql`update account_balances set evaluate_due = true where not evaluate_due`.execute(tx)
}

/** The action of administrators that changes the rules of debts and trials. Throws `recent_sign_in_required`, `policy_suspend_order`. */
export async function editPolicy(context: Context, { input }: { readonly input: Days }) {
  assertRecentSignIn(context)
  await context.tx.updateTable('billing_policies').set(input).execute()
  await evaluateAll(context.tx)
  return { suspend_days: input.suspend_days }
}

/**
 * The action of administrators that changes the amounts of a currency. Throws `recent_sign_in_required`, and a refusal for
 * amounts that contradict each other.
 */
export async function editAmounts(
  context: Context,
  { row, input }: { readonly row: RowOf<'currency_policies'>; readonly input: Amounts },
) {
  assertRecentSignIn(context)
  const { quick_amounts, ...amounts } = input
  const exact = Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, String(value)]))
  const { currency } = await context.tx
    .updateTable('currency_policies as q')
    .from('currencies as c')
    .set({ ...exact, quick_amounts: quick_amounts.map(String) })
    .whereRef('c.id', '=', 'q.currency_id')
    .where('q.currency_id', '=', row.currency_id)
    .returning('c.code as currency')
    .executeTakeFirstOrThrow()
  await evaluateAll(context.tx)
  return { currency }
}

import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { priceView } from './price-view.ts'

/**
 * The price of a plan for a month as the actor may know it: null where the account has prices of its own that they may not
 * know. Undefined: the plan has no price in the currency of the account.
 */
export async function knownPrice(
  context: Context,
  { client, plan }: { readonly client: number; readonly plan: number },
): Promise<{ currency: string; monthly: string | null } | undefined> {
  const { currency = '', shown, client: priced } = await priceView(context, client)
  const { rows } = await sql<{ monthly: string }>`
    select monthly from plan_price(${priced}, ${currency}, ${plan}, clock_today())`.execute(context.tx)
  const [row] = rows
  return row && { currency, monthly: shown ? row.monthly : null }
}

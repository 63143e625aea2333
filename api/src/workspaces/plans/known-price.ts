import { readsGroup } from '@portico/contract/rules/api-key-scopes.ts'
import { sql } from 'kysely'
import type { Actor, Context } from '#platform/context.ts'

const readsBilling = ({ owners, key }: Actor, client: number): boolean =>
  owners('billing').includes(client) && (key === undefined || readsGroup(key.scopes, 'billing'))

/**
 * The price of a plan for a month as the actor may know it. Without access to the billing of the account it is known only
 * while the account has no prices of its own. Undefined: the plan has no price for the account.
 */
export async function knownPrice(
  { tx, actor }: Context,
  { client, plan }: { readonly client: number; readonly plan: number },
): Promise<{ currency: string; monthly: string | null } | undefined> {
  const { rows } = await sql<{ currency: string; monthly: string; special: boolean }>`
    select u.code as currency, f.monthly,
      exists (select from client_price_lists o where o.client_id = c.id and o.valid @> clock_today()) as special
    from clients c join currencies u on u.id = c.currency_id
    cross join lateral plan_price(c.id, u.code, ${plan}, clock_today()) f where c.id = ${client}`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  const { currency, monthly, special } = row
  return { currency, monthly: special && !readsBilling(actor, client) ? null : monthly }
}

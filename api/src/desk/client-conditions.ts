import type { clientFilter } from '@portico/contract/resources/desk-clients.ts'
import { type Expression, type SqlBool, sql } from 'kysely'
import type * as z from 'zod/mini'
import { notStaff } from '#staff/roles.ts'
import { waitingPlans } from '#workspaces/plans/waiting-plans.ts'
import { isFound, trialEnds } from './search.ts'

/** By what the list of clients is narrowed. */
export type ClientFilter = z.output<typeof clientFilter>

/** The condition of each filter; the list and its exports share them. */
export const clientConditions: Record<
  keyof ClientFilter,
  (value: Expression<string>) => Expression<SqlBool>
> = {
  search: (text) => isFound('clients', text),
  status: (value) => sql`clients.status = ${value}::int`,
  country: (value) => sql`clients.id in (select e.client_id from client_entities e
    where e.country_id = (select o.id from countries o where o.code = ${value}))`,
  currency: (value) => sql`clients.currency_id = (select u.id from currencies u where u.code = ${value})`,
  list: (value) => sql`clients.id in (select x.client_id from client_price_lists x
    join price_lists l on l.id = x.price_list_id where l.code = ${value} and x.valid @> clock_today())`,
  owing: (value) => sql`(clients.id in (select b.client_id from account_balances b
    where b.account_balance + b.credit_balance < 0)) = ${value}::boolean`,
  plan_waits: (value) => sql`(clients.id in (select w.client_id from ${waitingPlans} w)) = ${value}::boolean`,
  flag: (value) => sql`clients.flags <> '{}' and clients.flags @> array[${value}]::text[]`,
  trial: (value) =>
    sql`(clients.trial_ended_on is null and clients.trial_ends_at is not null) = ${value}::boolean`,
  // A trial may have no end.
  trial_ends: (value) => sql`coalesce(${trialEnds('clients')}, false) = ${value}::boolean`,
}

/** SQL: whether a row of `clients` is in the list with these filters. */
export function isListed(filter: ClientFilter): Expression<SqlBool> {
  const asked = Object.entries(filter).flatMap(([name, value]) =>
    // The filter has no other names, and what is absent narrows nothing.
    value === undefined ? [] : [clientConditions[name as keyof ClientFilter](sql`${value}::text`)],
  )
  return sql`${sql.join([notStaff('clients'), ...asked], sql` and `)}`
}

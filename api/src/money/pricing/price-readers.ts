import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor } from '#platform/context.ts'
import { nobody, type Rule } from '#platform/jsonapi/declare/policy.ts'
import type { SymbolicActor } from '#platform/jsonapi/declare/symbolic-actor.ts'

const billed = ({ owners }: Actor): number[] => [...owners('billing')]

const accounts = (actor: SymbolicActor): Expression<number[]> => actor.numbers(billed)

/** The price lists by which the accounts are charged that the actor reads the billing of. */
const listed = (list: string, actor: SymbolicActor) =>
  sql<SqlBool>`${sql.ref(list)} in (select price_lists_of(${accounts(actor)}))`

/** Plans whose prices such a reader may know: those that are offered, and those that a panel of the account has or had. */
const known = (plan: string, actor: SymbolicActor) =>
  sql<SqlBool>`(${sql.ref(plan)} in (select id from plans where state = 'offered')
    or ${sql.ref(plan)} in (select plans_held(${accounts(actor)})))`

type Priced = 'price_lists' | 'plan_price_rows' | 'price_rows'

/** Prices are read by those who read the billing of an account that is charged by them, and by staff. */
export const chargedByIt = <T extends Priced>(
  table: T,
  { list, plan, anyPlan = false }: { list: string; plan?: string; anyPlan?: boolean },
): Rule<T> => ({
  ...nobody,
  table,
  shared: (actor) => {
    if (plan === undefined) return listed(list, actor)
    const ofPlan = anyPlan
      ? sql<SqlBool>`(${sql.ref(plan)} is null or ${known(plan, actor)})`
      : known(plan, actor)
    return sql<SqlBool>`(${listed(list, actor)} and ${ofPlan})`
  },
  guestsOnly: false,
  staff: () => sql<SqlBool>`true`,
})

/** The filter by the account that is charged, which finds nothing where the actor does not read its billing. */
export const chargedAccount =
  (list: string) =>
  (_: unknown, client: Expression<string>, actor: SymbolicActor): Expression<SqlBool> => {
    const lists = sql<SqlBool>`${sql.ref(list)} in (select price_lists_of(array[${client}::int8]))`
    return actor.staff ? lists : sql<SqlBool>`(${client}::int8 = any(${accounts(actor)}) and ${lists})`
  }

/** The binding that both kinds of prices have in common. */
export const priceFilters = (table: 'plan_price_rows' | 'price_rows') => ({
  client_id: chargedAccount(`${table}.price_list_id`),
  on: (_: unknown, day: Expression<string>) =>
    sql<SqlBool>`daterange(${sql.ref(`${table}.valid_from`)}, ${sql.ref(`${table}.valid_to`)}) @> ${day}::date`,
})

/** Prices belong to an account and to none of its workspaces, so a key that is limited to one reads none. */
export const priceKeys = { group: 'billing', alsoReadBy: ['usage'] } as const

import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor } from '#platform/context.ts'
import { nobody, type Rule } from '#platform/jsonapi/declare/policy.ts'
import type { SymbolicActor } from '#platform/jsonapi/declare/symbolic-actor.ts'

type Clients = Expression<number[]>

/** The accounts whose billing the actor reads. */
export const billed = (actor: SymbolicActor): Clients =>
  actor.numbers(({ owners }: Actor): number[] => [...owners('billing')])

/** The columns of a price: of its list, and of its plan where it has one. `anyPlan`: null counts for every plan. */
type Columns = { readonly list: string; readonly plan?: string; readonly anyPlan?: boolean }

/**
 * Prices by which some of these accounts are charged: of their lists, and of plans that are offered or that a
 * panel of theirs has or had.
 */
function chargedTo({ list, plan, anyPlan = false }: Columns, clients: Clients): Expression<SqlBool> {
  const listed = sql<SqlBool>`${sql.ref(list)} in (select price_lists_of(${clients}))`
  if (plan === undefined) return listed
  const known = sql<SqlBool>`(${sql.ref(plan)} in (select id from plans where state = 'offered')
    or ${sql.ref(plan)} in (select plans_held(${clients})))`
  return anyPlan
    ? sql<SqlBool>`(${listed} and (${sql.ref(plan)} is null or ${known}))`
    : sql<SqlBool>`(${listed} and ${known})`
}

type Priced = 'price_lists' | 'plan_price_rows' | 'price_rows'

/** Prices are read by those who read the billing of an account that is charged by them, and by staff. */
export const chargedByIt = <T extends Priced>(table: T, columns: Columns): Rule<T> => ({
  ...nobody,
  table,
  shared: (actor) => chargedTo(columns, billed(actor)),
  guestsOnly: false,
  staff: () => sql<SqlBool>`true`,
})

/** The filter by the account that is charged, which finds nothing where the actor does not read its billing. */
export const chargedAccount =
  (columns: Columns) =>
  (_: unknown, client: Expression<string>, actor: SymbolicActor): Expression<SqlBool> => {
    const charged = chargedTo(columns, sql<number[]>`array[${client}::int8]`)
    return actor.staff ? charged : sql<SqlBool>`(${client}::int8 = any(${billed(actor)}) and ${charged})`
  }

/** The filter by a UTC day on which a price counts. */
export const countsOn = (table: 'plan_price_rows' | 'price_rows') => (_: unknown, day: Expression<string>) =>
  sql<SqlBool>`daterange(${sql.ref(`${table}.valid_from`)}, ${sql.ref(`${table}.valid_to`)}) @> ${day}::date`

/** Prices belong to an account and to none of its workspaces, so a key that is limited to one reads none. */
export const priceKeys = { group: 'billing', alsoReadBy: ['usage'] } as const

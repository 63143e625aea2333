import { readsGroup } from '@portico/contract/rules/api-key-scopes.ts'
import { sql } from 'kysely'
import type { Actor, Context } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { throughWorkspace } from '#sharing/reach.ts'

/** The prices that a reader is shown. */
export type PriceView = {
  /** The account whose own prices count; 0: none, so the default ones do. */
  readonly client: number
  readonly currency: string | undefined
  /** False where the account has prices of its own, today or to come, that the reader may not know. */
  readonly shown: boolean
}

/** The default prices, for those of whom nothing is known. */
const publicPrices: PriceView = { client: 0, currency: undefined, shown: true }

/** Whether the actor sees what an account has and pays. */
export const readsBilling = ({ owners, key }: Actor, client: number): boolean =>
  owners('billing').includes(client) && (key === undefined || readsGroup(key.scopes, 'billing'))

/** Whether the actor may ask for the prices of an account: they read its billing, or add panels to its workspaces. */
export const asksPrices = (actor: Actor, client: number): boolean =>
  client === actor.id || readsBilling(actor, client) || throughWorkspace.somewhere(actor, client)

/**
 * The prices of an account that the actor may know, by default their own. Throws `panels_add_not_allowed` for
 * an account whose billing they do not read and where they add no panels, whether it exists or not.
 */
export async function priceView({ tx, actor }: Context, asked: number | undefined): Promise<PriceView> {
  const client = asked ?? actor.id
  if (asked === undefined && client === 0) return publicPrices
  if (!asksPrices(actor, client))
    throw refuse(
      'panels_add_not_allowed',
      { owner: { en: 'the owner', ro: 'proprietarul' } },
      { source: { parameter: 'payload.client_id' } },
    )
  const billing = readsBilling(actor, client)
  const { rows } = await sql<{ currency: string; special: boolean }>`select u.code as currency,
      exists (select from client_price_lists o where o.client_id = c.id and o.valid && daterange(clock_today(), null)) as special
    from clients c join currencies u on u.id = c.currency_id where c.id = ${client}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error(`There is no client ${client}.`)
  return { client: billing ? client : 0, currency: row.currency, shown: billing || !row.special }
}

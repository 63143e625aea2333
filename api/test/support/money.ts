import { sql } from 'kysely'
import { amount } from '#money/ledger/amount.ts'
import { clientAccount, currencyOf, entries } from '#money/ledger/entries.ts'
import { post } from '#money/ledger/post.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import type { Account } from './account.ts'

/** Sets the business clock of a database to a moment, from which it goes on. */
export async function businessTime(pool: Pool, at: string): Promise<void> {
  await sql`update clock set ahead = ${at}::timestamptz - now()`.execute(pool.kysely)
}

let moves = 0

/** Moves what a client has prepaid, by an exact decimal of either sign, as of a UTC day. */
export async function movedBalance(pool: Pool, clientId: number, by: string, on: string): Promise<void> {
  const currency = await currencyOf(pool.kysely, clientId)
  await post(pool.kysely, {
    key: `moved:${++moves}`,
    kind: 'correction',
    clientId,
    currency,
    on,
    entries: entries(
      [clientAccount(clientId, 'balance'), amount(by)],
      [`bank:${currency}`, amount(by).neg()],
    ),
  })
}

/**
 * Has a client's panel use so much on each of some UTC days, and the use rated and charged: a unit of it costs one, by a
 * price list of the client's own. Of what was used before it is so much more that came late, or less when it is below zero.
 */
export async function used(
  db: Database,
  { id, panels }: Account,
  days: readonly string[],
  amount: string,
  { resource = 'panel', charged = true }: { resource?: string; charged?: boolean } = {},
): Promise<void> {
  await sql`with list as (insert into price_lists (code, currency) values ('ones', 'USD') on conflict do nothing returning id)
    insert into prices (price_list_id, meter_id, valid, unit_price)
    select list.id, meters.id, '[2020-01-01,)', 1 from list, meters`.execute(db)
  await sql`insert into client_price_lists (client_id, price_list_id, valid)
    select ${id}, l.id, '[2020-01-01,)' from price_lists l where l.code = 'ones'
      and not exists (select from client_price_lists c where c.client_id = ${id})`.execute(db)
  await sql`insert into usage_meter_days as d (usage_on, panel_id, resource_ref, meter_id, quantity, events)
    select day, ${panels[0]}, ${resource}, id, ${amount}::numeric, 1
    from unnest(${[...days]}::date[]) day, meters where code = 'panel_hours'
    on conflict (usage_on, panel_id, resource_ref, meter_id)
      do update set quantity = d.quantity + excluded.quantity, events = d.events + 1, dirty = true`.execute(
    db,
  )
  await sql`select usage_rate(5000)`.execute(db)
  if (charged) for (const on of days) await sql`select charge_client_day(${id}, ${on})`.execute(db)
}

/** Posts what only staff may post, under an action of theirs. */
export async function byStaff<T>(tx: Database, work: () => Promise<T>): Promise<T> {
  await sql`select own_action('a test', 'sql')`.execute(tx)
  return work()
}

/** What the ledger has of a client: their balance and transactions, and of everybody the transactions that do not add up. */
export async function booksOf(db: Database, client: Account) {
  const { rows } = await sql<{ balance: string; entries: number; wrong: number }>`
    select (select trim_scale(account_balance)::text from account_balances where client_id = ${client.id}) as balance,
      (select count(*)::int from ledger_transactions where client_id = ${client.id}) as entries,
      (select count(*)::int from (select transaction_id from ledger_entries group by 1 having sum(amount) <> 0) x) as wrong`.execute(
    db,
  )
  return rows[0]
}

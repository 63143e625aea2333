import { sql } from 'kysely'
import type { Pool } from '../../src/db/pool.ts'
import { amount } from '../../src/ledger/amount.ts'
import { clientAccount, currencyOf, entries } from '../../src/ledger/entries.ts'
import { post } from '../../src/ledger/post.ts'

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

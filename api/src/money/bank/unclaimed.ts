import { sql } from 'kysely'
import { alertStaff, resolveAlert } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'

const kind = 'bank_money_unknown'
const about = 'bank lines'

/** Alerts staff while money stands at the bank of which it is not certain whose it is, or whether it is new. */
export async function alertUnclaimed(tx: Database): Promise<void> {
  const { rows } = await sql<{ currency: string; lines: number; amount: string }>`
    select currency, count(*)::int as lines, sum(amount) as amount from bank_lines
    where state = 'doubtful' or state = 'open' and match <> 'certain' group by currency order by currency`.execute(
    tx,
  )
  if (rows.length === 0) return resolveAlert(tx, about, kind)
  const amount = rows.map((row) => `${row.amount} ${row.currency}`)
  const lines = rows.reduce((sum, row) => sum + row.lines, 0)
  await alertStaff(tx, about, kind, { lines, amount })
}

import { sql } from 'kysely'
import { alertStaff, resolveCase } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'

const kind = 'transfer_unseen'
const about = 'bank transfers'

/** A bank books money up to so many days after the payer's day, which staff may have typed. */
const bookedWithinDays = 3

const mostNamed = 20

/**
 * Alerts staff to transfers that a person recorded by hand and that no imported line shows, once the statements reach beyond
 * their days: one member of staff alone could pay a client with money that never came.
 */
export async function alertUnseen(tx: Database): Promise<void> {
  const { rows } = await sql<{ id: number; amount: string }>`
    select p.id, p.gross || ' ' || p.currency as amount from payments p
    where p.provider = 'bank' and p.bank_line_id is null and p.recorded_by is not null and p.status <> 'refunded'
      and exists (select from bank_statements s where s.taken_back_at is null and s.currency = p.currency
        and s.from_day <= p.received_on)
      and exists (select from bank_statements s where s.taken_back_at is null and s.currency = p.currency
        and s.to_day >= p.received_on + ${bookedWithinDays}::int)
      and not exists (select from bank_lines l where l.payment_id = p.id)
    order by p.id limit ${mostNamed}`.execute(tx)
  if (rows.length === 0) return resolveCase(tx, about, kind)
  const payments = rows.map(({ id }) => `${id}`)
  await alertStaff(tx, about, kind, { payments, amount: rows.map(({ amount }) => amount) })
}

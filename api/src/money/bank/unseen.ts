import { sql } from 'kysely'
import { alertStaff, resolveAlert } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'
import { moneyWriters } from '#sharing/reach.ts'
import { isByHand } from './by-hand.ts'
import type { Resolved } from './readings/answers.ts'

const kind = 'transfer_unseen'
const about = 'bank transfers'

/** A bank books money up to so many days after the payer's day, which staff may have typed. */
const bookedWithinDays = 3

/** So many days without a line between two files may be a weekend with a holiday; in more of them a file may be missing. */
const quietDays = 3

/** A file that was not imported after so many days will not be, or no money came. */
const awaitedDays = 35

const mostNamed = 20

/** SQL: whether the imported files `c` reach over the days on which the bank may have booked a transfer `p`, without a gap. */
const isCovered = sql<boolean>`(c.days @> daterange(p.received_on, p.received_on + ${sql.lit(bookedWithinDays + quietDays + 1)})
  or p.received_on + ${sql.lit(awaitedDays)} < operator_today() and lower(c.days) <= p.received_on
    and upper(c.days) > p.received_on + ${sql.lit(bookedWithinDays + quietDays)})`

/** SQL: whether nobody but the recorder of a transfer `p` works with money; then what they do alone has to do. */
const isAlone = sql<boolean>`not exists (select from admins a
  where a.id <> p.recorded_by and a.disabled_at is null and a.role = any(${[...moneyWriters.roles]}))`

/** SQL: whether a line shows a transfer `p`, of a file that somebody else imported too: anybody can write a file. */
const isShown = sql<boolean>`exists (select from bank_lines l join bank_statements s on s.id = l.statement_id
  where l.payment_id = p.id and (s.admin_id <> p.recorded_by or l.shown_by <> p.recorded_by or ${isAlone}))`

/** SQL: whether a colleague has explained the alert of a transfer `p` after it was refunded, for which no line may ever come. */
const isExplained = sql<boolean>`p.status = 'refunded' and exists (select from staff_alerts a
  where a.kind = ${sql.lit(kind)} and a.detail -> 'payments' @> to_jsonb(p.id::text)
    and (a.resolved_by_admin_id <> p.recorded_by or a.resolved_by_admin_id is not null and ${isAlone})
    and a.resolved_at > (select max(r.updated_at) from payment_refunds r where r.payment_id = p.id))`

/**
 * Alerts staff to transfers that a person recorded by hand and that no line of a colleague's import shows, once the statements
 * reach beyond their days: one member of staff alone could pay a client with money that never came.
 */
export async function alertUnseen(tx: Database): Promise<void> {
  const { rows } = await sql<{ id: number; amount: string }>`
    with c as materialized (
      select currency, range_agg(daterange(from_day, to_day + ${sql.lit(quietDays + 1)})) as days
      from bank_statements where taken_back_at is null and from_day is not null group by currency)
    select p.id, p.gross || ' ' || p.currency as amount from payments p join c on c.currency = p.currency
    where ${isByHand} and ${isCovered} and not ${isShown} and not (${isExplained})
    order by p.id desc limit ${mostNamed}`.execute(tx)
  if (rows.length === 0) return resolveAlert(tx, about, kind)
  const payments = rows.map(({ id }) => `${id}`)
  await alertStaff(tx, about, kind, { payments, amount: rows.map(({ amount }) => amount) })
}

/** Notes that somebody else imported a file with lines that show transfers recorded by hand. */
export async function noteShown(tx: Database, adminId: number, lines: readonly Resolved[]): Promise<void> {
  const money = lines.flatMap((one) => (one.is === 'same' ? [one.money] : []))
  await sql`update bank_lines l set shown_by = ${adminId} from payments p, bank_statements s
    where l.id = any(${money}::bigint[]) and p.id = l.payment_id and p.bank_line_id is null and p.recorded_by <> ${adminId}
      and s.id = l.statement_id and s.admin_id <> ${adminId}`.execute(tx)
}

import { sql } from 'kysely'
import { isNotLeft } from '#money/bank/own-imports.ts'
import { bankReference } from '#money/bank/references.ts'
import { isOwedBill, statusIds } from '#money/invoice-statuses.ts'
import type { Database } from '#platform/db/pool.ts'

/** An open certain line that pays a whole proforma of a client who owes no bill, with that proforma. */
export type PlainLine = {
  readonly id: number
  readonly amount: string
  readonly currency: string
  readonly booked_on: string
  /** The name of its payment. */
  readonly reference: string
  readonly client_id: number
  readonly proforma_id: number
  readonly buyer: unknown
  readonly locale: string
  readonly po_number: string | null
  /** By which the proforma asked for the money. */
  readonly vat_treatment: string
}

/** The lines after one, bank_lines.id, and how many at most. */
export type Asked = {
  readonly statementId: number | undefined
  /** Who asks. */
  readonly adminId: number | null
  readonly after: number
  readonly most: number
}

/** The lines that need no decision by the way, and the last of all that were looked at; undefined when none was left. */
type Locked = {
  readonly plain: readonly PlainLine[]
  readonly last: number | undefined
  readonly more: boolean
}

/** Locks certain lines, oldest first, and skips those that are being decided elsewhere. */
async function lockLines(tx: Database, { statementId, adminId, after, most }: Asked): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from bank_lines
    where state = 'open' and match = 'certain' and id > ${after} and ${isNotLeft(adminId)}
      and ${statementId === undefined ? sql`true` : sql`statement_id = ${statementId}`}
    order by id limit ${most} for update skip locked`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Locks the accounts of the clients whose proformas these lines pay, in the order of their ids as every posting does. */
async function holdPayers(tx: Database, lines: readonly number[]): Promise<void> {
  await sql`select from ledger_accounts where client_id in (
      select i.client_id from bank_lines l join invoices i on i.id = (l.candidates -> 0 ->> 'invoice')::bigint
      where l.id = any(${[...lines]}::bigint[]))
    order by id for no key update`.execute(tx)
}

/** The first row of each value of a column. */
const firstOfEach = <R>(rows: readonly R[], column: keyof R): R[] =>
  [...new Map(rows.toReversed().map((row) => [row[column], row])).values()].toReversed()

/**
 * The certain lines, among the next ones, that need no decision by the way: each pays one proforma whole, and nothing else of its client.
 * They, the accounts of their clients and the proformas are locked. The other lines are left to `confirmNext`.
 */
export async function lockPlainLines(tx: Database, asked: Asked): Promise<Locked> {
  const lines = await lockLines(tx, asked)
  const found = { last: lines.at(-1), more: lines.length === asked.most }
  if (lines.length === 0) return { ...found, plain: [] }
  await holdPayers(tx, lines)
  const { rows } = await sql<PlainLine>`
    select l.id, l.amount, l.currency, l.booked_on, coalesce(${bankReference}, '#' || l.id) as reference, i.client_id, i.id as proforma_id, i.buyer, i.locale, i.po_number,
      i.vat_treatment
    from bank_lines l
    join invoices i on i.id = (l.candidates -> 0 ->> 'invoice')::bigint
    join clients c on c.id = i.client_id and c.closed_at is null
    join currencies m on m.id = c.currency_id and m.code = l.currency
    where l.id = any(${lines}::bigint[]) and i.kind = 'proforma' and i.issued_at is not null and i.currency = l.currency
      and i.total = l.amount and i.paid = 0 and i.credited = 0
      and i.invoice_status_id in ${statusIds('unpaid', 'overdue', 'expired')}
      and l.booked_on between operator_today() - interval '1 year' and operator_today()
      and not exists (select from invoices f where f.proforma_id = i.id)
      and not exists (select from payments p where p.proforma_id = i.id)
      and not exists (select from payments p where p.provider = 'bank'
        and p.provider_ref = coalesce(${bankReference}, '#' || l.id))
      and not exists (select from invoices b where b.client_id = i.client_id and ${isOwedBill('b')}
        and b.total - b.credited - b.paid > 0)
    order by l.id for update of i`.execute(tx)
  // A bank may use one reference for several payments, and several may be for one proforma; only the first of these lines is plain.
  const plain = firstOfEach(firstOfEach(rows, 'reference'), 'proforma_id')
  return { ...found, plain }
}

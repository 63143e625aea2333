import { sql } from 'kysely'
import type { Statement } from '#money/bank/files/statement.ts'
import type { Database } from '#platform/db/pool.ts'
import type { StoredLine } from './line-names.ts'

/**
 * SQL: whether the import `s` was taken back and its file was not read again, which gives the lines that stayed their right day.
 */
export const isMisread = sql<boolean>`(s.taken_back_at is not null and not exists (select from bank_statements o
  where o.taken_back_at is null and s.sha256 = sha256(o.sha256 || convert_to(s.id::text, 'UTF8'))))`

/**
 * The lines, oldest first, that earlier files had under the references of this one or by whose names they are taken, and those of its
 * days that a fingerprint names and whose reference is known, without some rows.
 */
export async function storedLines(
  tx: Database,
  { iban, lines }: Statement,
  without: readonly number[] = [],
): Promise<StoredLine[]> {
  const references = [...new Set(lines.flatMap(({ reference }) => reference ?? []))]
  const days = [...new Set(lines.map(({ day }) => day))]
  const { rows } = await sql<StoredLine>`
    select l.reference as name, coalesce(l.bank_reference, l.reference) as reference, l.booked_on as day, l.amount, l.currency,
      l.payer_name as payer, l.payer_iban as "payerIban", l.text, s.format,
      case when ${isMisread} then s.created_at::date::text end as "misreadUntil"
    from bank_lines l join bank_statements s on s.id = l.statement_id
    where l.iban = ${iban} and l.state <> 'taken_back' and l.id <> all(${without}::bigint[])
      and (coalesce(l.bank_reference, l.reference) = any(${references}::text[]) or l.reference = any(${references}::text[])
        or l.booked_on = any(${days}::date[]) and l.reference like '#%' and l.bank_reference is not null)
    order by l.id`.execute(tx)
  return rows
}

import { type RawBuilder, sql } from 'kysely'
import { takenBackStatuses } from '#money/invoice-statuses.ts'
import { isRefused } from '#money/invoices/documents/refused.ts'
import type { Database } from '#platform/db/pool.ts'

/** The country of the office. */
export const officeCountry = 'RO'

/** An alert names so many documents. */
export const mostNamed = 20

/** The working days after its issue within which a document must be sent. */
const deadlineDays = 5

/** A document is late when its file was made late; older ones are taken when sending is switched on. */
const lookedBackDays = 30

/**
 * SQL: whether a document `i` must be sent: an invoice or credit note of a seller here to a buyer here, or taxed here. Of
 * others the place of supply is elsewhere.
 */
const isDue = sql`i.kind in ('fiscal', 'credit_note') and i.issued_at is not null
  and i.seller ->> 'country' = ${sql.lit(officeCountry)} and (i.buyer ->> 'country' = ${sql.lit(officeCountry)}
    or jsonb_path_exists(i.vat_groups, '$[*] ? (@.country == "RO" && @.category == "S")'))`

/**
 * Puts the documents that must be sent on the list; `all` takes every one from the day from which they are sent, and `only` this
 * one, however old.
 */
export async function collectDocuments(
  db: Database,
  { all = false, only = null }: { readonly all?: boolean; readonly only?: number | null } = {},
): Promise<void> {
  await sql`insert into e_invoices (environment, invoice_id, client_id, due_on)
    select o.environment, i.id, i.client_id, working_day_after(${officeCountry}, i.issue_date, ${deadlineDays})
    from tax_offices o join invoices i on i.xml_key is not null
      and i.issue_date >= greatest(o.from_day, case when ${all || only !== null}::boolean then o.from_day else operator_today() - ${lookedBackDays}::int end)
    where o.in_use and o.is_on and ${isDue} and i.id = coalesce(${only}::int8, i.id)
      and not exists (select from e_invoices e where e.environment = o.environment and e.invoice_id = i.id)
    order by i.id on conflict do nothing`.execute(db)
}

/** SQL: whether a document i was taken back whole. */
export const isTakenBack = sql<boolean>`(i.kind = 'fiscal' and i.invoice_status_id in ${takenBackStatuses})`

/** SQL: whether a document i is the credit note, with the same details, of one that the office does not have either. */
export const isOfRefused = sql<boolean>`exists (select from invoices where invoices.id = i.corrects_id and ${isRefused})`

/** SQL: whether a document i that the office does not take is still to be corrected, or to be sent again. */
export const isUncorrected = sql`not ${isTakenBack} and not ${isOfRefused}`

/** SQL: whether the office has still to say that it accepts or rejects a document. One that was sent may wait for that without end. */
export const isUnanswered = (state: RawBuilder<unknown>) =>
  sql<boolean>`${state} not in ('accepted', 'rejected')`

/** Documents that must be sent and have no electronic invoice, because they violate its rules, until they are corrected. */
export async function unsendable(db: Database): Promise<{ documents: number; numbers: string[] }> {
  const { rows } = await sql<{
    all: number
    full_number: string
  }>`select count(*) over ()::int as all, i.full_number
    from tax_offices o join invoices i on i.pdf_key is not null and i.xml_key is null
      and i.issue_date >= o.from_day
    where o.in_use and o.is_on and ${isDue} and ${isUncorrected} order by i.id limit ${mostNamed}`.execute(db)
  return { documents: rows[0]?.all ?? 0, numbers: rows.map(({ full_number }) => full_number) }
}

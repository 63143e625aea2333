import { sql } from 'kysely'
import { type AccountingFile, isFiscal } from '#money/exports/accounting-file.ts'
import {
  declaredOn,
  declaredParts,
  oneStopShopOf,
  quarterOf,
  vatOf,
  within,
} from '#money/exports/vat-files.ts'
import type { Database } from '#platform/db/pool.ts'
import { salesOf } from './money-files.ts'

// The sums of documents, one row for each day: a year of a large portal is a million documents.

/**
 * Computes what the documents of a day add up to, and replaces what was there. Documents that are only posted on the day have one row, not
 * one for each tax point: the returns have them by their own days.
 */
export async function fillDocuments(tx: Database, day: string): Promise<void> {
  const today = sql`${day}::date`
  await sql`delete from report_vat where day = ${today}`.execute(tx)
  await sql`insert into report_vat (day, country, category, rate, currency, local_currency, abroad, of_quarter, declared_on,
      documents, net, vat, net_local, vat_local, posted)
    select ${today}, country, category, rate, currency, local_currency, coalesce(country <> home, false), case when counts then coalesce(of_quarter, '') else '' end,
      case when counts then nullif(declared_on, ${today}) end, count(*) filter (where counts and is_first), coalesce(sum(net) filter (where counts), 0),
      coalesce(sum(vat) filter (where counts), 0), coalesce(sum(net_local) filter (where counts), 0),
      coalesce(sum(vat_local) filter (where counts), 0), coalesce(sum(vat) filter (where posts), 0)
    from ${declaredParts(
      {
        counts: sql`coalesce(i.tax_point_date = ${today}, false)`,
        posts: sql`(i.issued_at at time zone 'utc')::date = ${today}`,
        declared_on: declaredOn,
      },
      sql`(i.tax_point_date = ${today} or i.issue_date between ${today} - 1 and ${today} + 1)`,
    )} x where counts or posts group by 2, 3, 4, 5, 6, 7, 8, 9`.execute(tx)
  await sql`delete from report_sales where day = ${today}`.execute(tx)
  await sql`insert into report_sales (day, currency, invoices, credit_notes, net, vat, total)
    select ${today}, i.currency, count(*) filter (where i.kind = 'fiscal'), count(*) filter (where i.kind <> 'fiscal'),
      sum(i.net), sum(i.vat), sum(i.total)
    from invoices i where ${isFiscal} and i.issue_date = ${today} group by i.currency`.execute(tx)
}

/** VAT by country and rate by the figures of days, as the file has it by documents. */
export const vatByDays = vatOf({
  documents: (
    period,
  ) => sql`select country, category, rate, currency, local_currency, sum(documents) as documents,
      sum(net) as net, sum(vat) as vat, sum(net_local) as net_local, sum(vat_local) as vat_local, sum(posted) as posted
    from report_vat where ${within(sql`day`, period)} group by 1, 2, 3, 4, 5`,
  ledger: (
    period,
  ) => sql`select split_part(p.account, ':', 2) as country, split_part(p.account, ':', 3)::numeric as rate,
      p.currency, sum(p.credit - p.debit) as sum
    from report_postings p where p.account like 'vat:%' and ${within(sql`p.day`, period)} group by 1, 2, 3`,
})

const shopDay = sql`coalesce(declared_on, day)`

/** Sales to consumers in other countries by the figures of days. */
export const oneStopShopByDays = oneStopShopOf(
  (
    period,
  ) => sql`select ${quarterOf(shopDay)} as quarter, of_quarter, country, rate, currency, local_currency,
      sum(documents) as documents, sum(net) as net, sum(vat) as vat, sum(net_local) as net_local, sum(vat_local) as vat_local
    from report_vat where category = 'S' and abroad and (documents > 0 or net <> 0) and ${within(shopDay, period)}
    group by 1, 2, 3, 4, 5, 6`,
)

/** Invoices and credit notes by month, by the figures of days. */
export const salesByDays: AccountingFile = salesOf(
  (period) => sql`select to_char(day, 'YYYY-MM') as month, currency, sum(invoices) as invoices,
      sum(credit_notes) as credit_notes, sum(net) as net, sum(vat) as vat, sum(total) as total
    from report_sales where ${within(sql`day`, period)} group by 1, 2`,
)

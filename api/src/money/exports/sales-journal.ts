import { sql } from 'kysely'
import { type AccountingFile, documentParts, inUnits, isFiscal } from './accounting-file.ts'

/** Every invoice and credit note by its day and number, a line for each rate of VAT. */
export const salesJournal: AccountingFile = {
  columns: {
    number: sql`i.full_number`,
    kind: sql`i.kind`,
    reason: sql`i.reason`,
    issue_date: sql`i.issue_date`,
    tax_point_date: sql`i.tax_point_date`,
    due_date: sql`i.due_date`,
    corrects: sql`o.full_number`,
    client_id: sql`i.client_id`,
    buyer: sql`i.buyer ->> 'name'`,
    buyer_country: sql`i.buyer ->> 'country'`,
    buyer_vat_number: sql`i.buyer ->> 'vat_number'`,
    vat_country: sql`g.country`,
    vat_category: sql`g.category`,
    vat_rate: sql`trim_scale(g.rate)`,
    reason_without_vat: sql`g.reason`,
    currency: sql`i.currency`,
    net: inUnits(sql`g.net`),
    vat: inUnits(sql`g.vat`),
    total: inUnits(sql`g.net + g.vat`),
    exchange_rate: sql`trim_scale(i.fx_rate)`,
    exchange_rate_date: sql`i.fx_date`,
    local_currency: sql`i.local_currency`,
    net_local: sql`g.net_local`,
    vat_local: sql`g.vat_local`,
  },
  source: ({ from, to }) => sql`from ${documentParts}
    left join invoices o on o.id = i.corrects_id left join currencies m on m.code = i.currency
    where ${isFiscal} and i.issue_date between ${from}::date and ${to}::date
    order by i.issue_date, i.id, g.place`,
}

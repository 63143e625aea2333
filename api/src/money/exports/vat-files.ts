import { type RawBuilder, sql } from 'kysely'
import { type AccountingFile, inUnits, type Period, quickParts } from './accounting-file.ts'

const within = (day: 'i.tax_point_date' | 't.effective_on', { from, to }: Period) =>
  sql`${sql.ref(day)} between ${from}::date and ${to}::date`

/** The columns of a sum of documents at one rate. */
const taxed = {
  rate: sql`trim_scale(rate)`,
  currency: sql`v.currency`,
  documents: sql`documents`,
  net: inUnits(sql`net`),
  vat: inUnits(sql`vat`),
  local_currency: sql`local_currency`,
  net_local: sql`net_local`,
  vat_local: sql`vat_local`,
}

type Source = (period: Period) => RawBuilder<unknown>

/**
 * VAT by country and rate, by the tax points of the documents, with the VAT in the ledger of the same UTC days. A document
 * whose tax point and posting are on both sides of a period's end is in `posted_elsewhere`; `difference` is zero while the
 * books are those of the documents.
 */
export const vatOf = ({ documents, ledger }: { documents: Source; ledger: Source }): AccountingFile => ({
  columns: {
    country: sql`country`,
    category: sql`category`,
    ...taxed,
    ledger_vat: inUnits(sql`ledger`),
    posted_elsewhere: inUnits(sql`vat - posted`),
    difference: inUnits(sql`posted - ledger`),
  },
  source: (period) => sql`from (
      select coalesce(d.country, b.country) as country, coalesce(d.category, 'S') as category,
        coalesce(d.rate, b.rate) as rate, coalesce(d.currency, b.currency) as currency,
        coalesce(documents, 0) as documents, coalesce(net, 0) as net, coalesce(vat, 0) as vat, local_currency,
        coalesce(net_local, 0) as net_local, coalesce(vat_local, 0) as vat_local, coalesce(posted, 0) as posted,
        coalesce(b.sum, 0) as ledger
      from (${documents(period)}) d
      full join (${ledger(period)}) b
        on d.category = 'S' and d.country = b.country and d.rate = b.rate and d.currency = b.currency
    ) v left join currencies m on m.code = v.currency
    order by 1, 2, 3, 4`,
})

/** The file of VAT reads every document and posting. */
export const vatByRate: AccountingFile = vatOf({
  documents: (period) => sql`
    select country, category, rate, currency, local_currency, count(*) filter (where counts and is_first) as documents,
      sum(net) filter (where counts) as net, sum(vat) filter (where counts) as vat,
      sum(net_local) filter (where counts) as net_local, sum(vat_local) filter (where counts) as vat_local,
      sum(vat) filter (where posts) as posted
    from ${quickParts(
      sql`i.currency, i.local_currency, ${within('i.tax_point_date', period)} as counts,
        (i.issued_at at time zone 'utc')::date between ${period.from}::date and ${period.to}::date as posts`,
      sql`(${within('i.tax_point_date', period)}
        or i.issue_date between ${period.from}::date - 1 and ${period.to}::date + 1)`,
    )} x where counts or posts group by 1, 2, 3, 4, 5`,
  ledger: (period) => sql`
    select split_part(a.code, ':', 2) as country, split_part(a.code, ':', 3)::numeric as rate, a.currency,
      sum(e.amount) as sum
    from ledger_accounts a join ledger_entries e on e.account_id = a.id
      join ledger_transactions t on t.id = e.transaction_id
    where a.kind = 'vat_payable' and ${within('t.effective_on', period)} group by 1, 2, 3`,
})

/** SQL: the quarter of a day. */
export const quarterOf = (day: RawBuilder<unknown>): RawBuilder<unknown> => sql`to_char(${day}, 'YYYY-"Q"Q')`

/** SQL: what a document `i` is declared by, besides its parts. */
export const declared = sql`i.currency, i.local_currency, i.seller ->> 'country' as home,
  ${quarterOf(sql`coalesce((select o.tax_point_date from invoices o where o.id = i.corrects_id), i.tax_point_date)`)} as of_quarter`

/**
 * Sales to consumers in other EU countries at their rates, by quarter of the tax point. A credit note for a document of an
 * earlier quarter is a correction of that quarter (Directive 2006/112/EC, art. 369g(4)).
 */
export const oneStopShopOf = (sales: Source): AccountingFile => ({
  columns: {
    quarter: sql`quarter`,
    corrected_quarter: sql`nullif(of_quarter, quarter)`,
    country: sql`country`,
    ...taxed,
  },
  source: (period) => sql`from (${sales(period)}) v left join currencies m on m.code = v.currency
    order by 1, 2 nulls first, 3, 4, 5`,
})

/** The file of the one-stop shop reads every document. */
export const oneStopShop: AccountingFile = oneStopShopOf(
  (period) => sql`
    select quarter, of_quarter, country, rate, currency, local_currency, count(*) filter (where is_first) as documents,
      sum(net) as net, sum(vat) as vat, sum(net_local) as net_local, sum(vat_local) as vat_local
    from ${quickParts(
      sql`${declared}, ${quarterOf(sql`i.tax_point_date`)} as quarter`,
      within('i.tax_point_date', period),
    )} x where category = 'S' and country <> home group by 1, 2, 3, 4, 5, 6`,
)

import { type RawBuilder, sql } from 'kysely'
import { roundedIn } from '#money/minor-units.ts'
import { type AccountingFile, inUnits, type Period, quickParts } from './accounting-file.ts'

/** SQL: whether a day is in a period. */
export const within = (day: RawBuilder<unknown>, { from, to }: Period): RawBuilder<unknown> =>
  sql`${day} between ${from}::date and ${to}::date`

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
      sql`i.currency, i.local_currency, ${within(sql`i.tax_point_date`, period)} as counts,
        (i.issued_at at time zone 'utc')::date between ${period.from}::date and ${period.to}::date as posts`,
      sql`(${within(sql`i.tax_point_date`, period)}
        or i.issue_date between ${period.from}::date - 1 and ${period.to}::date + 1)`,
    )} x where counts or posts group by 1, 2, 3, 4, 5`,
  ledger: (period) => sql`
    select split_part(a.code, ':', 2) as country, split_part(a.code, ':', 3)::numeric as rate, a.currency,
      sum(e.amount) as sum
    from ledger_accounts a join ledger_entries e on e.account_id = a.id
      join ledger_transactions t on t.id = e.transaction_id
    where a.kind = 'vat_payable' and ${within(sql`t.effective_on`, period)} group by 1, 2, 3`,
})

/** SQL: the quarter of a day. */
export const quarterOf = (day: RawBuilder<unknown>): RawBuilder<unknown> => sql`to_char(${day}, 'YYYY-"Q"Q')`

/** SQL: what a document `i` is declared by, besides its parts. `deducts` is the document that deducts advances: a credit note brings them back. */
const declared = sql`coalesce(i.corrects_id, i.id) as deducts, i.corrects_id is not null as corrects, i.currency, i.local_currency, i.seller ->> 'country' as home,
  ${quarterOf(sql`coalesce((select o.tax_point_date from invoices o where o.id = i.corrects_id), i.tax_point_date)`)} as of_quarter`

/**
 * SQL: the day by which a document `i` is declared to the one-stop shop. The return of a quarter is due at the end of the month after it
 * (Directive 2006/112/EC, art. 369f); what is issued later is in the return of the quarter in which it is issued.
 */
export const declaredOn = sql`case when i.issue_date >= date_trunc('quarter', i.tax_point_date) + interval '4 months'
  then i.issue_date else i.tax_point_date end`

const shares = ['net', 'vat', 'net_local', 'vat_local'] as const

/** SQL: how much of an amount of `x` the advances of a quarter `q` have, so that all quarters add up to it. */
function shareOf(amount: (typeof shares)[number]): RawBuilder<unknown> {
  const currency = amount.endsWith('local') ? sql`x.local_currency` : sql`x.currency`
  const until = (sum: RawBuilder<unknown>) =>
    roundedIn(sql`${sql.ref(`x.${amount}`)} * (${sum}) / q.whole`, currency)
  return sql`${until(sql`q.upto`)} - ${until(sql`q.upto - q.own`)}`
}

/** SQL: a part that deducts advances, or brings them back, by their quarters. */
const byAdvances = sql`(
    select q.quarter, q.upto = q.own as is_first, ${sql.join(shares.map((amount) => sql`${shareOf(amount)} as ${sql.id(amount)}`))}
    from (
      select quarter, own, sum(own) over (order by quarter) as upto, sum(own) over () as whole
      from (
        select ${quarterOf(sql`o.tax_point_date`)} as quarter, sum(l.net) as own
        from invoice_lines l join invoices o on o.id = l.ref_invoice_id
        where l.invoice_id = x.deducts and l.kind = 'advance_regularisation' and l.vat_country = x.country
          and l.vat_category = x.category and l.vat_rate = x.rate group by 1
      ) each
    ) q
  )`

/**
 * SQL: the parts of documents by the quarter for which they are declared, as an expression of a table: a credit note for that of the
 * document which it corrects, and advances that a bill deducts without a sale of the same country and rate for theirs, also when the bill
 * is credited. `which` are further columns of documents.
 */
export const declaredParts = (
  which: Readonly<Record<string, RawBuilder<unknown>>>,
  where: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const also = Object.entries(which).map(([name, value]) => sql`${value} as ${sql.id(name)}`)
  const amounts = shares.map(
    (name) => sql`coalesce(${sql.ref(`a.${name}`)}, ${sql.ref(`x.${name}`)}) as ${sql.id(name)}`,
  )
  return sql`(
    select ${sql.join(Object.keys(which).map((name) => sql.ref(`x.${name}`)))}, x.country, x.category, x.rate, x.currency,
      x.local_currency, x.home, coalesce(a.quarter, x.of_quarter) as of_quarter,
      x.is_first and coalesce(a.is_first, true) as is_first, ${sql.join(amounts)}
    from ${quickParts(sql`${declared}, ${sql.join(also)}`, where)} x
      left join lateral ${byAdvances} a on x.category = 'S' and x.country <> x.home and case when x.corrects then x.net > 0 else x.net < 0 end)`
}

/**
 * Sales to consumers in other EU countries at their rates, by quarter of the tax point. What changes the tax of an earlier quarter
 * is a correction of that quarter (Directive 2006/112/EC, art. 369g(4)): a credit note, an advance that a bill deducts after its
 * buyer has moved, or a document that is issued after the return of its quarter was due.
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
    from ${declaredParts(
      { quarter: quarterOf(declaredOn) },
      sql`(${within(sql`i.tax_point_date`, period)} or ${within(sql`i.issue_date`, period)}) and ${within(declaredOn, period)}`,
    )} x
    where category = 'S' and country <> home group by 1, 2, 3, 4, 5, 6`,
)

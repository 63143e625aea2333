import { members } from '@portico/contract/rules/vat.ts'
import { type RawBuilder, sql } from 'kysely'
import { isFiscal, type Period, partsOfDocument } from '#money/exports/accounting-file.ts'

const inPeriod = ({ from, to }: Period) =>
  sql`${isFiscal} and i.issue_date between ${from}::date and ${to}::date`

const inLei = (amount: RawBuilder<unknown>) => sql`round(${amount} * coalesce(i.fx_rate, 1), 2)`

// The last line of a rate takes what rounding leaves of the document's amounts, as its last rate does in the sales journal.
const withRest = (amount: 'net_local' | 'vat' | 'vat_local') =>
  sql`case when is_last then ${sql.ref(`part_${amount}`)} - sum(${sql.ref(amount)}) over taxed + ${sql.ref(amount)}
    else ${sql.ref(amount)} end as ${sql.ref(amount)}`
const window = sql`window taxed as (partition by country, category, rate)`

const line = sql`position, kind, description_ro, quantity, unit_code, unit_price, net, country, category, rate, treatment, is_first,
  is_last, part_vat_local`

/**
 * SQL: the line `w` of the bill that the line `e` of a credit note `i` takes back. Its kind says what was sold: what a bill deducted of
 * an advance is one again.
 */
const creditedLine = sql`left join invoice_lines w
  on e.ref_invoice_id = i.corrects_id and w.invoice_id = i.corrects_id and w.position = e.position`

/** SQL: the lines of a document `i`, whose VAT and amounts in lei add up to those of the sales journal. */
const lines = sql`(
    select ${line}, vat, net_local, ${withRest('vat_local')}
    from (
      select ${line}, vat, net_local, ${inLei(sql`b.vat`)} as vat_local
      from (
        select ${line}, ${withRest('vat')}, ${withRest('net_local')}
        from (
          select e.position, coalesce(w.kind, e.kind) as kind, e.description_ro, e.quantity, e.unit_code, e.unit_price, e.net, p.country, p.category,
            p.rate, coalesce(r.vat_treatment, i.vat_treatment) as treatment, p.part_vat, p.part_net_local, p.part_vat_local,
            ${inLei(sql`e.net`)} as net_local, round(e.net * p.rate / 100, coalesce(m.decimals, 2)) as vat,
            e.position = min(e.position) over () as is_first,
            e.position = max(e.position) over (partition by p.country, p.category, p.rate) as is_last
          from invoice_lines e join (
            select g.country, g.category, g.rate, sum(g.vat) as part_vat, sum(g.net_local) as part_net_local,
              sum(g.vat_local) as part_vat_local
            from ${partsOfDocument} g group by 1, 2, 3
          ) p on p.country = e.vat_country and p.category = e.vat_category and p.rate = e.vat_rate
          left join invoices r on r.id = e.ref_invoice_id
          ${creditedLine}
          where e.invoice_id = i.id
        ) a ${window}
      ) b
    ) c ${window}
  )`

const currencies = sql`left join currencies l on l.code = i.local_currency left join currencies m on m.code = i.currency`

const taxed = sql`n.country, n.category, trim_scale(n.rate)::text as rate, n.treatment`

/** What the documents of the period have in common: their taxes, kinds of lines and units, with the sums of both sides. */
export const summary = (period: Period) => sql`
  select ${taxed}, n.kind, n.unit_code, coalesce(-sum(n.net_local) filter (where n.net_local < 0), 0) as debit,
    coalesce(sum(n.net_local) filter (where n.net_local >= 0), 0) as credit,
    count(*) filter (where n.is_first)::int as documents
  from invoices i ${currencies} cross join lateral ${lines} n where ${inPeriod(period)} group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`

const alone = (value: RawBuilder<unknown>) => sql`regexp_replace(upper(${value}), '[^A-Z0-9]', '', 'g')`

/**
 * SQL: the identifier of a document's buyer `b`, with what it is in front (guide to D406): 00 a Romanian company, 01 one with a
 * VAT number of another member state, 02 one outside the EU with a number; else our own number: 04 in Romania, 05 in another
 * member state, 06 outside.
 */
const customerId = sql`left(case
  when b.company and b.vat ~ '^RO[0-9]{2,10}$' then '00' || substr(b.vat, 3)
  when b.company and b.country = 'RO' and b.number ~ '^(RO)?[0-9]{2,10}$' then '00' || regexp_replace(b.number, '^RO', '')
  when b.company and b.country <> 'RO' and b.vat_country = any(${members}::text[]) then '01' || b.vat_country || substr(b.vat, 3)
  when b.company and b.country <> all(${members}::text[]) and coalesce(nullif(b.vat, ''), b.number) <> ''
    then '02' || b.country || coalesce(nullif(b.vat, ''), b.number)
  when b.country = 'RO' then '04' || i.client_id
  when b.country = any(${members}::text[]) then '05' || b.country || i.client_id
  else '06' || b.country || i.client_id end, 35)`

const buyer = sql`cross join lateral (
    select (i.buyer ->> 'company')::boolean as company, i.buyer ->> 'country' as country,
      ${alone(sql`i.buyer ->> 'vat_number'`)} as vat, ${alone(sql`i.buyer ->> 'registration_number'`)} as number,
      case left(${alone(sql`i.buyer ->> 'vat_number'`)}, 2) when 'EL' then 'GR'
        else left(${alone(sql`i.buyer ->> 'vat_number'`)}, 2) end as vat_country
  ) b`

/** The buyers of the period, each as on its last document. */
export const customers = (period: Period) => sql`
  select distinct on (1) ${customerId} as customer, i.buyer from invoices i ${buyer}
  where ${inPeriod(period)} order by 1, i.issue_date desc, i.id desc`

// Amounts are texts, because a number of JSON is not exact.
const lineObject = sql`jsonb_build_object('position', n.position::text, 'kind', n.kind, 'description', n.description_ro,
  'quantity', n.quantity::text, 'unit_code', n.unit_code, 'unit_price', ${inLei(sql`n.unit_price`)}::text,
  'country', n.country, 'category', n.category, 'rate', trim_scale(n.rate)::text, 'treatment', n.treatment,
  'net', n.net::text, 'net_local', n.net_local::text, 'vat', n.vat::text, 'vat_local', n.vat_local::text)`

// A credit note of what was left of an advance takes back the advance, not a service.
const takesBackAdvance = sql`exists (select from advance_consumptions t where t.invoice_id = i.id and t.advance_id = i.corrects_id)`

/** The documents of the period by day and number, each with its lines. */
export const documents = (period: Period) => sql`
  select i.full_number, i.kind, i.issue_date::text, i.tax_point_date::text, i.buyer, i.currency, i.fx_rate::text,
    o.full_number as corrects, ${takesBackAdvance} as takes_back_advance,
    ${customerId} as customer, d.lines
  from invoices i ${currencies} left join invoices o on o.id = i.corrects_id ${buyer}
  cross join lateral (select jsonb_agg(${lineObject} order by n.position) as lines from ${lines} n) d
  where ${inPeriod(period)} order by i.issue_date, i.id`

/** The sellers, currencies of accounts and taxes of the documents of the period, each with the first document that has them. */
export const declaredTaxes = (period: Period) => sql<{
  home: string
  currency: string
  number: string
  country: string
  category: string
  rate: string
  treatment: string
}>`
  select i.seller ->> 'country' as home, i.local_currency as currency, min(i.full_number) as number, g.country, g.category,
    trim_scale(g.rate)::text as rate, coalesce(g.reason, '') as treatment
  from invoices i left join currencies l on l.code = i.local_currency cross join lateral ${partsOfDocument} g
  where ${inPeriod(period)} group by 1, 2, 4, 5, 6, 7`

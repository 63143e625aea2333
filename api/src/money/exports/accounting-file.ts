import { type RawBuilder, sql } from 'kysely'
import type { Separator } from '#platform/jsonapi/read/csv.ts'

/** The days of an export, both included. */
export type Period = { readonly from: string; readonly to: string }

/** A table for the accounts: its columns by heading, and what they are read from. */
export type AccountingFile = {
  readonly columns: Readonly<Record<string, RawBuilder<unknown>>>
  /** Everything after the columns: from, where, group and order. */
  readonly source: (period: Period) => RawBuilder<unknown>
  /** Where the program that reads the file has a form of its own: the separator, and a line above the headings. */
  readonly separator?: Separator
  readonly head?: (
    period: Period,
    of: { readonly made: string; readonly currency: string },
  ) => readonly string[]
}

/** SQL: the name of a client, `c` of `clients` and `e` of `client_entities`. */
export const clientName = sql`coalesce(nullif(e.company_name, ''), concat_ws(' ', c.first_name, c.last_name))`

/** SQL: an amount in the smallest unit of its currency, whose row is `m` of `currencies`. */
export const inUnits = (amount: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`round(${amount}, coalesce(m.decimals, 2))`

/** The query of a file. */
export const rowsOfFile = ({ columns, source }: AccountingFile, period: Period): RawBuilder<unknown> =>
  sql`select ${sql.join(Object.entries(columns).map(([name, value]) => sql`${value} as ${sql.id(name)}`))} ${source(period)}`

/**
 * SQL: the parts of a document `i` by VAT country, category and rate; `l` is the row of its local currency. Their local amounts
 * are rounded so that those of a document add up to its own.
 */
export const partsOfDocument = sql`(
    select one.place, one.country, one.category, one.rate, one.reason, one.net, one.vat,
      round(one.net * coalesce(i.fx_rate, 1), coalesce(l.decimals, 2)) as net_local,
      case when one.place = jsonb_array_length(i.vat_groups)
        then i.vat_local - sum(one.local) over () + one.local else one.local end as vat_local
    from (
      select x.place, x.part ->> 'country' as country, x.part ->> 'category' as category,
        (x.part ->> 'rate')::numeric as rate, (x.part ->> 'net')::numeric as net, (x.part ->> 'vat')::numeric as vat,
        case when x.part ->> 'category' <> 'S' then coalesce(x.part ->> 'treatment', i.vat_treatment) end as reason,
        round((x.part ->> 'vat')::numeric * coalesce(i.fx_rate, 1), coalesce(l.decimals, 2)) as local
      from jsonb_array_elements(i.vat_groups) with ordinality x (part, place)
    ) one
  )`

/** SQL: the issued documents `i`, each with its parts `g`. */
export const documentParts = sql`invoices i left join currencies l on l.code = i.local_currency
  left join lateral ${partsOfDocument} g on true`

/** SQL: a document that counts for the accounts. */
export const isFiscal = sql`i.issued_at is not null and i.kind <> 'proforma'`

const first = sql`(i.vat_groups -> 0)`

/**
 * SQL: the same parts with more columns of their documents `i`, as an expression of a table. Nearly all documents have one
 * part, which is read without taking them apart. `is_first` is true for one part of each country, category and rate of a
 * document, so that documents can be counted without sorting them.
 */
export const quickParts = (
  columns: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`(
    select ${columns}, true as is_first, ${first} ->> 'country' as country, ${first} ->> 'category' as category,
      (${first} ->> 'rate')::numeric as rate, (${first} ->> 'net')::numeric as net, (${first} ->> 'vat')::numeric as vat,
      round((${first} ->> 'net')::numeric * coalesce(i.fx_rate, 1), coalesce(l.decimals, 2)) as net_local, i.vat_local
    from invoices i left join currencies l on l.code = i.local_currency
    where ${isFiscal} and jsonb_array_length(i.vat_groups) = 1 and ${where}
    union all
    select ${columns}, row_number() over (partition by i.id, g.country, g.category, g.rate order by g.place) = 1,
      g.country, g.category, g.rate, g.net, g.vat, g.net_local, g.vat_local
    from ${documentParts} where ${isFiscal} and jsonb_array_length(i.vat_groups) > 1 and ${where}
  )`

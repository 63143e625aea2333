import { type RawBuilder, sql } from 'kysely'
import { type AccountingFile, documentParts, isFiscal } from './accounting-file.ts'

// The batch of bookings of DATEV (EXTF 700, Buchungsstapel 13), with the accounts of SKR03 in six digits.

/** SQL: the account of an advance by its VAT: DATEV takes German VAT out of 1718, and nothing out of 1710. */
const advances = (vat: { readonly [of in 'category' | 'country' | 'home']: RawBuilder<unknown> }) =>
  sql`case when ${vat.category} = 'S' and ${vat.country} = ${vat.home} then '171800' else '171000' end`

/** SQL: the account of a document's part: advances that were paid, or revenue by where VAT is due. */
const account = sql`case
  when v.ahead then ${advances({ category: sql`v.category`, country: sql`v.country`, home: sql`v.home` })}
  when v.reason = 'not_registered' then '819500'
  when v.category = 'AE' then '833600'
  when v.category = 'O' then '833800'
  when v.country <> v.home then '832000'
  else '840000' end`

const comma = (amount: ReturnType<typeof sql>) => sql`replace((${amount})::text, '.', ',')`
const isForeign = sql`v.currency <> v.local_currency`
const empty = sql`''`

const unused = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, empty]))
const numbered = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((n) => [`Beleginfo - Art ${n}`, `Beleginfo - Inhalt ${n}`])

const compact = (day: string): string => day.replaceAll('-', '')

/** The first line of the batch. The numbers of the consultant and of the client are chosen when it is imported. */
const headOf: NonNullable<AccountingFile['head']> = ({ from, to }, { made, currency }) => [
  'EXTF',
  '700',
  '21',
  'Buchungsstapel',
  '13',
  made.replaceAll(/\D/g, '').slice(0, 17),
  '',
  'RE',
  '',
  '',
  '1001',
  '1',
  `${from.slice(0, 4)}0101`,
  '6',
  compact(from),
  compact(to),
  'Portico',
  '',
  '1',
  '0',
  '0',
  currency,
  ...Array.from({ length: 9 }, () => ''),
]

/**
 * Each part of a document is one booking of its client's account, VAT included, from which DATEV takes the VAT out by the
 * account or the rate. What a bill deducted of advances is booked from their account to that of the revenue.
 */
export const datev: AccountingFile = {
  separator: ';',
  head: headOf,
  columns: {
    'Umsatz (ohne Soll/Haben-Kz)': comma(sql`abs(v.gross)`),
    'Soll/Haben-Kennzeichen': sql`case when v.gross < 0 then 'H' else 'S' end`,
    'WKZ Umsatz': sql`v.currency`,
    Kurs: empty,
    'Basis-Umsatz': sql`case when ${isForeign} then ${comma(sql`abs(v.gross_local)`)} else '' end`,
    'WKZ Basis-Umsatz': sql`case when ${isForeign} then v.local_currency::text else '' end`,
    Konto: sql`coalesce(v.from_account, (1000000 + v.client_id)::text)`,
    'Gegenkonto (ohne BU-Schlüssel)': account,
    'BU-Schlüssel': empty,
    Belegdatum: sql`to_char(v.issue_date, 'DDMM')`,
    'Belegfeld 1': sql`v.full_number`,
    'Belegfeld 2': sql`to_char(v.due_date, 'DDMMYY')`,
    Skonto: empty,
    Buchungstext: sql`left(v.buyer, 60)`,
    ...unused(
      'Postensperre',
      'Diverse Adressnummer',
      'Geschäftspartnerbank',
      'Sachverhalt',
      'Zinssperre',
      'Beleglink',
      ...numbered,
      'KOST1 - Kostenstelle',
      'KOST2 - Kostenstelle',
      'Kost-Menge',
    ),
    'EU-Land u. UStID (Bestimmung)': sql`case when v.category = 'AE' then v.buyer_vat_number
      when v.category = 'S' and v.country <> v.home then v.country else '' end`,
    'EU-Steuersatz (Bestimmung)': sql`case when v.category = 'S' and v.country <> v.home then ${comma(sql`trim_scale(v.rate)`)} else '' end`,
  },
  source: ({ from, to }) => sql`from (
      select i.id, g.place, i.client_id, i.full_number, i.issue_date, i.due_date, i.currency, i.local_currency,
        i.buyer ->> 'name' as buyer, i.buyer ->> 'vat_number' as buyer_vat_number, i.seller ->> 'country' as home,
        g.country, g.category, g.rate, g.reason, g.net + g.vat as gross, g.net_local + g.vat_local as gross_local,
        (i.kind = 'fiscal' and i.reason = 'advance' or exists (select from advance_consumptions n
          where n.invoice_id = i.id and n.advance_id = i.corrects_id)) as ahead, null::text as from_account
      from ${documentParts}
      where ${isFiscal} and i.issue_date between ${from}::date and ${to}::date
      union all
      select b.id, 1000 + row_number() over (partition by b.id order by a.id), b.client_id, b.full_number, b.issue_date,
        b.due_date, a.currency, a.local_currency, b.buyer ->> 'name', b.buyer ->> 'vat_number', b.seller ->> 'country',
        x.country, x.category, x.rate, case when x.category <> 'S' then a.vat_treatment end,
        round(u.amount * (1 + x.rate / 100), coalesce(m.decimals, 2)),
        round(u.amount * (1 + x.rate / 100) * coalesce(a.fx_rate, 1), coalesce(l.decimals, 2)), false,
        ${advances({ category: sql`x.category`, country: sql`x.country`, home: sql`a.seller ->> 'country'` })}
      from advance_consumptions u join invoices b on b.id = u.invoice_id join invoices a on a.id = u.advance_id
        left join currencies m on m.code = a.currency left join currencies l on l.code = a.local_currency,
        lateral (select a.vat_groups -> 0 ->> 'country' as country, a.vat_groups -> 0 ->> 'category' as category,
          (a.vat_groups -> 0 ->> 'rate')::numeric as rate) x
      where b.corrects_id is distinct from a.id and b.issue_date between ${from}::date and ${to}::date
    ) v where v.gross <> 0
    order by v.issue_date, v.id, v.place`,
}

import { minorUnits } from '@portico/contract/rules/money/minor-units.ts'
import Big from 'big.js'
import type pdfmake from 'pdfmake'
import type { Buyer, DocumentData, DocumentLogo, Seller } from './document.ts'
import { logoOf } from './pdf-logo.ts'
import { exemptionOf, words } from './words.ts'

/** pdfmake's argument type, derived here because its types are in a package without runtime code. */
type Definition = Parameters<typeof pdfmake.createPdf>[0]
type Content = Definition['content']
type Look = {
  readonly bold?: boolean
  readonly fontSize?: number
  readonly color?: string
  readonly margin?: [number, number, number, number]
}

const ink = '#1b2430'
const quiet = '#5b6675'
const accent = '#0f5c4d'
const hair = '#d5dae1'
const warning = '#b42318'

/** An amount as documents show it, in either language: 1,234.50, or 1,234 where a currency has no minor units. */
function money(exact: string, currency: string): string {
  const [whole = '', decimals = ''] = new Big(exact).abs().toFixed().split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const part = decimals.padEnd(minorUnits(currency), '0')
  return `${new Big(exact).lt(0) ? '−' : ''}${grouped}${part && `.${part}`}`
}

const bare = (exact: string): string => new Big(exact).toFixed().replace('-', '−')

const days = (locale: DocumentData['locale']) =>
  new Intl.DateTimeFormat(locale === 'ro' ? 'ro-RO' : 'en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** A day in the format of the language. */
const day = (iso: string, locale: DocumentData['locale']): string => days(locale).format(Date.parse(iso))

/**
 * A text whose long words, such as e-mail addresses, may break across lines: a word wider than its column
 * would push the next column off the page.
 */
function breakable(text: string, longest: number): Content {
  if (!text.split(/\s/).some((word) => word.length > longest)) return text
  return text
    .split(/(?<=\s)/)
    .map((word) => (word.length > longest ? { text: word, wordBreak: 'break-all' } : { text: word }))
}

const sector = /^SECTOR([1-6])$/

function address(party: Seller | Buyer, locale: DocumentData['locale']): string[] {
  const second = 'address2' in party ? party.address2 : null
  // Electronic invoices require a spelling of Bucharest's sectors that nobody uses in print.
  const city = party.city.replace(sector, 'Sector $1')
  const place = [party.zip_code, city].filter(Boolean).join(' ')
  const county = party.county_name ?? ('state' in party ? party.state : null)
  const country = locale === 'ro' ? party.country_ro : party.country_en
  return [party.address1, second, [place, county].filter(Boolean).join(', '), country].filter(
    (text) => text !== null && text !== '',
  ) as string[] // Nulls are filtered out.
}

function partyOf(title: string, party: Seller | Buyer, { locale }: DocumentData): Content {
  const say = words[locale]
  const numbers = [
    party.vat_number && `${say.vatNumber}: ${party.vat_number}`,
    'tax_number' in party && party.vat_number === null && `${say.taxNumber}: ${party.tax_number}`,
    'registration_number' in party &&
      party.registration_number &&
      `${say.taxNumber}: ${party.registration_number}`,
    party.commerce_code && `${say.register}: ${party.commerce_code}`,
    'phone' in party && party.phone,
    party.email,
  ].filter((text) => typeof text === 'string' && text !== '')
  return {
    stack: [
      { text: title, style: 'label' },
      { text: breakable(party.name, 20), bold: true, margin: [0, 2, 0, 2] },
      ...address(party, locale).map((text) => ({ text: breakable(text, 20) })),
      // The remaining values are texts.
      ...(numbers as string[]).map((text) => ({ text: breakable(text, 20), color: quiet })),
    ],
  }
}

function facts(data: DocumentData): Content {
  const { locale } = data
  const say = words[locale]
  // A credit note must state the date of the invoice too (Cod fiscal, art. 330).
  const naming = ({ full_number, issue_date }: DocumentData['refers_to'][number]) =>
    data.kind === 'credit_note' ? `${full_number},\n${day(issue_date, locale)}` : full_number
  const rows: [string, string | null][] = [
    [say.issued, day(data.issue_date, locale)],
    [say.due, data.kind === 'credit_note' ? null : day(data.due_date, locale)],
    [say.taxPoint, data.tax_point_date === data.issue_date ? null : day(data.tax_point_date, locale)],
    [
      say.period,
      data.period_from && data.period_to
        ? days(locale).formatRange(Date.parse(data.period_from), Date.parse(data.period_to))
        : null,
    ],
    [say.order, data.po_number],
    [say.refers, data.refers_to.map(naming).join(', ') || null],
  ]
  return {
    layout: 'noBorders',
    // Aligns the first row with the headings of the other column.
    margin: [0, -3, 0, 0],
    table: {
      widths: ['auto', '*'],
      body: rows
        .filter(([, value]) => value !== null)
        .map(([label, value]) => [
          { text: label, color: quiet, noWrap: true },
          { text: breakable(value ?? '', 14), alignment: 'right' },
        ]),
    },
  }
}

const right = (text: string, look: Look = {}) => ({ text, alignment: 'right', ...look }) satisfies Content

function head(data: DocumentData, logo: DocumentLogo): Content {
  const say = words[data.locale]
  return {
    columns: [
      logoOf(logo, { text: data.seller.name, fontSize: 16, bold: true, color: accent }),
      {
        width: 'auto',
        stack: [
          { text: say.title[data.kind], fontSize: 20, bold: true, alignment: 'right' },
          { text: data.full_number, fontSize: 12, color: quiet, alignment: 'right' },
          ...(data.cancelled ? [right(say.cancelled, { fontSize: 14, bold: true, color: warning })] : []),
        ],
      },
    ],
  }
}

const rules = {
  hLineWidth: (at: number, { table }: { table: { body: unknown[] } }) =>
    at === 1 || at === table.body.length ? 1 : 0.5,
  vLineWidth: () => 0,
  hLineColor: (at: number) => (at === 1 ? ink : hair),
  // Aligned with the page margins, with space between amounts.
  paddingLeft: (at: number) => (at === 0 ? 0 : 14),
  paddingRight: () => 0,
  paddingTop: () => 5,
  paddingBottom: () => 5,
}

function lineTable(data: DocumentData): Content {
  const say = words[data.locale]
  const inCurrency = (head: string) => `${head} (${data.currency})`
  const heads = [say.description, say.quantity, inCurrency(say.price), inCurrency(say.net), say.rate]
  return {
    margin: [0, 22, 0, 0],
    layout: rules,
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: ['*', 'auto', 'auto', 'auto', 'auto'],
      body: [
        heads.map((text, at) => ({ text, style: 'label', alignment: at === 0 ? 'left' : 'right' })),
        ...data.lines.map((line) => [
          { text: breakable(data.locale === 'ro' ? line.description_ro : line.description_en, 40) },
          right(bare(line.quantity)),
          right(money(line.unit_price, data.currency)),
          right(money(line.net, data.currency)),
          right(line.vat_category === 'S' ? `${bare(line.vat_rate)}%` : '–'),
        ]),
      ],
    },
  }
}

function totals(data: DocumentData): Content {
  const say = words[data.locale]
  const { currency } = data
  const taxed = data.vat_groups.filter(({ category }) => category === 'S')
  const vats = taxed.map(({ rate, net, vat }): [string, string] => [
    `${say.totalVat} ${bare(rate)}% ${say.of} ${money(net, currency)}`,
    vat,
  ])
  // Without VAT the total states zero, and the remarks give the reason.
  if (vats.length === 0) vats.push([say.totalVat, data.vat])
  return {
    margin: [0, 12, 0, 0],
    unbreakable: true,
    columns: [
      { text: '', width: '*' },
      {
        width: 260,
        layout: 'noBorders',
        table: {
          widths: ['*', 'auto'],
          body: [
            [{ text: say.totalNet, color: quiet }, right(money(data.net, currency))],
            ...vats.map(([label, vat]) => [{ text: label, color: quiet }, right(money(vat, currency))]),
            [
              { text: `${say.total} (${currency})`, bold: true, fontSize: 12, margin: [0, 4, 0, 0] },
              right(money(data.total, currency), { bold: true, fontSize: 12, margin: [0, 4, 0, 0] }),
            ],
          ],
        },
      },
    ],
  }
}

/** The payment instructions, or the note that nothing is due. */
function payment(data: DocumentData): string[] {
  const say = words[data.locale]
  const { iban, bank_name } = data.seller
  if (data.kind === 'credit_note') return []
  if (data.cancelled) return [say.notPayable]
  if (new Big(data.total).lte(0)) return [say.settled]
  if (data.kind === 'fiscal' && data.reason === 'advance') return [say.paid]
  const bank =
    iban && `${say.bank} ${[iban, bank_name].filter(Boolean).join(', ')}, ${say.quote} ${data.full_number}.`
  return [
    `${say.payUntil} ${day(data.due_date, data.locale)}: ${money(data.total, data.currency)} ${data.currency}.`,
    ...(bank ? [bank] : []),
    ...(data.kind === 'proforma' ? [say.noFiscal] : []),
  ]
}

/** Why there is no VAT: on a document that mixes treatments, for which amount. */
function exemptionTexts(data: DocumentData): string[] {
  const say = words[data.locale]
  const { vat_groups, currency, locale } = data
  const texts = vat_groups.map((group) => {
    const text = exemptionOf(data, group)?.[locale]
    return text && vat_groups.length > 1
      ? `${say.for} ${money(group.net, currency)} ${currency}: ${text}`
      : text
  })
  return texts.filter((text) => text !== undefined)
}

function remarks(data: DocumentData): Content {
  const say = words[data.locale]
  const { fx_rate, fx_date } = data
  const local =
    fx_rate !== null &&
    fx_date !== null &&
    `${say.local} ${data.local_currency}: ${money(data.vat_local, data.local_currency)}, ${say.rateOf} 1 ${data.currency} = ${bare(fx_rate)} ${data.local_currency}, ${say.publishedOn} ${day(fx_date, data.locale)}${data.fx_source === 'bnr' ? ` ${say.by} BNR` : ''}.`
  const all = [...payment(data), ...exemptionTexts(data), local, data.notes]
  return {
    margin: [0, 24, 0, 0],
    stack: all
      .filter((text) => typeof text === 'string' && text !== '')
      .map((text) => ({ text: String(text), margin: [0, 0, 0, 4] })),
  }
}

/**
 * The document definition for pdfmake: A4, in the client's language. `logo` is an SVG, or the data URL of an image.
 * pdfmake mutates its argument.
 */
export function pdfDocument(data: DocumentData, logo: DocumentLogo): Definition {
  const say = words[data.locale]
  const { name, website } = data.seller
  return {
    pageSize: 'A4',
    pageMargins: [48, 48, 48, 56],
    language: data.locale,
    info: {
      title: `${say.title[data.kind]} ${data.full_number}`,
      author: name,
      creationDate: new Date(Date.parse(data.issued_at)),
    },
    defaultStyle: { font: 'Roboto', fontSize: 9.5, color: ink, lineHeight: 1.15 },
    styles: { label: { fontSize: 8, color: quiet, bold: true } },
    content: [
      head(data, logo),
      {
        margin: [0, 28, 0, 0],
        columnGap: 20,
        columns: [
          partyOf(say.seller, data.seller, data),
          partyOf(say.buyer, data.buyer, data),
          { width: 190, stack: [facts(data)] },
        ],
      },
      lineTable(data),
      totals(data),
      remarks(data),
    ],
    footer: (page: number, pages: number) => ({
      margin: [48, 16, 48, 0],
      columns: [
        { text: [name, website].filter(Boolean).join(' · '), color: quiet, fontSize: 8 },
        right(`${say.page} ${page} / ${pages}`, { color: quiet, fontSize: 8 }),
      ],
    }),
  }
}

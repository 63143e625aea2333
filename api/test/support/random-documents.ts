import { type VatBuyer, type VatDecision, type VatRate, vatFor } from '@portico/contract/rules/vat.ts'
import Big from 'big.js'
import { negated } from '#money/invoices/credit-notes.ts'
import type { Buyer, DocumentData, Seller } from '#money/invoices/documents/document.ts'
import { groupVat, type Line, type VatGroup, vatKind } from '#money/invoices/issue-document.ts'
import { splitGross, vatOn } from '#money/invoices/vat/vat.ts'
import { rounded } from '#money/minor-units.ts'
import { serviceBill } from './document-data.ts'

// Documents that sales can lead to, by a seed: the decisions, groups and sums are those of the product.

const on = '2026-11-01'

type Kind = {
  readonly name: string
  readonly country: string
  readonly company: boolean
  readonly zip?: string
  readonly number?: string
  readonly proven?: boolean
  readonly registration?: string
  readonly commerce?: string
  readonly county?: string
  readonly city?: string
}

/** The kinds of buyers. */
export const buyerKinds: readonly Kind[] = [
  {
    name: 'a company in Bucharest',
    country: 'RO',
    company: true,
    number: 'RO14399840',
    county: 'RO-B',
    city: 'SECTOR6',
  },
  { name: 'a company in Cluj', country: 'RO', company: true, number: 'RO14399840', commerce: 'J12/1/2020' },
  { name: 'a company without VAT', country: 'RO', company: true, registration: '14399840' },
  { name: 'a company with a register number alone', country: 'RO', company: true, commerce: 'J40/372/2002' },
  { name: 'a company without numbers', country: 'RO', company: true },
  { name: 'a person', country: 'RO', company: false },
  { name: 'a person in Bucharest', country: 'RO', company: false, county: 'RO-B', city: 'SECTOR1' },
  { name: 'a company in Germany', country: 'DE', company: true, number: 'DE136695976', proven: true },
  { name: 'a company in Germany without proof', country: 'DE', company: true, number: 'DE136695976' },
  { name: 'a company in Germany without a number', country: 'DE', company: true },
  { name: 'a person in Germany', country: 'DE', company: false },
  { name: 'a company in Büsingen', country: 'DE', company: true, zip: '78266', number: 'DE136695976' },
  { name: 'a company in Greece', country: 'GR', company: true, number: 'EL094259216', proven: true },
  { name: 'a person on Athos', country: 'GR', company: false, zip: '63086' },
  {
    name: 'a company on the Canary Islands',
    country: 'ES',
    company: true,
    zip: '35001',
    number: 'ESB58378431',
  },
  { name: 'a person in Spain', country: 'ES', company: false, zip: '28001' },
  { name: 'a person in Hungary', country: 'HU', company: false },
  { name: 'a company in Hungary', country: 'HU', company: true, number: 'HU12892312', proven: true },
  { name: 'a person in Madeira', country: 'PT', company: false, zip: '9000-001' },
  { name: 'a person in Jungholz', country: 'AT', company: false, zip: '6691' },
  { name: 'a company in Monaco', country: 'MC', company: true, number: 'FR40303265045', proven: true },
  {
    name: 'a company in Northern Ireland',
    country: 'GB',
    company: true,
    number: 'XI110305878',
    zip: 'BT1 1AA',
  },
  { name: 'a company in the United States', country: 'US', company: true, registration: '12-3456789' },
  { name: 'a person in Moldova', country: 'MD', company: false },
  { name: 'a company in Switzerland', country: 'CH', company: true, number: 'CHE123456788MWST' },
]

const rateOf = (country: string, rate: string, region = ''): VatRate => ({
  country,
  region,
  from: '2020-01-01',
  until: null,
  rate,
})
const rates = [
  ...[
    ['RO', '21'],
    ['DE', '19'],
    ['GR', '24'],
    ['ES', '21'],
    ['HU', '27'],
    ['PT', '23'],
    ['AT', '20'],
    ['FR', '20'],
  ].map(([country = '', rate = '']) => rateOf(country, rate)),
  rateOf('PT', '22', 'madeira'),
  rateOf('AT', '19', 'kleinwalsertal'),
]

/** Texts that people write or paste. */
const words = [
  'Hosting',
  'Găzduire Ștefan & Țiței <Fiii>',
  'x'.repeat(120),
  '"quoted" \'text\'',
  '日本語 🚀',
  'a\tb\nc',
  '= SUM(A1)',
  '\u202Eright to left',
  'ends in a surrogate \uD83D',
  'bell \u0007 inside',
  'é'.repeat(230),
]

const currencies = ['USD', 'EUR', 'RON', 'HUF', 'GBP'] as const
export const documentKinds = [
  'advance',
  'bill',
  'credit note',
  'manual',
  'mixed',
  'zero',
  'negative',
  'chargeback',
] as const
type DocumentKind = (typeof documentKinds)[number]

export type RandomDocument = { readonly what: string; readonly data: DocumentData }

type Content = Pick<DocumentData, 'kind' | 'reason'> & {
  readonly lines: readonly Line[]
  readonly groups: readonly VatGroup[]
  readonly refers: number
}

/** Makes documents, each by the numbers that `random` gives. */
export class RandomDocuments {
  readonly #random: () => number
  readonly #seller: Seller = serviceBill().seller

  constructor(random: () => number) {
    this.#random = random
  }

  below(most: number): number {
    return Math.floor(this.#random() * most)
  }

  one<T>(of: readonly T[]): T {
    const at = this.below(of.length)
    for (const found of of.slice(at)) return found
    throw new Error('Nothing can be chosen from.')
  }

  #buyer(kind: Kind): Buyer {
    const home = kind.country === 'RO'
    return {
      ...serviceBill().buyer,
      name: this.one([`${kind.name} SRL`, 'Ștefan & Țiței <Fiii>', 'N'.repeat(200)]),
      company: kind.company,
      vat_number: kind.company ? (kind.number ?? null) : null,
      registration_number: kind.registration ?? null,
      commerce_code: kind.commerce ?? null,
      address1: this.one(['Strada Lungă 12', 'A & B "street"', 'S'.repeat(150)]),
      address2: this.one([null, 'ap. 7', '']),
      city: kind.city ?? this.one(['Dej', 'Büsingen', 'C'.repeat(50)]),
      state: home ? null : this.one([null, 'Bavaria']),
      county_code: home ? (kind.county ?? 'RO-CJ') : null,
      county_name: home ? 'Cluj' : null,
      zip_code: kind.zip ?? '405200',
      country: kind.country,
    }
  }

  #decision({ country, zip, company, number, proven }: Kind, registered: boolean): VatDecision {
    const vatNumber = company ? (number ?? null) : null
    const proof = vatNumber !== null && proven ? { vatNumber, valid: true, checkedOn: on } : null
    const bought: VatBuyer = { country, zipCode: zip ?? '405200', company, vatNumber, proof }
    const seller = { country: 'RO', registered, destination: this.below(4) > 0 }
    const decision = vatFor({ seller, buyer: bought, on, rates })
    if (decision === null) throw new Error(`There is no rate for ${country}.`)
    return decision
  }

  #amount(currency: string): Big {
    const size = this.one([1, 100, 10_000, 100_000_000])
    return rounded(new Big(1 + this.below(size * 100)).div(100), currency, Big.roundUp)
  }

  #line(kind: Line['kind'], vat: Line['vat'], net: Big): Line {
    const text = this.one(words)
    const quantity = new Big(net.lt(0) ? -1 : 1)
    return { kind, en: text, ro: this.one(words), quantity, unitPrice: net.abs(), vat }
  }

  #sold(vat: Line['vat']): Line {
    const quantity = new Big(this.one(['1', '3', '0.5', '2.125', '-1']))
    const unitPrice = new Big(1 + this.below(1_000_000)).div(this.one([100, 1000]))
    return { kind: 'manual', en: this.one(words), ro: this.one(words), quantity, unitPrice, vat }
  }

  #times<T>(most: number, make: () => T): T[] {
    return Array.from({ length: 1 + this.below(most) }, make)
  }

  #advance(vat: VatDecision, currency: string): Content {
    const gross = this.#amount(currency)
    const { net, vat: owed } = splitGross(gross, vat.rate, currency)
    const groups = [{ ...vatKind(vat), net: net.toFixed(2), vat: owed.toFixed(2) }]
    return { kind: 'fiscal', reason: 'advance', lines: [this.#line('advance', vat, net)], groups, refers: 0 }
  }

  /** A bill with advances taken off, at their own decision. */
  #bill(vat: VatDecision, currency: string, ahead: VatDecision, part: 'less' | 'all' | 'more'): Content {
    const used = this.#times(4, () => this.#line('usage', vat, this.#amount(currency)))
    const sum = used.reduce((all, { unitPrice }) => all.plus(unitPrice), new Big(0))
    const factor = { less: this.#random() * 0.9, all: 1, more: 1 + this.#random() }[part]
    const taken = rounded(sum.times(factor), currency)
    const discount =
      this.below(3) === 0 ? [this.#line('discount', vat, rounded(sum.times(-0.05), currency))] : []
    const settled = taken.eq(0) ? [] : [this.#line('advance_regularisation', ahead, taken.neg())]
    const lines = [...used, ...(part === 'all' ? [] : discount), ...settled].filter(
      ({ unitPrice }) => !unitPrice.eq(0),
    )
    return this.#turned({
      kind: 'fiscal',
      reason: 'service_bill',
      lines,
      groups: groupVat(lines, currency),
      refers: settled.length,
    })
  }

  /** A bill below zero is a credit note. */
  #turned(content: Content): Content {
    const total = content.groups.reduce((all, { net, vat }) => all.plus(net).plus(vat), new Big(0))
    return total.lt(0) ? { ...content, kind: 'credit_note', refers: Math.max(1, content.refers) } : content
  }

  #manual(vat: VatDecision, currency: string): Content {
    const lines = this.#times(5, () => this.#sold(vat))
    return this.#turned({
      kind: 'fiscal',
      reason: 'manual',
      lines,
      groups: groupVat(lines, currency),
      refers: 0,
    })
  }

  #credited(of: Content): Content {
    const lines = of.lines.map((line) => ({ ...line, quantity: line.quantity.neg() }))
    return { kind: 'credit_note', reason: 'storno', lines, groups: of.groups.map(negated), refers: 1 }
  }

  /** The used part of a deposit whose payment its bank took back: an amount with the deposit's own VAT. */
  #chargeback(vat: VatDecision, currency: string): Content {
    const net = this.#amount(currency)
    const line = this.#line('manual', vat, net)
    const stated = { ...vatKind(vat), net: net.toFixed(2), vat: vatOn(net, vat.rate, currency).toFixed(2) }
    const bill: Content = {
      kind: 'fiscal',
      reason: 'service_bill',
      lines: [line],
      groups: [stated],
      refers: 1,
    }
    return this.below(2) ? this.#credited(bill) : bill
  }

  #content(kind: DocumentKind, buyer: Kind, currency: string, registered: boolean): Content {
    const vat = this.#decision(buyer, registered)
    // Lines outside the scope of VAT have a document of their own.
    const others = buyerKinds
      .map((one) => this.#decision(one, registered))
      .filter(({ category }) => (category === 'O') === (vat.category === 'O'))
    const contents: Readonly<Record<DocumentKind, () => Content>> = {
      advance: () => this.#advance(vat, currency),
      bill: () => this.#bill(vat, currency, vat, 'less'),
      'credit note': () =>
        this.#credited(this.below(2) ? this.#manual(vat, currency) : this.#advance(vat, currency)),
      manual: () => this.#manual(vat, currency),
      mixed: () => this.#bill(vat, currency, this.one(others), this.one(['less', 'more'])),
      zero: () => this.#bill(vat, currency, vat, 'all'),
      negative: () => this.#bill(vat, currency, this.one(others), 'more'),
      chargeback: () => this.#chargeback(vat, currency),
    }
    return contents[kind]()
  }

  /** The next document. */
  next(kind: DocumentKind = this.one(documentKinds), buyer: Kind = this.one(buyerKinds)): RandomDocument {
    const registered = this.below(12) > 0
    const currency = this.one(currencies)
    const { lines, groups, refers, ...is } = this.#content(kind, buyer, currency, registered)
    const sum = (name: 'net' | 'vat') => groups.reduce((all, group) => all.plus(group[name]), new Big(0))
    const fx = currency === 'RON' ? null : '4.567800'
    const vat = sum('vat')
    const data: DocumentData = {
      ...serviceBill(),
      ...is,
      full_number: `${this.one(['HST', 'EX-7', 'F2026'])}-${1 + this.below(100_000)}`,
      currency,
      period_from: is.reason === 'service_bill' ? '2026-10-01' : null,
      period_to: is.reason === 'service_bill' ? '2026-10-31' : null,
      seller: {
        ...this.#seller,
        vat_number: registered ? this.#seller.vat_number : null,
        commerce_code: this.one([this.#seller.commerce_code, null]),
        iban: this.one([this.#seller.iban, null]),
      },
      buyer: this.#buyer(buyer),
      vat_treatment: groups[0]?.treatment ?? 'domestic',
      vat_groups: [...groups],
      net: sum('net').toFixed(2),
      vat: vat.toFixed(2),
      total: sum('net').plus(vat).toFixed(2),
      vat_local: rounded(vat.times(fx ?? 1), 'RON').toFixed(2),
      fx_rate: fx,
      fx_date: fx && '2026-10-30',
      fx_source: fx && 'bnr',
      notes: this.one([null, 'See HST-1041.', 'n'.repeat(300)]),
      po_number: this.one([null, 'PO-77', 'p'.repeat(60)]),
      locale: this.one(['en', 'ro'] as const),
      refers_to: Array.from({ length: refers }, (_, at) => ({
        full_number: `HST-${at + 1}`,
        issue_date: '2026-10-03',
      })),
      lines: lines.map((line) => ({
        description_en: line.en,
        description_ro: line.ro,
        quantity: line.quantity.toFixed(),
        unit_code: 'C62',
        unit_price: line.unitPrice.toFixed(),
        net: rounded(line.quantity.times(line.unitPrice), currency).toFixed(2),
        vat_category: line.vat.category,
        vat_rate: new Big(line.vat.rate).toFixed(2),
      })),
    }
    return { what: `${kind}, ${buyer.name}, ${currency}`, data }
  }
}

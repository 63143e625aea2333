import type { DocumentData } from '#money/invoices/documents/document.ts'
import type { RandomDocument, RandomDocuments } from './random-documents.ts'

// Documents with one thing wrong, or only odd: whether a rule forbids it is for the rules to say.

type Data = DocumentData
type Mutation = (data: Data, random: RandomDocuments) => Data

const texts = [
  '',
  ' ',
  'x',
  'y'.repeat(51),
  'z'.repeat(101),
  'w'.repeat(151),
  'v'.repeat(201),
  'u'.repeat(301),
  '\n',
  '\u0007',
]
const amounts = ['0.00', '0.01', '-0.01', '1.00', '-1.00', '1.005', '99999999.99', '0.001']
const codes = ['', 'XX', 'EL', 'UK', 'ZZZ', 'de', 'XI', 'AN', 'XK']
const days = ['', '2026-02-30', '01.11.2026', '2026-11-1', '2027-01-01', '2026-11-01']

/** One of the amounts, or another one near the stated amount. */
const near = (exact: string, random: RandomDocuments): string => {
  const other = (Number(exact) + random.one([0.01, -0.01, 0.99, -0.99, 1, -1, 1.01])).toFixed(2)
  return random.one([...amounts, other, other, other])
}

function atLine(data: Data, random: RandomDocuments, change: Partial<Data['lines'][number]>): Data {
  const at = random.below(data.lines.length)
  return { ...data, lines: data.lines.map((line, place) => (place === at ? { ...line, ...change } : line)) }
}

function atGroup(data: Data, random: RandomDocuments, change: Partial<Data['vat_groups'][number]>): Data {
  const at = random.below(data.vat_groups.length)
  const vat_groups = data.vat_groups.map((group, place) => (place === at ? { ...group, ...change } : group))
  return { ...data, vat_groups }
}

const ofSeller =
  (name: keyof Data['seller'], values: readonly (string | null)[]): Mutation =>
  (data, random) => ({ ...data, seller: { ...data.seller, [name]: random.one(values) } })

const ofBuyer =
  (name: keyof Data['buyer'], values: readonly (string | null)[]): Mutation =>
  (data, random) => ({ ...data, buyer: { ...data.buyer, [name]: random.one(values) } })

const of =
  <N extends keyof Data>(name: N, values: readonly Data[N][]): Mutation =>
  (data, random) => ({ ...data, [name]: random.one(values) })

const numbers = [
  '',
  ' ',
  '14399840',
  'RO 14399840',
  'ro14399840',
  'XX123',
  'EL094259216',
  'GR094259216',
  'RO',
  '1RO',
]
const counties = ['', 'RO-XX', 'CJ', 'RO-B', 'ro-cj', null]
const categories = ['S', 'AE', 'O'] as const
const percents = ['0', '21', '21.00', '19', '5.5', '-1']

/** The mutations by name. */
const mutations: Readonly<Record<string, Mutation>> = {
  'seller name': ofSeller('name', texts),
  'seller street': ofSeller('address1', texts),
  'seller city': ofSeller('city', texts),
  'seller county': ofSeller('county_code', counties),
  'seller post code': ofSeller('zip_code', [...texts, null]),
  'seller country': ofSeller('country', codes),
  'seller VAT number': ofSeller('vat_number', [...numbers, null]),
  'seller tax number': ofSeller('tax_number', texts),
  'seller register': ofSeller('commerce_code', [...texts, null]),
  'seller email': ofSeller('email', [...texts, null]),
  'seller phone': ofSeller('phone', [...texts, null]),
  'seller IBAN': ofSeller('iban', [...texts, null]),
  'buyer name': ofBuyer('name', texts),
  'buyer street': ofBuyer('address1', texts),
  'buyer second line': ofBuyer('address2', [...texts, null]),
  'buyer city': ofBuyer('city', texts),
  'buyer state': ofBuyer('state', [...texts, null]),
  'buyer county': ofBuyer('county_code', counties),
  'buyer post code': ofBuyer('zip_code', texts),
  'buyer country': ofBuyer('country', codes),
  'buyer VAT number': ofBuyer('vat_number', [...numbers, null]),
  'buyer registration': ofBuyer('registration_number', [...texts, null]),
  'buyer register': ofBuyer('commerce_code', [...texts, null]),
  'buyer email': ofBuyer('email', texts),
  'no buyer ids': (data) => ({
    ...data,
    buyer: { ...data.buyer, vat_number: null, registration_number: null, commerce_code: null },
  }),
  number: of('full_number', [...texts, 'HST', 'ÎȘ-7', '١٢']),
  'order number': of('po_number', [...texts, null]),
  notes: of('notes', [...texts, null]),
  currency: of('currency', ['USD', 'RON', 'XYZ', '', 'usd', 'BGN', 'HRK']),
  'local currency': of('local_currency', ['RON', 'EUR', 'XYZ', '']),
  'no exchange rate': of('fx_rate', [null, '1.0']),
  'issue date': of('issue_date', days),
  'due date': of('due_date', days),
  'tax point': of('tax_point_date', days),
  period: (data, random) => ({
    ...data,
    period_from: random.one([...days, null]),
    period_to: random.one([...days, null]),
  }),
  references: (data, random) => ({
    ...data,
    refers_to: random.one([[], [{ full_number: random.one(texts), issue_date: random.one(days) }]]),
  }),
  net: (data, random) => ({ ...data, net: near(data.net, random) }),
  vat: (data, random) => ({ ...data, vat: near(data.vat, random) }),
  total: (data, random) => ({ ...data, total: near(data.total, random) }),
  'local VAT': (data, random) => ({ ...data, vat_local: near(data.vat_local, random) }),
  'group net': (data, random) => atGroup(data, random, { net: near(data.vat_groups[0]?.net ?? '0', random) }),
  'group VAT': (data, random) => atGroup(data, random, { vat: near(data.vat_groups[0]?.vat ?? '0', random) }),
  'group category': (data, random) => atGroup(data, random, { category: random.one(categories) }),
  'group rate': (data, random) => atGroup(data, random, { rate: random.one(percents) }),
  'group reason': (data, random) => ({
    ...atGroup(data, random, {
      treatment: random.one([undefined, 'domestic', 'reverse_charge', 'outside_eu', '?']),
    }),
    vat_treatment: random.one(['domestic', 'reverse_charge', 'outside_eu']),
  }),
  'group twice': (data) => ({ ...data, vat_groups: [...data.vat_groups, ...data.vat_groups] }),
  'no group': (data) => ({ ...data, vat_groups: data.vat_groups.slice(1) }),
  'line name': (data, random) => {
    const text = random.one(texts)
    return atLine(data, random, { description_en: text, description_ro: text })
  },
  'line quantity': (data, random) =>
    atLine(data, random, { quantity: random.one(['0', '1', '-1', '0.0001', '1000000']) }),
  'line unit': (data, random) =>
    atLine(data, random, { unit_code: random.one(['', 'C62', 'HUR', 'piece', 'h']) }),
  'line price': (data, random) =>
    atLine(data, random, { unit_price: random.one(['0', '-1', '0.000001', '12.345678']) }),
  'line net': (data, random) => atLine(data, random, { net: near(data.lines[0]?.net ?? '0', random) }),
  'line category': (data, random) => atLine(data, random, { vat_category: random.one(categories) }),
  'line rate': (data, random) => atLine(data, random, { vat_rate: random.one(percents) }),
  'no line': (data) => ({ ...data, lines: data.lines.slice(1) }),
  'line twice': (data) => ({ ...data, lines: [...data.lines, ...data.lines.slice(0, 1)] }),
  kind: of('kind', ['fiscal', 'credit_note']),
  reason: of('reason', ['advance', 'service_bill', 'manual', 'storno']),
}

const names = Object.keys(mutations)

/** The document with one thing changed; `what` names it. */
export function mutated(data: DocumentData, random: RandomDocuments): RandomDocument {
  const what = random.one(names)
  const mutation = mutations[what]
  if (!mutation) throw new Error(`There is no mutation ${what}.`)
  return { what, data: mutation(data, random) }
}

import type { DocumentData } from './document.ts'

type Words = {
  readonly title: { readonly [K in DocumentData['kind']]: string }
  readonly [word: string]: string | { readonly [K in DocumentData['kind']]: string }
}

const en = {
  title: { proforma: 'Proforma invoice', fiscal: 'Invoice', credit_note: 'Credit note' },
  issued: 'Issue date',
  due: 'Due date',
  taxPoint: 'Tax point',
  period: 'Period',
  order: 'Buyer’s reference',
  refers: 'Refers to',
  seller: 'Seller',
  buyer: 'Buyer',
  vatNumber: 'VAT number',
  taxNumber: 'Tax number',
  register: 'Trade register',
  description: 'Description',
  quantity: 'Qty',
  price: 'Unit price',
  net: 'Net',
  rate: 'VAT',
  totalNet: 'Total without VAT',
  totalVat: 'VAT',
  of: 'of',
  total: 'Total',
  paid: 'Paid. Nothing is left to be paid.',
  settled: 'Nothing is to be paid: what was used is covered.',
  payUntil: 'To be paid by',
  bank: 'By bank transfer to',
  quote: 'quoting',
  cancelled: 'Cancelled',
  notPayable: 'This proforma is cancelled. Nothing is to be paid.',
  noFiscal: 'This is not a fiscal document. An invoice is issued when it is paid.',
  local: 'VAT in',
  rateOf: 'at the rate of',
  publishedOn: 'published on',
  by: 'by',
  for: 'For',
  page: 'Page',
} as const satisfies Words

const ro: { readonly [K in keyof typeof en]: K extends 'title' ? Words['title'] : string } = {
  title: { proforma: 'Factură proformă', fiscal: 'Factură', credit_note: 'Factură de stornare' },
  issued: 'Data emiterii',
  due: 'Data scadenței',
  taxPoint: 'Data exigibilității',
  period: 'Perioada',
  order: 'Ref. cumpărător',
  refers: 'Face referire la',
  seller: 'Furnizor',
  buyer: 'Cumpărător',
  vatNumber: 'Cod TVA',
  taxNumber: 'CUI',
  register: 'Reg. com.',
  description: 'Descriere',
  quantity: 'Cant.',
  price: 'Preț unitar',
  net: 'Valoare',
  rate: 'TVA',
  totalNet: 'Total fără TVA',
  totalVat: 'TVA',
  of: 'din',
  total: 'Total',
  paid: 'Achitată. Nu mai este nimic de plată.',
  settled: 'Nimic de plată: consumul este acoperit.',
  payUntil: 'De plătit până la',
  bank: 'Prin transfer bancar în contul',
  quote: 'cu mențiunea',
  cancelled: 'Anulată',
  notPayable: 'Această proformă este anulată. Nu este nimic de plată.',
  noFiscal: 'Acesta nu este un document fiscal. Factura se emite la plată.',
  local: 'TVA în',
  rateOf: 'la cursul',
  publishedOn: 'publicat la',
  by: 'de',
  for: 'Pentru',
  page: 'Pagina',
}

export const words = { en, ro } as const

type Exemption = { readonly code: string; readonly en: string; readonly ro: string }

/** The legal text for sales without VAT, by treatment, with the code of EN 16931. */
const exemptions: Readonly<Record<string, Exemption | undefined>> = {
  reverse_charge: {
    code: 'VATEX-EU-AE',
    en: 'Reverse charge: VAT is to be paid by the recipient (Art. 196, Directive 2006/112/EC).',
    ro: 'Taxare inversă: TVA este datorată de beneficiar (art. 196, Directiva 2006/112/CE).',
  },
  outside_eu: {
    code: 'VATEX-EU-O',
    en: 'Not subject to VAT: supplied outside the European Union (Art. 44 and 59, Directive 2006/112/EC).',
    ro: 'Neimpozabil: locul prestării este în afara Uniunii Europene (art. 44 și 59, Directiva 2006/112/CE).',
  },
  special_territory: {
    code: 'VATEX-EU-O',
    en: 'Not subject to VAT: the territory is outside of the VAT area (Art. 6, Directive 2006/112/EC).',
    ro: 'Neimpozabil: teritoriul este în afara zonei de TVA (art. 6, Directiva 2006/112/CE).',
  },
  not_registered: {
    code: 'VATEX-EU-O',
    en: 'The seller is not registered for VAT.',
    ro: 'Furnizorul nu este înregistrat în scopuri de TVA.',
  },
}

/** Why a group of a document has no VAT; undefined when it has. */
export const exemptionOf = (
  { vat_treatment }: Pick<DocumentData, 'vat_treatment'>,
  { category, treatment = vat_treatment }: DocumentData['vat_groups'][number],
): Exemption | undefined => (category === 'S' ? undefined : exemptions[treatment])

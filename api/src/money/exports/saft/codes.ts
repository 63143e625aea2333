import type { ValueOf } from './elements.ts'
import type { auditFile } from './schema.ts'

// The tax office's nomenclature for SAF-T (tax codes of sales, units), as far as documents here need it.

/** What the tax code of a sale depends on. */
type Taxed = {
  readonly country: string
  /** EN 16931. */
  readonly category: string
  /** In percent, without trailing zeros. */
  readonly rate: string
  /** Why there is no VAT (contract/src/rules/vat.ts). */
  readonly treatment: string
}

type TaxCode = { readonly type: '300' | '000'; readonly code: string; readonly text: string }

const vat = (code: string, text: string): TaxCode => ({ type: '300', code, text })

const domestic: Readonly<Record<string, TaxCode>> = {
  21: vat('310344', 'Livrări de bunuri și prestări de servicii taxabile cu cota de 21%'),
  19: vat('310309', 'Livrări de bunuri și prestări de servicii taxabile cu cota de 19%'),
  11: vat('310351', 'Livrări de bunuri și prestări de servicii taxabile cu cota de 11%'),
}
const oneStopShop = vat('310325', 'Operațiuni declarate prin regimul special OSS')
const toUnionCompany = vat(
  '310307',
  'Prestări de servicii intracomunitare, taxa fiind datorată de beneficiar',
)
const outsideUnion = vat('310305', 'Prestări de servicii pentru care locul prestării este în afara UE')
const none: TaxCode = { type: '000', code: '000000', text: 'Fără taxă' }

/** The tax code of a sale of a seller in Romania; undefined for a rate that has none here. */
export function taxCodeOf({ country, category, rate, treatment }: Taxed): TaxCode | undefined {
  if (category === 'S') return country === 'RO' ? domestic[rate] : oneStopShop
  if (category === 'AE') return toUnionCompany
  return treatment === 'not_registered' ? none : outsideUnion
}

export const taxTypes = { '300': 'TVA', '000': 'Fără taxă' } as const

/** The units of documents here (UN/ECE Recommendation 20), as the nomenclature has them. */
const units: Readonly<Record<string, { readonly code: string; readonly text: string }>> = {
  C62: { code: 'H87', text: 'Bucată' },
  HUR: { code: 'HUR', text: 'Oră' },
  DAY: { code: 'DAY', text: 'Zi' },
  MON: { code: 'MON', text: 'Lună' },
}

export const unitOf = (code: string) => units[code] ?? { code, text: code }

const products: Readonly<Record<string, string>> = {
  usage: 'Servicii de găzduire',
  advance: 'Avans pentru servicii de găzduire',
  advance_regularisation: 'Regularizarea avansului',
  discount: 'Credit promoțional',
  manual: 'Alte servicii',
}

/** The code of what a line is about: one for each kind of line and unit. */
export const productCode = (kind: string, unit: string): string => `${kind}-${unitOf(unit).code}`

type Product = ValueOf<typeof auditFile>['MasterFiles']['Products']['Product'][number]

/** The product of a kind of line and unit. Services have the commodity code of eight zeros. */
export const productOf = (kind: string, unit: string): Product => ({
  ProductCode: productCode(kind, unit),
  GoodsServicesID: service,
  Description: products[kind] ?? kind,
  ProductCommodityCode: '00000000',
  UOMBase: unitOf(unit).code,
  UOMStandard: unitOf(unit).code,
  UOMToUOMBaseConversionFactor: '1',
})

export const service = '02'

/** Accounts of the Romanian chart (OMFP 1802/2014): customers, services sold, advances of customers. */
export const accounts = { customers: '4111', services: '704', advances: '419' } as const

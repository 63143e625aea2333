import type { DocumentData } from './document.ts'
import { countryCodes, countyCodes, currencyCodes, unitCodes } from './invoice-codes.ts'
import { at, sum, text, texts } from './invoice-reader.ts'
import { electronic } from './ubl.ts'
import { type Rule, vatRules } from './vat-rules.ts'
import { type Node, node } from './xml.ts'

// The rules are checked on the electronic invoice itself, so that nothing is between what is checked and what is sent.

const party = (name: 'Supplier' | 'Customer') => `cac:Accounting${name}Party/cac:Party` as const
const [seller, buyer] = [party('Supplier'), party('Customer')]

/** A calendar day as `2026-11-01`. */
function isDay(written: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(written)) return false
  const time = Date.parse(`${written}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(written)
}

type Names = { readonly [rule in 'name' | 'country' | 'street' | 'city' | 'sector' | 'county']: string }

/** The longest texts of a party's parts. */
const limits: readonly (readonly [path: string, most: number])[] = [
  ['cac:PostalAddress/cbc:StreetName', 150],
  ['cac:PostalAddress/cbc:AdditionalStreetName', 100],
  ['cac:PostalAddress/cbc:CityName', 50],
  ['cac:PostalAddress/cbc:PostalZone', 20],
  ['cac:PartyLegalEntity/cbc:RegistrationName', 200],
  ['cac:Contact/cbc:Telephone', 100],
  ['cac:Contact/cbc:ElectronicMail', 100],
]

/** In characters, as the rules of the office count them, and not in units of UTF-16. */
const lengthOf = (text: string): number => [...text].length

const padded = (most: number): string => `BR-RO-L${String(most).padStart(3, '0')}`

function partyRules(found: Node | undefined, names: Names): Rule[] {
  const address = (part: string) => text(found, `cac:PostalAddress/${part}`)
  const country = address('cac:Country/cbc:IdentificationCode')
  const county = address('cbc:CountrySubentity')
  const home = country === 'RO'
  const vat = texts(found, 'cac:PartyTaxScheme/cbc:CompanyID')
  const isVat = text(found, 'cac:PartyTaxScheme/cac:TaxScheme/cbc:ID') === 'VAT'
  return [
    [names.name, text(found, 'cac:PartyLegalEntity/cbc:RegistrationName') !== ''],
    [names.country, country !== ''],
    ['BR-CL-14', country === '' || countryCodes.has(country)],
    [names.street, address('cbc:StreetName') !== ''],
    [names.city, address('cbc:CityName') !== ''],
    [names.county, !home || countyCodes.has(county)],
    [names.sector, !home || county !== 'RO-B' || /^SECTOR[1-6]$/.test(address('cbc:CityName'))],
    ['UBL-SR-53', at(found, 'cac:PartyTaxScheme').length === vat.length],
    [
      'BR-CO-09',
      !isVat || vat.every((one) => one === '' || countryCodes.has(one.slice(0, 2)) || one.startsWith('EL')),
    ],
    ...limits.map(
      ([path, most]): Rule => [padded(most), texts(found, path).every((one) => lengthOf(one) <= most)],
    ),
  ]
}

function amountRules(root: Node): Rule[] {
  const lines = [...at(root, 'cac:InvoiceLine'), ...at(root, 'cac:CreditNoteLine')]
  const totals = at(root, 'cac:LegalMonetaryTotal')[0]
  const amount = (name: string) => sum(totals, `cbc:${name}`)
  const currency = text(root, 'cbc:DocumentCurrencyCode')
  const taxCurrency = text(root, 'cbc:TaxCurrencyCode')
  const stated = at(root, 'cac:TaxTotal/cbc:TaxAmount')
  const inCurrency = (code: string) => stated.filter(({ attributes }) => attributes.currencyID === code)
  const vat = at(root, 'cac:TaxTotal')[0]
  const priced = lines.map((line) => sum(line, 'cac:Price/cbc:PriceAmount'))
  const units = lines.flatMap((line) =>
    [...at(line, 'cbc:InvoicedQuantity'), ...at(line, 'cbc:CreditedQuantity')].map(
      ({ attributes }) => attributes.unitCode ?? '',
    ),
  )
  const net = lines.reduce((all, line) => all.plus(sum(line, 'cbc:LineExtensionAmount')), amount('None'))
  return [
    ['BR-16', lines.length > 0],
    ['BR-25', lines.every((line) => text(line, 'cac:Item/cbc:Name') !== '')],
    ['BR-27', priced.every((price) => price.gte(0))],
    ['BR-CL-23', units.every((unit) => unitCodes.has(unit))],
    ['BR-CO-10', net.eq(amount('LineExtensionAmount'))],
    ['BR-CO-13', amount('LineExtensionAmount').eq(amount('TaxExclusiveAmount'))],
    [
      'BR-CO-15',
      inCurrency(currency).length === 1 &&
        amount('TaxExclusiveAmount').plus(sum(vat, 'cbc:TaxAmount')).eq(amount('TaxInclusiveAmount')),
    ],
    ['BR-CO-16', amount('TaxInclusiveAmount').minus(amount('PrepaidAmount')).eq(amount('PayableAmount'))],
    [
      'BR-CO-25',
      root.name !== 'Invoice' || amount('PayableAmount').lte(0) || text(root, 'cbc:DueDate') !== '',
    ],
    ['BR-05', currency !== ''],
    ['BR-CL-04', currency === '' || currencyCodes.has(currency)],
    ['BR-CL-05', taxCurrency === '' || currencyCodes.has(taxCurrency)],
    ['BR-CL-03', stated.every(({ attributes }) => currencyCodes.has(attributes.currencyID ?? ''))],
    ['BR-53', taxCurrency === '' || inCurrency(taxCurrency).length > 0],
    ['BR-RO-030', currency === 'RON' || taxCurrency === 'RON' || text(root, `${seller}/${country}`) !== 'RO'],
  ]
}

const country = 'cac:PostalAddress/cac:Country/cbc:IdentificationCode'

const reference = 'cac:BillingReference/cac:InvoiceDocumentReference'
const dated = ['cbc:IssueDate', 'cbc:DueDate', 'cbc:TaxPointDate', `${reference}/cbc:IssueDate`]

function dayRules(root: Node): Rule[] {
  const period = (end: string) => texts(root, `cac:InvoicePeriod/cbc:${end}Date`)
  const [start, end] = [period('Start'), period('End')]
  const days = [...dated.flatMap((path) => texts(root, path)), ...start, ...end]
  return [
    ['BR-03', text(root, 'cbc:IssueDate') !== ''],
    ['BR-RO-DT', days.every(isDay)],
    ['BR-29', start.length === 0 || end.length === 0 || start.join() <= end.join()],
  ]
}

function headRules(root: Node): Rule[] {
  // The rules about the parties' numbers name the lines of invoices alone.
  const isTaxed = texts(root, 'cac:InvoiceLine/cac:Item/cac:ClassifiedTaxCategory/cbc:ID').some(
    (one) => one !== 'O',
  )
  const numbersOf = (who: string, path: string) => texts(root, `${who}/${path}/cbc:CompanyID`)
  const identified = [
    ...numbersOf(buyer, 'cac:PartyLegalEntity'),
    ...numbersOf(buyer, 'cac:PartyTaxScheme').filter((one) => one !== ''),
  ]
  const sellerIds = numbersOf(seller, 'cac:PartyLegalEntity')
  const hasVat = text(root, `${seller}/cac:PartyTaxScheme/cac:TaxScheme/cbc:ID`) === 'VAT'
  return [
    ['BR-02', text(root, 'cbc:ID') !== ''],
    ['BR-RO-010', /[0-9]/.test(text(root, 'cbc:ID'))],
    [
      'BR-RO-001',
      text(root, 'cbc:CustomizationID').includes('CIUS-RO') === (text(root, `${seller}/${country}`) === 'RO'),
    ],
    ['BR-RO-065', !isTaxed || numbersOf(seller, 'cac:PartyTaxScheme').some((one) => one !== '')],
    ['BR-RO-120', !isTaxed || identified.length > 0],
    ['BR-CO-26', hasVat || sellerIds.length > 0],
    [
      'BR-55',
      at(root, 'cac:BillingReference').every(
        (one) => at(one, 'cac:InvoiceDocumentReference/cbc:ID').length > 0,
      ),
    ],
    [
      'BR-50',
      at(root, 'cac:PaymentMeans').every((one) => text(one, 'cac:PayeeFinancialAccount/cbc:ID') !== ''),
    ],
    [
      'BR-RO-L200',
      ['cbc:ID', 'cac:OrderReference/cbc:ID', `${reference}/cbc:ID`].every((path) =>
        texts(root, path).every((one) => lengthOf(one) <= 200),
      ),
    ],
    ['BR-RO-L140', texts(root, 'cac:PaymentMeans/cbc:PaymentID').every((one) => lengthOf(one) <= 140)],
    ['BR-RO-L300', texts(root, 'cbc:Note').every((one) => lengthOf(one) <= 300)],
  ]
}

/**
 * The rules of EN 16931 and CIUS-RO that an electronic invoice would violate, by name; empty when it can be
 * offered. Only offline rules: the tax office checks the rest. Those of CIUS-RO are for a file that names it.
 */
export function brokenRules(data: DocumentData): string[] {
  const root = node(electronic(data))
  if (root === null) return ['BR-01']
  const rules = [
    ...partyRules(at(root, seller)[0], {
      name: 'BR-06',
      country: 'BR-09',
      street: 'BR-RO-081',
      city: 'BR-RO-091',
      sector: 'BR-RO-100',
      county: 'BR-RO-110',
    }),
    ...partyRules(at(root, buyer)[0], {
      name: 'BR-07',
      country: 'BR-11',
      street: 'BR-RO-082',
      city: 'BR-RO-092',
      sector: 'BR-RO-101',
      county: 'BR-RO-111',
    }),
    ...headRules(root),
    ...dayRules(root),
    ...amountRules(root),
    ...vatRules(root),
  ]
  const isRomanian = text(root, 'cbc:CustomizationID').includes('CIUS-RO')
  const isMeant = (rule: string) => isRomanian || rule === 'BR-RO-001' || !rule.startsWith('BR-RO-')
  return [...new Set(rules.filter(([rule, holds]) => !holds && isMeant(rule)).map(([rule]) => rule))]
}

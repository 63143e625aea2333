import Big from 'big.js'
import * as z from 'zod/mini'
import { buyer } from '#money/invoices/documents/document.ts'
import { accounts, productCode, service, taxCodeOf, unitOf } from './codes.ts'
import type { ValueOf } from './elements.ts'
import { placeOf } from './header.ts'
import type { invoice } from './schema.ts'

const line = z.object({
  position: z.string(),
  kind: z.string(),
  description: z.string(),
  quantity: z.string(),
  unit_code: z.string(),
  unit_price: z.string(),
  country: z.string(),
  category: z.string(),
  rate: z.string(),
  treatment: z.string(),
  net: z.string(),
  net_local: z.string(),
  vat: z.string(),
  vat_local: z.string(),
})

/** A row of `documents`. */
export const document = z.object({
  full_number: z.string(),
  kind: z.enum(['fiscal', 'credit_note']),
  issue_date: z.string(),
  tax_point_date: z.string(),
  buyer,
  currency: z.string(),
  fx_rate: z.nullable(z.string()),
  corrects: z.nullable(z.string()),
  takes_back_advance: z.boolean(),
  customer: z.string(),
  lines: z.array(line),
})

type Line = z.infer<typeof line>
type Document = z.infer<typeof document>
type Invoice = ValueOf<typeof invoice>
type InvoiceLine = Invoice['InvoiceLine'][number]
type Tax = InvoiceLine['TaxInformation']
type Amount = InvoiceLine['InvoiceLineAmount']

/** An amount in lei and in the currency of a document. */
type Both = { readonly lei: Big; readonly own: Big }

const amountOf = ({ currency, fx_rate }: Document, { lei, own }: Both): Amount => ({
  Amount: lei.toFixed(2),
  CurrencyCode: currency,
  CurrencyAmount: own.toFixed(2),
  ExchangeRate: currency === 'RON' ? null : fx_rate,
})

/** The tax of a base in lei. Throws for a rate without a code, of which no file is begun. */
function taxOf(data: Document, of: Line, { base, tax }: { base: Big; tax: Both }): Tax {
  const found = taxCodeOf(of)
  if (!found) throw new Error(`The VAT of document ${data.full_number} has no code.`)
  return {
    TaxType: found.type,
    TaxCode: found.code,
    TaxPercentage: of.rate,
    TaxBase: base.toFixed(2),
    TaxAmount: amountOf(data, tax),
  }
}

const isAdvance = ({ takes_back_advance }: Document, { kind }: Line): boolean =>
  takes_back_advance || kind === 'advance' || kind === 'advance_regularisation'

/** A line. What lowers the sale is a debit of the same positive amount, on invoices and on credit notes. */
function lineOf(data: Document, of: Line): InvoiceLine {
  const isDebit = new Big(of.net_local).lt(0)
  const toward = (exact: string): Big => new Big(exact).times(isDebit ? -1 : 1)
  const net = { lei: toward(of.net_local), own: toward(of.net) }
  const tax = { lei: toward(of.vat_local), own: toward(of.vat) }
  return {
    LineNumber: of.position,
    AccountID: isAdvance(data, of) ? accounts.advances : accounts.services,
    GoodsServicesID: service,
    ProductCode: productCode(of.kind, of.unit_code),
    Quantity: new Big(of.quantity).abs().toFixed(),
    InvoiceUOM: unitOf(of.unit_code).code,
    UnitPrice: of.unit_price,
    TaxPointDate: data.tax_point_date,
    References: data.corrects === null ? null : { CreditNote: { Reference: data.corrects } },
    Description: of.description,
    InvoiceLineAmount: amountOf(data, net),
    DebitCreditIndicator: isDebit ? 'D' : 'C',
    TaxInformation: taxOf(data, of, { base: net.lei, tax }),
  }
}

const sumOf = (lines: readonly Line[], amount: 'net_local' | 'vat' | 'vat_local'): Big =>
  lines.reduce((sum, one) => sum.plus(one[amount]), new Big(0))

/** The sums of a document by tax; they are below zero where a credit note lowers the sale. */
function taxTotals(data: Document): Tax[] {
  const byTax = Map.groupBy(data.lines, (one) => [taxCodeOf(one)?.code, one.rate, one.country].join(' '))
  return [...byTax.values()].flatMap((lines) => {
    const [first] = lines
    const tax = { lei: sumOf(lines, 'vat_local'), own: sumOf(lines, 'vat') }
    return first ? [taxOf(data, first, { base: sumOf(lines, 'net_local'), tax })] : []
  })
}

/** An invoice (UNTDID 1001: 380) or a credit note (381) of the file. */
export function invoiceOf(data: Document): Invoice {
  const net = sumOf(data.lines, 'net_local')
  return {
    InvoiceNo: data.full_number,
    CustomerInfo: { CustomerID: data.customer, BillingAddress: placeOf(data.buyer, 'BillingAddress') },
    AccountID: accounts.customers,
    InvoiceDate: data.issue_date,
    InvoiceType: data.kind === 'credit_note' ? '381' : '380',
    SelfBillingIndicator: '0',
    InvoiceLine: data.lines.map((of) => lineOf(data, of)),
    InvoiceDocumentTotals: {
      TaxInformationTotals: taxTotals(data),
      NetTotal: net.toFixed(2),
      GrossTotal: net.plus(sumOf(data.lines, 'vat_local')).toFixed(2),
    },
  }
}

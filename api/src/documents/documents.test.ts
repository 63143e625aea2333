import { afterAll, expect, test } from 'vitest'
import { serviceBill } from '../../test/support/document-data.ts'
import { documentMaker } from '../adapters/document-maker.ts'
import { brokenRules } from './cius-ro.ts'
import type { DocumentData } from './document.ts'
import { ubl } from './ubl.ts'
import { xml } from './xml.ts'

const maker = documentMaker({ idle: 50 })
afterAll(() => maker.close())

const bill = serviceBill()
const elements = (text: string): string[] =>
  [...text.matchAll(/<([A-Za-z:]+)[ >]/g)].map(([, name = '']) => name)

/** The texts of all elements of a name. */
const all = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)<`, 'g'))].map(([, inside = '']) => inside)

test('a bill is an invoice by CIUS-RO, whose elements are in the order of the schema', () => {
  const text = ubl(bill)
  const often = ['cbc:ID', 'cac:TaxTotal', 'cac:InvoiceLine', 'cbc:DueDate', 'cbc:TaxPointDate']
  const top = elements(text).filter((name) => !often.includes(name))
  expect(top.slice(0, 8)).toEqual([
    'Invoice',
    'cbc:CustomizationID',
    'cbc:IssueDate',
    'cbc:InvoiceTypeCode',
    'cbc:DocumentCurrencyCode',
    'cbc:TaxCurrencyCode',
    'cac:InvoicePeriod',
    'cbc:StartDate',
  ])
  expect(all(text, 'cbc:InvoiceTypeCode')).toEqual(['380'])
  expect(all(text, 'cbc:CustomizationID')[0]).toMatch(/CIUS-RO:1\.0\.1$/)
  const places = [
    'InvoicePeriod',
    'OrderReference',
    'BillingReference',
    'AccountingSupplierParty',
    'AccountingCustomerParty',
    'PaymentMeans',
    'TaxTotal',
    'LegalMonetaryTotal',
    'InvoiceLine',
  ].map((name) => text.indexOf(`<cac:${name}>`))
  expect(places).toEqual([...places].sort((a, b) => a - b))
})

test('sums and VAT agree, and VAT stands in lei without parts', () => {
  const text = ubl(bill)
  expect(all(text, 'cbc:TaxAmount')).toEqual(['258.30', '258.30', '1162.35'])
  expect(text).toContain('<cbc:TaxAmount currencyID="RON">1162.35</cbc:TaxAmount></cac:TaxTotal>')
  expect(all(text, 'cbc:PayableAmount')).toEqual(['1488.30'])
  expect(all(text, 'cbc:InvoicedQuantity')).toEqual(['1', '-1', '-1'])
  expect(all(text, 'cbc:PriceAmount')).toEqual(['1300', '20', '50'])
})

test('an advance is paid: nothing is left to be paid', () => {
  const text = ubl(serviceBill({ reason: 'advance', period_from: null, period_to: null, refers_to: [] }))
  expect(all(text, 'cbc:PrepaidAmount')).toEqual(['1488.30'])
  expect(all(text, 'cbc:PayableAmount')).toEqual(['0.00'])
  expect(text).not.toContain('cac:PaymentMeans')
})

const taken: Partial<DocumentData> = {
  kind: 'credit_note',
  reason: 'storno',
  net: '-50.00',
  vat: '-10.50',
  total: '-60.50',
  vat_local: '-47.25',
  vat_groups: [{ country: 'RO', category: 'S', rate: '21', net: '-50.00', vat: '-10.50' }],
  lines: bill.lines.slice(0, 1).map((line) => ({ ...line, quantity: '-1', unit_price: '50', net: '-50.00' })),
}

test('a credit note says without the minus what it takes back, and of what', () => {
  const text = ubl(serviceBill(taken))
  expect(all(text, 'cbc:CreditNoteTypeCode')).toEqual(['381'])
  expect(all(text, 'cbc:PayableAmount')).toEqual(['60.50'])
  expect(all(text, 'cbc:CreditedQuantity')).toEqual(['1'])
  expect(text).toContain('<cac:InvoiceDocumentReference><cbc:ID>HST-1001</cbc:ID>')
  expect(text).not.toContain('cbc:DueDate')
})

test('what is not subject to VAT tells nobody’s VAT number, and why; a reverse charge tells both', () => {
  const zero = (category: 'O' | 'AE', treatment: string) =>
    ubl(
      serviceBill({
        vat_treatment: treatment,
        vat_groups: [{ country: 'RO', category, rate: '0', net: '1230.00', vat: '0.00' }],
        lines: bill.lines.map((line) => ({ ...line, vat_category: category, vat_rate: '0' })),
      }),
    )
  const abroad = zero('O', 'outside_eu')
  expect(abroad).not.toContain('RO12345674')
  expect(all(abroad, 'cbc:TaxExemptionReasonCode')).toEqual(['VATEX-EU-O'])
  expect(all(abroad, 'cbc:Percent')).toEqual([])
  const reversed = zero('AE', 'reverse_charge')
  expect(reversed).toContain('RO12345674')
  expect(reversed).toContain('RO14399840')
  expect(all(reversed, 'cbc:TaxExemptionReasonCode')).toEqual(['VATEX-EU-AE'])
})

test('what is written into a document cannot end an element', () => {
  const name = '</cbc:ID>]]><x a="1">&\u0000\u001b'
  expect(xml(['a', name, { b: name }])).toBe(
    '<a b="&lt;/cbc:ID&gt;]]&gt;&lt;x a=&quot;1&quot;&gt;&amp;">&lt;/cbc:ID&gt;]]&gt;&lt;x a=&quot;1&quot;&gt;&amp;</a>',
  )
  expect(ubl(bill)).toContain('Ștefan &amp; Țiței &lt;Fiii&gt; SRL')
})

test.each<[rule: string, Partial<DocumentData>]>([
  ['BR-RO-010', { full_number: 'HST' }],
  ['BR-RO-030', { local_currency: 'EUR' }],
  ['BR-53', { fx_rate: null }],
  ['BR-RO-065', { seller: { ...bill.seller, tax_number: ' ' } }],
  ['BR-S-02', { seller: { ...bill.seller, vat_number: null } }],
  ['BR-RO-080', { seller: { ...bill.seller, address1: ' ' } }],
  ['BR-RO-090', { seller: { ...bill.seller, city: '' } }],
  ['BR-RO-100', { seller: { ...bill.seller, county_code: 'RO-B', city: 'București' } }],
  ['BR-RO-110', { seller: { ...bill.seller, county_code: 'RO-XX' } }],
  ['BR-RO-081', { buyer: { ...bill.buyer, address1: '' } }],
  ['BR-RO-091', { buyer: { ...bill.buyer, city: ' ' } }],
  ['BR-RO-101', { buyer: { ...bill.buyer, city: 'Sector 7' } }],
  ['BR-RO-111', { buyer: { ...bill.buyer, county_code: null } }],
  ['BR-RO-L150', { buyer: { ...bill.buyer, address1: 'x'.repeat(151) } }],
  ['BR-RO-L100', { buyer: { ...bill.buyer, address2: 'x'.repeat(101) } }],
  ['BR-RO-L050', { buyer: { ...bill.buyer, county_code: 'RO-CJ', city: 'x'.repeat(51) } }],
  ['BR-RO-L020', { buyer: { ...bill.buyer, zip_code: 'x'.repeat(21) } }],
  ['BR-RO-L200', { buyer: { ...bill.buyer, name: 'x'.repeat(201) } }],
  ['BR-RO-L300', { notes: 'x'.repeat(301) }],
  ['BR-CO-10', { net: '1231.00', total: '1489.30' }],
  ['BR-CO-14', { vat: '258.31', total: '1488.31' }],
  ['BR-CO-15', { total: '1488.31' }],
  ['BR-CO-17', { vat_groups: [{ country: 'RO', category: 'S', rate: '19', net: '1230.00', vat: '258.30' }] }],
  ['BR-DEC', { vat_local: '1162.355' }],
  ['BR-S-05', { vat_groups: [{ country: 'RO', category: 'S', rate: '0', net: '1230.00', vat: '258.30' }] }],
  [
    'BR-AE-02',
    {
      buyer: { ...bill.buyer, vat_number: null },
      vat_groups: [{ country: 'RO', category: 'AE', rate: '0', net: '1230.00', vat: '0' }],
    },
  ],
  ['BR-55', { ...taken, refers_to: [] }],
  ['BR-29', { period_from: '2026-11-01' }],
  ['BR-03', { issue_date: '1.11.2026' }],
])('%s is found to be broken', (rule, more) => {
  expect(brokenRules(serviceBill(more))).toContain(rule)
})

test('a sound bill and a sound credit note break none', () => {
  expect(brokenRules(bill)).toEqual([])
  expect(brokenRules(serviceBill(taken))).toEqual([])
})

test('PDFs are laid out in both languages by a thread that ends when there is nothing to do, and begins again', async () => {
  const pdfs = await Promise.all(
    (['en', 'ro'] as const).map((locale) =>
      maker.pdf(
        serviceBill({ locale }),
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>',
      ),
    ),
  )
  for (const pdf of pdfs) expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect((await maker.pdf(bill, null)).length).toBeGreaterThan(10_000)
})

test('what cannot be laid out is told, and harms nobody else', async () => {
  const [broken, sound] = await Promise.allSettled([maker.pdf(bill, '<svg'), maker.pdf(bill, null)])
  expect([broken?.status, sound?.status]).toEqual(['rejected', 'fulfilled'])
})

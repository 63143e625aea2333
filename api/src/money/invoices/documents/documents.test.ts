import { once } from 'node:events'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { serviceBill } from '#test/support/document-data.ts'
import { mutated } from '#test/support/mutated-documents.ts'
import { readPdf } from '#test/support/pdf.ts'
import { pngOf } from '#test/support/png.ts'
import { buyerKinds, documentKinds, RandomDocuments } from '#test/support/random-documents.ts'
import { isWhole, runSeed } from '#test/support/sweep.ts'
import { seeded } from '#test/support/usage-workload.ts'
import { brokenRules } from './cius-ro.ts'
import type { DocumentData } from './document.ts'
import { documentMaker } from './document-maker.ts'
import { ubl } from './ubl.ts'
import { xml } from './xml.ts'

const maker = documentMaker()
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

test('a consumer, who has no number, has thirteen zeros', () => {
  const person = { vat_number: null, registration_number: null, commerce_code: null }
  const text = ubl(serviceBill({ buyer: { ...bill.buyer, ...person } }))
  const [, buyer = ''] = text.split('<cac:AccountingCustomerParty>')
  expect(all(buyer, 'cbc:CompanyID')).toEqual(['0000000000000'])
})

test('a credit note says without the minus what it takes back, and of what', () => {
  const text = ubl(serviceBill(taken))
  expect(all(text, 'cbc:CreditNoteTypeCode')).toEqual(['381'])
  expect(all(text, 'cbc:PayableAmount')).toEqual(['60.50'])
  expect(all(text, 'cbc:CreditedQuantity')).toEqual(['1'])
  expect(text).toContain('<cac:InvoiceDocumentReference><cbc:ID>HST-1001</cbc:ID>')
  expect(text).not.toContain('cbc:DueDate')
})

test('sales without VAT show the reason and no VAT number; a reverse charge shows both numbers', () => {
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

const mixed = serviceBill({
  vat_groups: [
    { country: 'RO', category: 'S', rate: '21', net: '1280.00', vat: '268.80' },
    { country: 'RO', category: 'AE', rate: '0', treatment: 'reverse_charge', net: '-50.00', vat: '0.00' },
  ],
  vat: '268.80',
  total: '1498.80',
  vat_local: '1209.60',
  lines: bill.lines.map((line, at) => (at === 2 ? { ...line, vat_category: 'AE', vat_rate: '0' } : line)),
})

test('a bill that mixes treatments gives the reason of its group, in the XML and in the PDF', async () => {
  expect(brokenRules(mixed)).toEqual([])
  const [taxed = '', reversed = ''] = ubl(mixed).split('<cac:TaxSubtotal>').slice(1)
  expect(all(taxed, 'cbc:TaxExemptionReasonCode')).toEqual([])
  expect(all(reversed, 'cbc:TaxExemptionReasonCode')).toEqual(['VATEX-EU-AE'])
  expect(all(reversed, 'cbc:TaxExemptionReason')).toEqual([
    'Taxare inversă: TVA este datorată de beneficiar (art. 196, Directiva 2006/112/CE).',
  ])
  const { rows } = await readPdf(await maker.pdf({ ...mixed, locale: 'en' }, null))
  expect(rows.join(' ')).toContain('For −50.00 USD: Reverse charge: VAT is to be paid by the recipient')
})

test('two reasons of one category are one group of the XML that gives both', () => {
  const group = { country: 'RO', category: 'O', rate: '0', vat: '0.00' } as const
  const text = ubl(
    serviceBill({
      vat_groups: [
        { ...group, treatment: 'outside_eu', net: '1280.00' },
        { ...group, treatment: 'special_territory', net: '-50.00' },
      ],
    }),
  )
  expect(all(text, 'cbc:TaxExemptionReasonCode')).toEqual(['VATEX-EU-O'])
  expect(all(text, 'cbc:TaxExemptionReason')[0]).toMatch(/^Neimpozabil: locul .* Neimpozabil: teritoriul/)
})

test('texts in a document cannot close an element', () => {
  const name = '</cbc:ID>]]><x a="1">&\u0000\u001b'
  expect(xml(['a', name, { b: name }])).toBe(
    '<a b="&lt;/cbc:ID&gt;]]&gt;&lt;x a=&quot;1&quot;&gt;&amp;">&lt;/cbc:ID&gt;]]&gt;&lt;x a=&quot;1&quot;&gt;&amp;</a>',
  )
  expect(ubl(bill)).toContain('Ștefan &amp; Țiței &lt;Fiii&gt; SRL')
})

const group = bill.vat_groups.slice(0, 1)
const changed = (more: Partial<DocumentData['vat_groups'][number]>) =>
  group.map((one) => ({ ...one, ...more }))
const line = bill.lines.slice(0, 1)

test.each<[rule: string, Partial<DocumentData>]>([
  ['BR-02', { full_number: ' ' }],
  ['BR-RO-010', { full_number: 'HST' }],
  ['BR-RO-030', { local_currency: 'EUR' }],
  ['BR-RO-030', { fx_rate: null }],
  ['BR-CL-04', { currency: 'BGN' }],
  ['BR-CL-05', { local_currency: 'LEI' }],
  ['BR-05', { currency: '' }],
  ['BR-RO-065', { seller: { ...bill.seller, vat_number: null, tax_number: ' ' } }],
  ['BR-S-02', { seller: { ...bill.seller, vat_number: null, tax_number: '' } }],
  ['UBL-SR-53', { seller: { ...bill.seller, vat_number: null, tax_number: '' } }],
  ['BR-06', { seller: { ...bill.seller, name: ' ' } }],
  ['BR-07', { buyer: { ...bill.buyer, name: '' } }],
  ['BR-09', { seller: { ...bill.seller, country: '' } }],
  ['BR-CL-14', { buyer: { ...bill.buyer, country: 'UK' } }],
  ['BR-RO-081', { seller: { ...bill.seller, address1: ' ' } }],
  ['BR-RO-091', { seller: { ...bill.seller, city: '' } }],
  ['BR-RO-100', { seller: { ...bill.seller, county_code: 'RO-B', city: 'București' } }],
  ['BR-RO-110', { seller: { ...bill.seller, county_code: 'RO-XX' } }],
  ['BR-RO-082', { buyer: { ...bill.buyer, address1: '' } }],
  ['BR-RO-092', { buyer: { ...bill.buyer, city: ' ' } }],
  ['BR-RO-101', { buyer: { ...bill.buyer, city: 'Sector 7' } }],
  ['BR-RO-111', { buyer: { ...bill.buyer, county_code: null } }],
  ['BR-CO-09', { buyer: { ...bill.buyer, vat_number: '14399840' } }],
  [
    'BR-RO-120',
    {
      buyer: {
        ...bill.buyer,
        country: 'AT',
        vat_number: ' ',
        registration_number: null,
        commerce_code: null,
      },
    },
  ],
  ['BR-RO-L150', { buyer: { ...bill.buyer, address1: 'x'.repeat(151) } }],
  ['BR-RO-L100', { buyer: { ...bill.buyer, address2: 'x'.repeat(101) } }],
  ['BR-RO-L100', { seller: { ...bill.seller, phone: '1'.repeat(101) } }],
  ['BR-RO-L050', { buyer: { ...bill.buyer, county_code: 'RO-CJ', city: 'x'.repeat(51) } }],
  ['BR-RO-L020', { buyer: { ...bill.buyer, zip_code: 'x'.repeat(21) } }],
  ['BR-RO-L200', { buyer: { ...bill.buyer, name: 'x'.repeat(201) } }],
  ['BR-RO-L140', { full_number: `HST-${'1'.repeat(150)}` }],
  ['BR-25', { lines: line.map((one) => ({ ...one, description_en: ' ', description_ro: ' ' })) }],
  ['BR-27', { lines: line.map((one) => ({ ...one, unit_price: '-1' })) }],
  ['BR-CL-23', { lines: line.map((one) => ({ ...one, unit_code: 'piece' })) }],
  ['BR-CO-10', { net: '1231.00', total: '1489.30' }],
  ['BR-CO-14', { vat: '258.31', total: '1488.31' }],
  ['BR-CO-15', { total: '1488.31' }],
  ['BR-CO-15', { local_currency: 'USD' }],
  ['BR-CO-17', { vat_groups: changed({ rate: '19' }) }],
  ['BR-CO-18', { vat_groups: [] }],
  ['BR-CO-25', { due_date: '' }],
  ['BR-S-01', { vat_groups: [] }],
  ['BR-S-05', { lines: line.map((one) => ({ ...one, vat_rate: '0' })) }],
  ['BR-S-08', { vat_groups: changed({ net: '1210.00' }) }],
  ['BR-S-09', { vat_groups: changed({ vat: '260.30' }) }],
  ['BR-AE-01', { lines: line.map((one) => ({ ...one, vat_category: 'AE' as const })) }],
  ['BR-AE-08', { vat_groups: changed({ category: 'AE', rate: '0', vat: '0' }) }],
  ['BR-AE-09', { vat_groups: changed({ category: 'AE', rate: '0' }) }],
  ['BR-AE-10', { vat_groups: changed({ category: 'AE', rate: '0', vat: '0' }) }],
  ['BR-O-10', { vat_groups: changed({ category: 'O', rate: '0', vat: '0' }) }],
  ['BR-O-11', { vat_groups: [...group, ...changed({ category: 'O', rate: '0', vat: '0' })] }],
  ['BR-O-12', { vat_groups: changed({ category: 'O', rate: '0', vat: '0' }) }],
  ['BR-55', { refers_to: [{ full_number: '', issue_date: '2026-10-03' }] }],
  ['BR-29', { period_from: '2026-11-01' }],
  ['BR-03', { issue_date: '' }],
  ['BR-RO-DT', { issue_date: '1.11.2026' }],
  ['BR-RO-DT', { due_date: '2026-02-30' }],
])('%s is found to be broken', (rule, more) => {
  expect(brokenRules(serviceBill(more))).toContain(rule)
})

const documents = new RandomDocuments(seeded(runSeed))
const many = isWhole ? 20_000 : 400

test(`${many} random documents of every kind and buyer break no rule`, () => {
  const broken = Array.from({ length: many }, () => documents.next()).flatMap(({ what, data }) =>
    brokenRules(data).map((rule) => `${what}: ${rule}`),
  )
  expect(broken).toEqual([])
})

test('each kind of document of each kind of buyer breaks no rule', () => {
  const broken = buyerKinds.flatMap((buyer) =>
    documentKinds.flatMap((kind) =>
      brokenRules(documents.next(kind, buyer).data).map((rule) => `${kind}: ${rule}`),
    ),
  )
  expect(broken).toEqual([])
})

test('a document with one thing wrong is judged, whatever is wrong', () => {
  const judged = Array.from({ length: many }, () =>
    brokenRules(mutated(documents.next().data, documents).data),
  )
  // About half of the changes break a rule; the others are only odd.
  const found = judged.filter((rules) => rules.length > 0).length / many
  expect(found).toBeGreaterThan(0.25)
  expect(found).toBeLessThan(0.85)
})

test('neither letters beyond the first plane nor a long e-mail address keep a bill from the tax office', () => {
  const email = `${'a'.repeat(60)}@${'b'.repeat(60)}.example`
  const names = { name: '𝒜'.repeat(200), address1: '𝒜'.repeat(150), address2: '𝒜'.repeat(100), email }
  const odd = serviceBill({ buyer: { ...bill.buyer, ...names }, po_number: '𝒜'.repeat(200) })
  expect(brokenRules(odd)).toEqual([])
  expect(ubl(odd)).not.toContain(email)
})

test('a sound bill and a sound credit note break none', () => {
  expect(brokenRules(bill)).toEqual([])
  expect(brokenRules(serviceBill(taken))).toEqual([])
})

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#c0ffee" d="M0 0h9v9z"/></svg>'

test.each<[locale: 'en' | 'ro', title: string, says: readonly string[]]>([
  [
    'en',
    'Invoice HST-1042',
    [
      'Seller Buyer Issue date 1 November 2026',
      'Refers to HST-1001',
      'Description Qty Unit price (USD) Net (USD) VAT',
      'Hosting, Production / web-eu1, October 2026 1 1,300.00 1,300.00 21%',
      'Promotional credit −1 20.00 −20.00 21%',
      'Settlement of advance HST-1001 −1 50.00 −50.00 21%',
      'Total without VAT 1,230.00',
      'VAT 21% of 1,230.00 258.30',
      'Total (USD) 1,488.30',
      'To be paid by 15 November 2026: 1,488.30 USD.',
    ],
  ],
  [
    'ro',
    'Factură HST-1042',
    [
      'Furnizor Cumpărător Data emiterii 1 noiembrie 2026',
      'Face referire la HST-1001',
      'Descriere Cant. Preț unitar (USD) Valoare (USD) TVA',
      'Găzduire, Production / web-eu1, octombrie 2026 1 1,300.00 1,300.00 21%',
      'Credit promoțional −1 20.00 −20.00 21%',
      'Regularizare avans HST-1001 −1 50.00 −50.00 21%',
      'Total fără TVA 1,230.00',
      'TVA 21% din 1,230.00 258.30',
      'Total (USD) 1,488.30',
      'De plătit până la 15 noiembrie 2026: 1,488.30 USD.',
    ],
  ],
])('the PDF in %s says the same as the document, row by row', async (locale, title, says) => {
  const read = await readPdf(await maker.pdf(serviceBill({ locale }), logo))
  expect(read).toMatchObject({ title, pages: 1, rows: expect.arrayContaining([...says]) })
  const whole = read.rows.join('\n')
  for (const part of ['HST-1042', bill.seller.name, bill.buyer.name, 'RO12345674', 'RO14399840', 'PO-77'])
    expect(whole).toContain(part)
  expect(whole).toMatch(/(Period|Perioada) 1 ?– ?31 (October|octombrie) 2026/)
  // The letters of Romanian in either case, with the comma below and not the cedilla of Turkish.
  expect(whole).toMatch(/Șoseaua Virtuții 148/)
  for (const part of ['bl. Î2, ap. 7', 'Sector 6, București', 'Țiței']) expect(whole).toContain(part)
  expect(whole).not.toMatch(/[ŞşŢţ\ufffd]/)
})

const picture = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`

test('a mark stands beside the name, a word mark in its place, and a broken image costs no document', async () => {
  const read = async (image: string, isMark: boolean) =>
    (await readPdf(await maker.pdf(serviceBill(), { image, isMark }))).rows.slice(0, 2).join(' ')
  expect(await read(picture(pngOf(96, 64)), true)).toContain(bill.seller.name)
  expect(await read(picture(pngOf(200, 50)), false)).not.toContain(bill.seller.name)
  expect(await read(picture(Buffer.from('broken')), false)).toContain(bill.seller.name)
})

test('the operator’s logo stands in place of its name, and its letters are read as they are', async () => {
  const notes = 'Ă ă Â â Î î Ș ș Ț ț'
  const [shown, bare] = await Promise.all([maker.pdf(bill, logo), maker.pdf(serviceBill({ notes }), null)])
  const [withLogo, without] = await Promise.all([readPdf(shown), readPdf(bare)])
  expect(withLogo.colours).toContain('#c0ffee')
  expect(without.colours).not.toContain('#c0ffee')
  expect(without.rows[0]).toContain(bill.seller.name)
  expect(withLogo.rows[0]).not.toContain(bill.seller.name)
  expect(without.rows).toContain(notes)
})

test('long names and addresses wrap within the page and displace nothing', async () => {
  const buyer = {
    ...bill.buyer,
    name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft mbH',
    email: `${'contabilitate.facturi'.repeat(5)}@example.com`,
  }
  const [line] = bill.lines.map((one) => ({ ...one, description_en: 'web'.repeat(60) }))
  const lines = line ? [line] : []
  const long = serviceBill({ locale: 'en', buyer, lines, po_number: 'PO'.repeat(100) })
  const read = await readPdf(await maker.pdf(long, null))
  expect(read.right).toBeLessThan(548)
  expect(read.rows.join('\n')).toMatch(/Due date 15 November 2026/)
  const shown = read.rows.join('').replaceAll(' ', '')
  for (const part of ['Donaudampf', 'contabilitate.facturi', 'webwebweb', 'POPOPO'])
    expect(shown).toContain(part)
})

test('a credit note names the day of what it takes back, and what is not taxed says so', async () => {
  const storno = await readPdf(await maker.pdf(serviceBill({ ...taken, locale: 'en' }), null))
  expect(storno.rows).toEqual(expect.arrayContaining(['Total without VAT −50.00', 'Total (USD) −60.50']))
  expect(storno.rows.join(' ')).toMatch(/Refers to HST-1001, .*3 October 2026/)
  const reversed = serviceBill({
    locale: 'en',
    vat_treatment: 'reverse_charge',
    vat: '0.00',
    total: '1230.00',
    vat_groups: [{ country: 'RO', category: 'AE', rate: '0', net: '1230.00', vat: '0.00' }],
    lines: bill.lines.map((line) => ({ ...line, vat_category: 'AE', vat_rate: '0' })),
  })
  const { rows } = await readPdf(await maker.pdf(reversed, null))
  expect(rows).toEqual(expect.arrayContaining(['VAT 0.00', 'Total (USD) 1,230.00']))
  expect(rows.join('\n')).toContain('Reverse charge: VAT is to be paid by the recipient')
})

test('the thread that lays out ends when there is nothing to do, and begins again', async () => {
  const restless = documentMaker({ idle: 50 })
  onTestFinished(restless.close)
  for (let turn = 0; turn < 2; turn++) {
    const begun = once(process, 'worker')
    const pdf = await restless.pdf(bill, null)
    expect(await readPdf(pdf)).toMatchObject({ title: 'Factură HST-1042' })
    const [thread] = await begun
    await expect.poll(() => thread.threadId, { timeout: 10_000 }).toBe(-1)
  }
})

test('a document that cannot be laid out is reported and does not affect others', async () => {
  const [broken, sound] = await Promise.allSettled([maker.pdf(bill, '<svg'), maker.pdf(bill, null)])
  expect([broken?.status, sound?.status]).toEqual(['rejected', 'fulfilled'])
})

import Big from 'big.js'
import { isBill } from '#money/invoice-statuses.ts'
import type { DocumentData } from './document.ts'
import { buyerOf, scheme, sellerOf } from './ubl-parties.ts'
import { exemptionOf } from './words.ts'
import { type Element, xml } from './xml.ts'

// An electronic invoice by EN 16931 in UBL 2.1; for a Romanian seller by its national rules, CIUS-RO 1.0.1.
// Elements follow the order of the UBL schema.

const standard = 'urn:cen.eu:en16931:2017'
const romanian = `${standard}#compliant#urn:efactura.mfinante.ro:CIUS-RO:1.0.1`
const names = 'urn:oasis:names:specification:ubl:schema:xsd'

/** Codes of UNTDID 1001: an invoice, a credit note. */
const typeCode = ({ kind }: DocumentData): '380' | '381' => (kind === 'credit_note' ? '381' : '380')

/** A credit note states positive amounts. */
const toward = (data: DocumentData, exact: string): Big =>
  data.kind === 'credit_note' ? new Big(exact).neg() : new Big(exact)

const amount = (data: DocumentData, name: string, exact: Big): Element => [
  name,
  exact.toFixed(2),
  { currencyID: data.currency },
]

type Reason = { readonly code: string; readonly text: string }

function category(name: string, code: string, rate: string, why?: Reason): Element {
  return [
    name,
    [
      ['cbc:ID', code],
      // A sale that is not subject to VAT has no rate, not even zero (BR-O-05).
      ['cbc:Percent', code === 'O' ? null : new Big(rate).toFixed(2)],
      ['cbc:TaxExemptionReasonCode', why?.code ?? null],
      ['cbc:TaxExemptionReason', why?.text ?? null],
      scheme,
    ],
  ]
}

type Subtotal = DocumentData['vat_groups'][number] & { readonly why?: Reason | undefined }

/** Both reasons, where a document has two of one category. */
const joined = (before: Reason | undefined, { code, text }: Reason): Reason =>
  before === undefined || before.text === text ? { code, text } : { code, text: `${before.text} ${text}` }

/** The VAT breakdown by category and rate; countries with the same rate are merged. */
function breakdown(data: DocumentData): Subtotal[] {
  const merged = new Map<string, Subtotal>()
  for (const group of data.vat_groups) {
    const key = `${group.category} ${new Big(group.rate).toFixed()}`
    const before = merged.get(key)
    const exemption = exemptionOf(data, group)
    merged.set(key, {
      ...group,
      why: exemption && joined(before?.why, { code: exemption.code, text: exemption[data.locale] }),
      net: new Big(group.net).plus(before?.net ?? 0).toFixed(2),
      vat: new Big(group.vat).plus(before?.vat ?? 0).toFixed(2),
    })
  }
  return [...merged.values()]
}

function taxTotals(data: DocumentData): Element[] {
  const local = { currencyID: data.local_currency }
  return [
    [
      'cac:TaxTotal',
      [
        amount(data, 'cbc:TaxAmount', toward(data, data.vat)),
        ...breakdown(data).map(
          (group): Element => [
            'cac:TaxSubtotal',
            [
              amount(data, 'cbc:TaxableAmount', toward(data, group.net)),
              amount(data, 'cbc:TaxAmount', toward(data, group.vat)),
              category('cac:TaxCategory', group.category, group.rate, group.why),
            ],
          ],
        ),
      ],
    ],
    // In the VAT accounting currency, without a breakdown (BR-RO-030, BR-53).
    data.fx_rate === null
      ? null
      : ['cac:TaxTotal', [['cbc:TaxAmount', toward(data, data.vat_local).toFixed(2), local]]],
  ]
}

function sumsOf(data: DocumentData): Element {
  const total = toward(data, data.total)
  const paid = data.kind === 'fiscal' && data.reason === 'advance'
  return [
    'cac:LegalMonetaryTotal',
    [
      amount(data, 'cbc:LineExtensionAmount', toward(data, data.net)),
      amount(data, 'cbc:TaxExclusiveAmount', toward(data, data.net)),
      amount(data, 'cbc:TaxInclusiveAmount', total),
      paid ? amount(data, 'cbc:PrepaidAmount', total) : null,
      amount(data, 'cbc:PayableAmount', paid ? new Big(0) : total),
    ],
  ]
}

function lineOf(data: DocumentData, line: DocumentData['lines'][number], at: number): Element {
  const credit = data.kind === 'credit_note'
  const said = data.locale === 'ro' ? line.description_ro : line.description_en
  const quantity = toward(data, line.quantity)
  return [
    credit ? 'cac:CreditNoteLine' : 'cac:InvoiceLine',
    [
      ['cbc:ID', String(at + 1)],
      [
        credit ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity',
        quantity.toFixed(),
        { unitCode: line.unit_code },
      ],
      amount(data, 'cbc:LineExtensionAmount', toward(data, line.net)),
      [
        'cac:Item',
        [
          // A name has at most 100 characters, a description 200 (CIUS-RO).
          ['cbc:Description', said.length > 100 ? said.slice(0, 200) : null],
          ['cbc:Name', said.slice(0, 100)],
          category('cac:ClassifiedTaxCategory', line.vat_category, line.vat_rate),
        ],
      ],
      ['cac:Price', [['cbc:PriceAmount', new Big(line.unit_price).toFixed(), { currencyID: data.currency }]]],
    ],
  ]
}

function headOf(data: DocumentData): Element[] {
  const credit = data.kind === 'credit_note'
  const taxPoint: Element = ['cbc:TaxPointDate', data.tax_point_date]
  const local = data.fx_rate === null ? null : data.local_currency
  return [
    ['cbc:CustomizationID', data.seller.country === 'RO' ? romanian : standard],
    ['cbc:ID', data.full_number],
    ['cbc:IssueDate', data.issue_date],
    credit ? taxPoint : ['cbc:DueDate', data.due_date],
    [credit ? 'cbc:CreditNoteTypeCode' : 'cbc:InvoiceTypeCode', typeCode(data)],
    ['cbc:Note', data.notes?.slice(0, 300) ?? null],
    credit ? null : taxPoint,
    ['cbc:DocumentCurrencyCode', data.currency],
    ['cbc:TaxCurrencyCode', local],
    [
      'cac:InvoicePeriod',
      [
        ['cbc:StartDate', data.period_from],
        ['cbc:EndDate', data.period_to],
      ],
    ],
    ['cac:OrderReference', [['cbc:ID', data.po_number]]],
    ...data.refers_to.map(
      (one): Element => [
        'cac:BillingReference',
        [
          [
            'cac:InvoiceDocumentReference',
            [
              ['cbc:ID', one.full_number],
              ['cbc:IssueDate', one.issue_date],
            ],
          ],
        ],
      ],
    ),
  ]
}

/** The payment means: a credit transfer (UNTDID 4461: 30), where an amount is due and an account is known. */
function means(data: DocumentData): Element {
  const { iban, name } = data.seller
  if (iban === null || !isBill(data) || new Big(data.total).lte(0)) return null
  return [
    'cac:PaymentMeans',
    [
      ['cbc:PaymentMeansCode', '30'],
      ['cbc:PaymentID', data.full_number],
      [
        'cac:PayeeFinancialAccount',
        [
          ['cbc:ID', iban.replace(/\s/g, '')],
          ['cbc:Name', name],
        ],
      ],
    ],
  ]
}

/** The electronic invoice of a fiscal document, as elements. */
export function electronic(data: DocumentData): Element {
  const root = data.kind === 'credit_note' ? 'CreditNote' : 'Invoice'
  return [
    root,
    [
      ...headOf(data),
      sellerOf(data),
      buyerOf(data),
      means(data),
      ...taxTotals(data),
      sumsOf(data),
      ...data.lines.map((line, at) => lineOf(data, line, at)),
    ],
    {
      xmlns: `${names}:${root}-2`,
      'xmlns:cac': `${names}:CommonAggregateComponents-2`,
      'xmlns:cbc': `${names}:CommonBasicComponents-2`,
    },
  ]
}

/** The electronic invoice of a fiscal document. */
export const ubl = (data: DocumentData): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${xml(electronic(data))}\n`

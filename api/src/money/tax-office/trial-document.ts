import type { DocumentData } from '#money/invoices/documents/document.ts'
import type { Operator } from '#money/invoices/parties.ts'
import { officeCountry } from './collect.ts'

/** The common parts of such documents; a document without VAT needs no rate. */
const constant = {
  kind: 'fiscal',
  reason: 'manual',
  currency: 'RON',
  period_from: null,
  period_to: null,
  vat_treatment: 'not_registered',
  vat_groups: [
    {
      country: officeCountry,
      category: 'O',
      rate: '0',
      treatment: 'not_registered',
      net: '1.00',
      vat: '0.00',
    },
  ],
  net: '1.00',
  vat: '0.00',
  total: '1.00',
  local_currency: 'RON',
  vat_local: '0.00',
  fx_rate: null,
  fx_date: null,
  fx_source: null,
  notes: null,
  po_number: null,
  locale: 'ro',
  refers_to: [],
  lines: [
    {
      description_en: 'Test',
      description_ro: 'Test',
      quantity: '1',
      unit_code: 'C62',
      unit_price: '1.00',
      net: '1.00',
      vat_category: 'O',
      vat_rate: '0',
    },
  ],
} satisfies Partial<DocumentData>

/** A document of the operator to itself, for the test system alone. */
export const trialDocument = ({ seller, today }: Operator, now: Date): DocumentData => ({
  ...constant,
  full_number: `TEST-${now.getTime()}`,
  issue_date: today,
  due_date: today,
  tax_point_date: today,
  issued_at: now.toISOString(),
  seller,
  buyer: {
    ...seller,
    company: true,
    registration_number: seller.tax_number,
    address2: null,
    state: null,
    zip_code: seller.zip_code ?? '',
    email: seller.email ?? '',
  },
})

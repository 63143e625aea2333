import * as z from 'zod/mini'
import { email } from '../calls/credentials.ts'
import {
  day,
  idParameter,
  integerId,
  leastMoney,
  line,
  moment,
  money,
  moneyInput,
  searchParameter,
  stamps,
} from '../fields.ts'
import { action, resource, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { vatTreatments } from '../rules/vat.ts'
import { invoiceStatus } from './invoice-statuses.ts'

/**
 * A proforma requests payment and is not a fiscal document; a credit note reverses an invoice, with negative
 * amounts.
 */
export const invoiceKind = z.enum(['proforma', 'fiscal', 'credit_note'])

const invoiceLine = z.object({
  kind: z.enum(['usage', 'advance', 'advance_regularisation', 'discount', 'manual']),
  description_en: z.string(),
  description_ro: z.string(),
  /** Negative for deductions. */
  quantity: z.number(),
  unit_code: z.string(),
  unit_price: money,
  net: money,
  vat_rate: z.number(),
  project_id: z.nullable(integerId),
  panel_id: z.nullable(integerId),
  /** The advance payment that it deducts. */
  ref_invoice_id: z.nullable(integerId),
})

/** Amounts taxed alike. */
const vatGroup = z.object({
  country: z.string(),
  /** EN 16931: S standard rate, AE reverse charge, O not subject to VAT. */
  category: z.enum(['S', 'AE', 'O']),
  rate: z.number(),
  net: money,
  vat: money,
})

/** The account for a transfer, and the reference that identifies it. */
const bankDetails = z.object({
  beneficiary: z.string(),
  iban: z.string(),
  bank_name: z.nullable(z.string()),
  reference: z.string(),
})

/** The maximum amount of a line of a bank statement. */
const transferred = moneyInput({ least: leastMoney, most: 1_000_000 })

/** The maximum number of documents in one archive. */
export const mostInArchive = 200

export const invoices = resource('invoices', {
  description: 'An issued document: a proforma, an invoice or a credit note. Its content never changes.',
  attributes: {
    client_id: integerId,
    kind: invoiceKind,
    reason: z.enum(['advance', 'service_bill', 'manual', 'storno']),
    /** The displayed number: `HST-1024`. */
    full_number: z.string(),
    number: z.int(),
    status: invoiceStatus,
    currency: z.string(),
    /** Local days of the operator. */
    issue_date: day,
    due_date: day,
    tax_point_date: day,
    /** The first and the last UTC day of a bill's period. */
    period_from: z.nullable(day),
    period_to: z.nullable(day),
    vat_treatment: z.enum(vatTreatments),
    vat_rate: z.number(),
    vat_groups: z.array(vatGroup),
    net: money,
    vat: money,
    total: money,
    /** The paid and the credited amount; `open` is the rest. */
    paid: money,
    credited: money,
    open: money,
    /** The details for a bank transfer; null where nothing is due, or the operator accepts no transfers. */
    bank_details: z.nullable(bankDetails),
    /** VAT in the currency of its declaration, and the exchange rate; null within one currency. */
    local_currency: z.string(),
    vat_local: money,
    fx_rate: z.nullable(z.number()),
    fx_date: z.nullable(day),
    /** The customer's billing details. */
    buyer_name: z.string(),
    po_number: z.nullable(z.string()),
    locale: z.enum(['en', 'ro']),
    notes: z.nullable(z.string()),
    lines: z.array(invoiceLine),
    /** Whether the files can be downloaded; they are generated shortly after the document is issued. */
    pdf_ready: z.boolean(),
    xml_ready: z.boolean(),
    issued_at: moment,
    ...stamps,
  },
  relationships: {
    invoiceStatus: toOne('invoice-statuses'),
    invoiceSeries: toOne('invoice-series', { nullable: true }),
    invoiceProformaSeries: toOne('invoice-proforma-series', { nullable: true }),
    proforma: toOne('invoices', { nullable: true }),
    corrects: toOne('invoices', { nullable: true }),
  },
  filters: {
    client_id: idParameter,
    kind: invoiceKind,
    status: invoiceStatus,
    from: day,
    to: day,
    /** Matches the full number, a part of it is enough. */
    search: searchParameter,
    project_id: idParameter,
    panel_id: idParameter,
    /** Excludes proformas that were paid or cancelled: their results have documents of their own. */
    without: z.literal('settled_proformas'),
    /**
     * Filters bills by a resource, by its usage reference: `server/104`, or `7/server/104` with its panel.
     */
    resource: z.string().check(z.minLength(1), z.maxLength(160)),
  },
  sorts: ['issue_date', 'number', 'total'],
  actions: {
    getServiceBillsSum: action({
      method: 'GET',
      on: 'type',
      description:
        'The unpaid amount of the service bills of an account, VAT included. It is a sum of documents, not the balance.',
      input: z.object({ client_id: z.union([integerId, idParameter]) }),
      output: money,
    }),
    requestCopyByEmail: action({
      method: 'POST',
      on: 'one',
      description:
        'Sends a link to the document to up to five addresses; following it requires signing in. At most 20 letters a day for one account, then `copies_most`.',
      input: z.object({ emails: z.array(email).check(z.minLength(1), z.maxLength(5)) }),
      output: z.object({ status: z.literal('queued') }),
    }),
    recordBankTransfer: action({
      method: 'POST',
      on: 'one',
      keyed: true,
      description:
        'Staff only: records a bank transfer for a proforma, however late, or for a service bill. The received amount is settled whatever it is: open bills are paid first, the rest is a deposit with its invoice. Recording the same statement line again changes nothing and returns the same; its reference with other data is `transfer_recorded_otherwise`, other documents are `transfer_document_unfit`.',
      input: z.strictObject({
        /** VAT included, in the currency of the document. */
        amount: transferred,
        /** The operator's local day, within the last year, when the money arrived: VAT is due on it. */
        received_on: day,
        /** The bank's reference of the statement line. */
        reference: line(140, { required: fault('reference_required') }),
      }),
      output: z.object({
        transaction_id: integerId,
        /** The invoice of the amount that was added to the balance; null when bills used all of it. */
        invoice_id: z.nullable(integerId),
        net: money,
        vat: money,
        gross: money,
      }),
    }),
    storno: action({
      method: 'POST',
      on: 'one',
      keyed: true,
      description:
        'Staff only, when the VAT number of a buyer turned valid after an invoice with VAT: the unused part of a deposit is reversed by a credit note and invoiced again without VAT, which goes to the balance. `storno_not_deposit` for other documents, `storno_same_vat` where VAT would apply again.',
      input: z.strictObject({
        /** Printed on the credit note as it is. */
        reason: line(200, { required: fault('reason_required') }),
      }),
      output: z.object({ credit_note_id: integerId, invoice_id: integerId, vat: money }),
    }),
  },
})

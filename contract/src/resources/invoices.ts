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

/** A proforma asks for money and is no fiscal document; a credit note takes an invoice back, with amounts below zero. */
export const invoiceKind = z.enum(['proforma', 'fiscal', 'credit_note'])

const invoiceLine = z.object({
  kind: z.enum(['usage', 'advance', 'advance_regularisation', 'discount', 'manual']),
  description_en: z.string(),
  description_ro: z.string(),
  /** Below zero for what is taken off. */
  quantity: z.number(),
  unit_code: z.string(),
  unit_price: money,
  net: money,
  vat_rate: z.number(),
  project_id: z.nullable(integerId),
  panel_id: z.nullable(integerId),
  /** The advance that it takes into account. */
  ref_invoice_id: z.nullable(integerId),
})

/** What is taxed alike. */
const vatGroup = z.object({
  country: z.string(),
  /** EN 16931: S standard rate, AE reverse charge, O not subject to VAT. */
  category: z.enum(['S', 'AE', 'O']),
  rate: z.number(),
  net: money,
  vat: money,
})

/** Where a transfer goes, and what it has to name so that it is known for what it is. */
const bankDetails = z.object({
  beneficiary: z.string(),
  iban: z.string(),
  bank_name: z.nullable(z.string()),
  reference: z.string(),
})

/** What a line of a bank statement can come to. */
const transferred = moneyInput({ least: leastMoney, most: 1_000_000 })

/** How many documents one archive holds. */
export const mostInArchive = 200

export const invoices = resource('invoices', {
  description: 'An issued document: a proforma, an invoice or a credit note. What it says never changes.',
  attributes: {
    client_id: integerId,
    kind: invoiceKind,
    reason: z.enum(['advance', 'service_bill', 'manual', 'storno']),
    /** As people call it: `HST-1024`. */
    full_number: z.string(),
    number: z.int(),
    status: invoiceStatus,
    currency: z.string(),
    /** Local days of the operator. */
    issue_date: day,
    due_date: day,
    tax_point_date: day,
    /** The first and the last UTC day that a bill is for. */
    period_from: z.nullable(day),
    period_to: z.nullable(day),
    vat_treatment: z.enum(vatTreatments),
    vat_rate: z.number(),
    vat_groups: z.array(vatGroup),
    net: money,
    vat: money,
    total: money,
    /** What was paid of it and what credit notes took back; `open` is what is left to be paid. */
    paid: money,
    credited: money,
    open: money,
    /** How it is paid by bank transfer; null where nothing is to be paid, or the operator takes no transfers. */
    bank_details: z.nullable(bankDetails),
    /** VAT in the currency that it is declared in, and by which rate; null within one currency. */
    local_currency: z.string(),
    vat_local: money,
    fx_rate: z.nullable(z.number()),
    fx_date: z.nullable(day),
    /** Who it is made out to. */
    buyer_name: z.string(),
    po_number: z.nullable(z.string()),
    locale: z.enum(['en', 'ro']),
    notes: z.nullable(z.string()),
    lines: z.array(invoiceLine),
    /** Whether the files can be fetched; they are made shortly after the document. */
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
    /** A part of the number in full. */
    search: searchParameter,
    project_id: idParameter,
    panel_id: idParameter,
    /** Leaves out proformas that were paid or given up: what came of them has documents of its own. */
    without: z.literal('settled_proformas'),
    /** One that a bill is for, as use names it: `server/104`, or `7/server/104` with its panel. */
    resource: z.string().check(z.minLength(1), z.maxLength(160)),
  },
  sorts: ['issue_date', 'number', 'total'],
  actions: {
    getServiceBillsSum: action({
      method: 'GET',
      on: 'type',
      description:
        'What is left to be paid of the service bills of an account, VAT included. It is a sum of documents, not the balance.',
      input: z.object({ client_id: z.union([integerId, idParameter]) }),
      output: money,
    }),
    requestCopyByEmail: action({
      method: 'POST',
      on: 'one',
      description:
        'Sends a link to the document to up to five addresses; whoever follows it has to sign in. At most 20 letters in a day for one account, then `copies_most`.',
      input: z.object({ emails: z.array(email).check(z.minLength(1), z.maxLength(5)) }),
      output: z.object({ status: z.literal('queued') }),
    }),
    recordBankTransfer: action({
      method: 'POST',
      on: 'one',
      keyed: true,
      description:
        'Staff alone: money that came to the bank account for a proforma, however late, or for a bill of use. What arrived is settled, whatever it comes to: open bills take from it first, the rest is a deposit with its invoice. The same line of a statement again changes nothing and answers the same; its reference with anything else is `transfer_recorded_otherwise`, other documents are `transfer_document_unfit`.',
      input: z.strictObject({
        /** VAT included, in the currency of the document. */
        amount: transferred,
        /** The local day of the operator, of the last year, on which the money was there: VAT falls due on it. */
        received_on: day,
        /** What the bank calls the line of its statement. */
        reference: line(140, { required: fault('reference_required') }),
      }),
      output: z.object({
        transaction_id: integerId,
        /** The invoice of what went to the balance; null when bills took all of it. */
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
        'Staff alone, when the VAT number of a buyer turned valid after an invoice with VAT: what is not used of a deposit is taken back by a credit note and invoiced anew without VAT, which goes to the balance. `storno_not_deposit` for other documents, `storno_same_vat` where there would be VAT again.',
      input: z.strictObject({
        /** It stands on the credit note, as it is. */
        reason: line(200, { required: fault('reason_required') }),
      }),
      output: z.object({ credit_note_id: integerId, invoice_id: integerId, vat: money }),
    }),
  },
})

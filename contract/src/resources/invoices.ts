import * as z from 'zod/mini'
import { email } from '../calls/credentials.ts'
import {
  day,
  idParameter,
  integerId,
  language,
  leastMoney,
  line,
  moment,
  money,
  moneyInput,
  noInput,
  searchParameter,
  stamps,
} from '../fields.ts'
import { action, resource, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { vatTreatments } from '../rules/vat.ts'
import { eInvoiceState } from './e-invoices.ts'
import { invoiceStatus } from './invoice-statuses.ts'
import { proformaVerbs } from './proforma-verbs.ts'

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

/** The places of lines, from 1. */
const places = z.array(z.int().check(z.positive())).check(z.minLength(1), z.maxLength(500))

/** The amounts of a credit note, and where the paid ones could go; amounts are above zero. */
export const creditPreview = z.object({
  /** The places of the lines that were credited before. */
  credited_lines: z.array(z.int()),
  /** Whether lines can be chosen, and whether an amount can. */
  by_lines: z.boolean(),
  by_amount: z.boolean(),
  /** The amount that is left to credit, where an amount can be chosen. */
  left_net: z.nullable(money),
  net: money,
  vat: money,
  total: money,
  /** Of `total`: what the bill asks for no more, what is no longer lost, and what was paid. */
  from_open: money,
  from_loss: money,
  from_paid: money,
  /** The deducted advances that are on the balance again, net. */
  advances: money,
  /** Where the paid part can go, as `to` of the credit note. */
  ways: z.array(z.enum(['balance', 'card', 'bank'])),
})

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
    /** The part of `paid` that was written off as a loss. */
    written_off: money,
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
    locale: language,
    notes: z.nullable(z.string()),
    lines: z.array(invoiceLine),
    /** Whether the files can be downloaded; they are generated shortly after the document is issued. */
    pdf_ready: z.boolean(),
    xml_ready: z.boolean(),
    /** Whether the tax office has accepted and signed it, where documents are sent there. */
    signed_ready: z.boolean(),
    /** Whether the tax office rejected it, or it has no electronic invoice because it violates a rule. */
    is_refused: z.boolean(),
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
    /** The documents of every account that the reader sees, instead of one account's. */
    accounts: z.literal('all'),
    kind: invoiceKind,
    status: invoiceStatus,
    from: day,
    to: day,
    /** Matches the full number, a part of it is enough. */
    search: searchParameter,
    /** Documents that something is left to pay of, or was written off of, by a part of their number or of the buyer’s name, or that amount. */
    payable: searchParameter,
    project_id: idParameter,
    panel_id: idParameter,
    /** Excludes proformas that were paid or cancelled: their results have documents of their own. */
    without: z.literal('settled_proformas'),
    /** Bills of zero, which state a month that was paid before: excluded, or these alone. */
    statements: z.enum(['without', 'only']),
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
    sendDocument: action({
      method: 'POST',
      on: 'one',
      description:
        'Staff only: sends a letter about the document to the addresses of its client: their own, and those for billing; with its files where the client wants them attached. It counts as copies that they ask for: `copies_most`. `client_closed` once the account is closed.',
      input: noInput,
      output: z.object({ status: z.literal('queued') }),
    }),
    ...proformaVerbs,
    recordBankTransfer: action({
      method: 'POST',
      on: 'one',
      keyed: true,
      description:
        'Staff only: records a bank transfer for a proforma, however late, or for a service bill. The received amount is settled whatever it is: open bills are paid first, the rest is a deposit with its invoice. Recording the same statement line again changes nothing and returns the same; its reference with other data is `transfer_recorded_otherwise`, other documents are `transfer_document_unfit`, and one in a currency that the account had before is `transfer_currency_changed`. Staff are alerted to a transfer that no imported statement of its days shows. Limits of its own as for `goodwill` of `desk-clients`, and needs a recent sign-in.',
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
    previewCredit: action({
      method: 'GET',
      on: 'one',
      description:
        'Staff only: what `creditNote` would issue now, and where what was paid could go. Refused like it.',
      input: z.strictObject({ lines: z.optional(places), net: z.optional(transferred) }),
      output: creditPreview,
    }),
    creditNote: action({
      method: 'POST',
      on: 'one',
      keyed: true,
      description:
        'Staff only: credits a bill or a manual invoice by a separate document: what is left of it, some of its `lines` by their place from 1, or a `net` amount where it has one VAT rate (`invoice_several_rates`). The open amount falls; what was paid goes to the balance as a deposit with its invoice, and a bill that is credited whole gives back the advances that it deducted. With `to`, that deposit is sent back at once: to the card that paid (`card`), or by a transfer to `iban` that staff send (`bank`); `credit_note_no_payment` where no such payment has as much in the bill. What was written off is no longer lost, and gives nothing back. `credited_already` for what was credited before, `credited_by_lines` and `credited_by_amount` where the other way was chosen before, `credit_note_deductions` for lines without the promotional credit that they had, `credit_note_deposit` for deposits: refund the payment, or correct wrong details by `storno`. Limits as for `goodwill` of `desk-clients`.',
      input: z.strictObject({
        lines: z.optional(places),
        net: z.optional(transferred),
        /** Where goes what was paid; by default to the balance. */
        to: z.optional(z.enum(['balance', 'card', 'bank'])),
        /** Of the payee, for `bank`. */
        iban: z.optional(line(42)),
        /** Printed on the credit note as it is. */
        reason: line(200, { required: fault('reason_required') }),
      }),
      output: z.object({
        credit_note_id: integerId,
        full_number: z.string(),
        total: money,
        /** The invoice of the deposit with what had been paid. */
        deposit_id: z.nullable(integerId),
        /** The refund that sends it back; it is among those of its payment. */
        refund_id: z.nullable(integerId),
      }),
    }),
    writeOff: action({
      method: 'POST',
      on: 'one',
      keyed: true,
      description:
        'Staff only: gives up an open bill, or a part of it, as a loss. The client owes it no more; its VAT stays declared. Money that arrives for it later takes the loss back. `bill_not_open` for other documents, `bill_payment_pending` while a payment is in progress that may pay it. Limits as for `goodwill` of `desk-clients`.',
      input: z.strictObject({ amount: z.optional(transferred) }),
      output: z.object({ written_off: money, open: money }),
    }),
    storno: action({
      method: 'POST',
      on: 'one',
      keyed: true,
      description:
        'Staff only, when the VAT number of a buyer turned valid after an invoice with VAT: the unused part of a deposit is reversed by a credit note and invoiced again without VAT, which goes to the balance. A deposit invoice that the tax office rejected, or that has no electronic invoice, is issued again in the same way with the present details of its buyer, by the rates of its own day; so is one whose buyer has other details now, with the same VAT. `storno_not_deposit` for other documents, `storno_same_vat` where nothing would change, `storno_moved` where the buyer has moved or is a company only since, `storno_other_vat` where other details would change the VAT of what was paid. Limits as for `goodwill` of `desk-clients`.',
      input: z.strictObject({
        /** Printed on the credit note as it is. */
        reason: line(200, { required: fault('reason_required') }),
      }),
      output: z.object({ credit_note_id: integerId, invoice_id: integerId, vat: money }),
    }),
    remakeEInvoice: action({
      method: 'POST',
      on: 'one',
      description:
        'Staff only: makes the electronic invoice of a document again and sends it under the same number, where the tax office rejected it, or it has none because it violated a rule. Number, amounts, buyer and PDF stay; the replaced file and the answer of the office are kept. `einvoice_not_rejected` for other documents, `einvoice_taken_back` and `einvoice_of_refused` where it need not be sent, `einvoice_still_broken` while it violates a rule. Needs a recent sign-in.',
      input: noInput,
      /** Its state at the tax office; null where it is not sent there. */
      output: z.object({ state: z.nullable(eInvoiceState) }),
    }),
  },
})

import * as z from 'zod/mini'
import { day, idParameter, integerId, money, stamps, wideSearchParameter } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { eInvoiceState } from './e-invoices.ts'
import { invoiceStatus } from './invoice-statuses.ts'
import { invoiceKind } from './invoices.ts'

/** The days before today with which long lists at the desk begin. */
export const recentDays = 90

/** The days of a long list: the last 90 of the operator. */
export const recentParameter = z.literal(String(recentDays))

const filters = {
  client_id: idParameter,
  kind: invoiceKind,
  status: invoiceStatus,
  /** Something is left to pay. */
  owed: z.literal('true'),
  from: day,
  to: day,
  days: recentParameter,
  /** A part of the number or of the buyer’s name. */
  search: wideSearchParameter,
}

export const deskDocuments = resource('desk-documents', {
  description:
    'A document of any client, as staff list them. Its content, files and verbs are those of the invoice with the same id.',
  attributes: {
    client_id: integerId,
    /** The buyer on the document. */
    client_name: z.string(),
    kind: invoiceKind,
    reason: z.enum(['advance', 'service_bill', 'manual', 'storno']),
    full_number: z.string(),
    status: invoiceStatus,
    currency: z.string(),
    issue_date: day,
    due_date: day,
    net: money,
    vat: money,
    total: money,
    paid: money,
    /** The unpaid part. */
    open: money,
    /** Of `paid`, what was given up as a loss. */
    written_off: money,
    /** Its state at the tax office in use; null where it is not sent there. */
    einvoice_state: z.nullable(eInvoiceState),
    /** Whether the tax office rejected it, or it has no electronic invoice because it violates a rule. */
    is_refused: z.boolean(),
    ...stamps,
  },
  filters,
  sorts: ['issue_date', 'due_date', 'total'],
  /** Verbs of `invoices` that the reader may use on it. */
  abilities: [
    'sendDocument',
    'cancelProforma',
    'recordBankTransfer',
    'creditNote',
    'writeOff',
    'storno',
    'remakeEInvoice',
  ],
  actions: {
    sums: action({
      method: 'GET',
      on: 'type',
      description:
        'The sums of a list with the same filters, by currency. Invoices and credit notes are added up; proformas request the same money, so they count only where `kind` is `proforma`.',
      input: z.strictObject({
        client_id: z.optional(z.union([integerId, idParameter])),
        kind: z.optional(invoiceKind),
        status: z.optional(invoiceStatus),
        owed: z.optional(filters.owed),
        from: z.optional(day),
        to: z.optional(day),
        days: z.optional(recentParameter),
        search: z.optional(wideSearchParameter),
      }),
      output: z.object({
        sums: z.array(
          z.object({
            currency: z.string(),
            count: z.int(),
            net: money,
            vat: money,
            total: money,
            open: money,
          }),
        ),
      }),
    }),
  },
})

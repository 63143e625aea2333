import * as z from 'zod/mini'
import { day, idParameter, integerId, moment, money, noInput, searchParameter, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

/** `unknown`: it was sent, and nobody knows whether it arrived. */
export const eInvoiceState = z.enum(['waiting', 'sending', 'sent', 'accepted', 'rejected', 'unknown'])

/** Why a document waits, is not known, or was not sent. */
export const eInvoiceProblem = z.enum([
  'unauthorised',
  'busy',
  'refused',
  'unreachable',
  'late',
  'lost',
  'failed',
  'answer_wrong',
  'answer_too_large',
  'lease',
  'file',
  'too_large',
  'index_of_other',
  'index_rejected',
])

/** The index of an upload, as the office gives it. */
const uploadIndex = z.string().check(z.trim(), z.regex(/^\d{1,30}$/, fault('upload_index')))

/** A sending that was rejected before the electronic invoice was made again. */
const earlierSending = z.object({
  upload_index: z.nullable(z.string()),
  /** The words of the office. */
  said: z.nullable(z.string()),
  problem: z.nullable(eInvoiceProblem),
  settled_at: moment,
  /** Of the file that was sent. */
  xml_sha256: z.string(),
})

const changed = z.object({ state: eInvoiceState })

export const eInvoices = resource('e-invoices', {
  description:
    'A document on its way to the tax office, once for each. One whose outcome is not known, or that was rejected, is never sent again by itself.',
  attributes: {
    state: eInvoiceState,
    invoice_id: integerId,
    full_number: z.string(),
    kind: z.enum(['fiscal', 'credit_note']),
    client_id: integerId,
    client_name: z.string(),
    issue_date: day,
    total: money,
    currency: z.string(),
    /** The last working day on which it may be sent. */
    due_on: day,
    /** Working days until then; negative afterwards. */
    days_left: z.int(),
    /** When it was last sent. */
    begun_at: z.nullable(moment),
    /** When it is looked at next. */
    next_at: moment,
    upload_index: z.nullable(z.string()),
    problem: z.nullable(eInvoiceProblem),
    /** The words of the office. */
    said: z.nullable(z.string()),
    /** Whether a person may decide about an unknown outcome. */
    is_decidable: z.boolean(),
    /** Whether the lists of the office were searched for it since. */
    is_searched: z.boolean(),
    settled_at: z.nullable(moment),
    signed_ready: z.boolean(),
    /** Whether its electronic invoice may be made again, and sent. */
    is_remakable: z.boolean(),
    /** Its earlier sendings, which the office rejected, the oldest first. */
    earlier: z.array(earlierSending),
    ...stamps,
  },
  filters: {
    state: eInvoiceState,
    /** Not yet at the office, with at most so many working days left. */
    left: z.enum(['1', '2']),
    client_id: idParameter,
    /** A part of the number. */
    search: searchParameter,
  },
  sorts: ['due_on', 'settled_at'],
  /** A verb of `invoices` that the reader may use on its document. */
  abilities: ['remakeEInvoice'],
  actions: {
    wasReceived: action({
      method: 'POST',
      on: 'one',
      description:
        'Decides that the office has the document, under this index; two days after the sending at the earliest. A signed file of another document undoes it. Needs a recent sign-in.',
      input: z.strictObject({ upload_index: uploadIndex }),
      output: changed,
    }),
    wasNotReceived: action({
      method: 'POST',
      on: 'one',
      description:
        'Decides that the office does not have the document, so that it is sent again; two days after the sending at the earliest, and after a search of the lists. Needs a recent sign-in.',
      input: noInput,
      output: changed,
    }),
    retryNow: action({
      method: 'POST',
      on: 'one',
      description: 'Sends a waiting document with the next run, within a minute.',
      input: noInput,
      output: changed,
    }),
    correctInstead: action({
      method: 'POST',
      on: 'one',
      description:
        'Counts a waiting document that the office refuses at its sending (`problem` is `refused`) as rejected, so that it is corrected by a credit note and a new document, a deposit is issued again, or the electronic invoice is made again. `einvoice_not_refused` for any other. Needs a recent sign-in.',
      input: noInput,
      output: changed,
    }),
  },
})

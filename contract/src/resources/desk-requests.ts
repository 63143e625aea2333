import * as z from 'zod/mini'
import { integerId, line, moment, money, noInput, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { askedVerbNames, moneyVerbNames } from '../rules/asked-verbs.ts'
import { invoiceKind } from './invoices.ts'

/** `expired`: nobody decided in time. */
export const requestStates = ['open', 'approved', 'declined', 'withdrawn', 'expired'] as const

/** The hours after which a request can no longer be approved. */
export const requestHours = 48

/** The hours for which both persons must have had their rights. */
export const settledHours = 72

/** The hours after which the only administrator may approve their own request. */
export const aloneHours = 24

const held = z.object({ account_balance: money, credit_balance: money })

/** The amounts that a verb would move, as they are now. */
const preview = z.object({
  currency: z.string(),
  before: held,
  after: held,
  /** The documents that it would issue. */
  documents: z.array(
    z.object({ kind: invoiceKind, currency: z.string(), net: money, vat: money, total: money }),
  ),
  /** The amount that would go back to the payer; the credit note follows, and the balance falls, once it has left. */
  refund: z.nullable(z.object({ currency: z.string(), net: money, vat: money, gross: money })),
  /** The unpaid part of the document that the verb is about. */
  open: z.nullable(z.object({ before: money, after: money })),
  /** The client's other documents that it would pay, with their unpaid parts. */
  paid: z.array(z.object({ full_number: z.string(), before: money, after: money })),
  /** The amount that the reader may still move by one action of this verb, in the operator's currency. */
  limit_left: money,
  limit_currency: z.string(),
  /** Needs a second person. */
  above_limit: z.boolean(),
})

const decided = z.object({ state: z.enum(requestStates) })

export const deskRequests = resource('desk-requests', {
  description:
    'What one member of staff asks for and an administrator approves: a verb with its input, which nobody edits. Administrators see all requests, others their own.',
  attributes: {
    verb: z.enum(askedVerbNames),
    /** The type of the row, and its id; null where the verb makes its row. */
    about_type: z.string(),
    ref: z.nullable(z.string()),
    /** Its subject, in words. */
    about: z.string(),
    client_id: z.nullable(integerId),
    /** The input of the verb, as it was given. */
    input: z.record(z.string(), z.unknown()),
    /** The amount that it would move, with VAT, when it was asked for; approving moves no more than that. */
    amount: z.nullable(money),
    currency: z.nullable(z.string()),
    reason: z.string(),
    asked_by_name: z.string(),
    state: z.enum(requestStates),
    ends_at: moment,
    decided_by_name: z.nullable(z.string()),
    decided_at: z.nullable(moment),
    decided_reason: z.nullable(z.string()),
    ...stamps,
  },
  filters: { state: z.enum(requestStates) },
  sorts: ['createdAt'],
  actions: {
    ask: action({
      method: 'POST',
      on: 'type',
      keyed: true,
      description: `Asks a second person for a verb. It is tried with this input and undone, so that what is refused now is refused here; then it waits for ${requestHours} hours. \`request_too_new\` for those whose rights are younger than ${settledHours} hours, \`requests_too_many\` with too many open or withdrawn requests. Needs a recent sign-in.`,
      input: z.strictObject({
        verb: z.enum(askedVerbNames),
        ref: z.nullable(line(40)),
        input: z.record(z.string(), z.unknown()),
      }),
      output: z.object({ request_id: integerId, ends_at: moment }),
    }),
    preview: action({
      method: 'POST',
      on: 'type',
      unkept: true,
      description:
        'Tries a verb that moves money and undoes it: the balance before and after, the documents with their VAT, what goes back to the payer, and what is left of the limit. It refuses what the verb refuses now, but for the limit.',
      input: z.strictObject({
        verb: z.enum(moneyVerbNames),
        ref: line(40),
        input: z.record(z.string(), z.unknown()),
      }),
      output: preview,
    }),
    approve: action({
      method: 'POST',
      on: 'one',
      description: `Runs the verb, with the rights of the person who asked as they are now, in the transaction of the approval. \`request_own\` for the person who asked, unless they were the only administrator ${aloneHours} hours ago and still are; \`request_decided\`, \`request_expired\`, \`request_rights_lost\`, \`request_grown\`, \`request_too_new\`, and what the verb itself refuses. Needs a recent sign-in.`,
      input: noInput,
      output: decided,
    }),
    decline: action({
      method: 'POST',
      on: 'one',
      description: 'Declines the request; the person who asked reads the reason. `request_decided`.',
      input: noInput,
      output: decided,
    }),
    withdraw: action({
      method: 'POST',
      on: 'one',
      description: 'Takes an own request back. `request_decided`.',
      input: noInput,
      output: decided,
    }),
  },
})

import * as z from 'zod/mini'
import { accountMoney, day, idParameter, integerId, line, moment, money, noInput, stamps } from '../fields.ts'
import { action, resource, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { vatTreatments } from '../rules/vat.ts'

/** What a payment is for. Clients begin the first two; the others follow from a rule, or are recorded by staff. */
export const paymentPurpose = z.enum(['deposit', 'service_bill', 'auto_recharge', 'bank_transfer'])

export const paymentStatus = z.enum([
  'created',
  'processing',
  'requires_action',
  'succeeded',
  'failed',
  'canceled',
  'partially_refunded',
  'refunded',
  'disputed',
])

export const paymentMethod = z.enum(['card', 'bank_transfer'])

/** What the browser goes on with while a payment waits for the person; all null when it does not. */
const goingOn = {
  /** For the provider’s script. */
  client_secret: z.nullable(z.string()),
  publishable_key: z.nullable(z.string()),
  /** A page to open instead. */
  challenge_url: z.nullable(z.string()),
}

const state = z.object({
  id: integerId,
  status: paymentStatus,
  failure_code: z.nullable(z.string()),
  ...goingOn,
})

/** What was given back of a payment, or is on its way. */
const refund = z.object({
  id: integerId,
  /** `returned`: it went, and the bank of the client sent it back; it is on the balance again. */
  status: z.enum(['pending', 'succeeded', 'failed', 'returned']),
  net: money,
  vat: money,
  gross: money,
  /** What the provider says why it failed. */
  failure_code: z.nullable(z.string()),
  /** The credit note of what went, and the invoice of what came back, by their numbers. */
  credit_note: z.nullable(z.string()),
  restored_invoice: z.nullable(z.string()),
  created_at: moment,
})

export const transactions = resource('transactions', {
  description:
    'A payment. Creating one charges a card: `succeeded`, `failed` and `requires_action` are all answers to that. While nobody knows what became of it, it is `processing` with `failure_code` `outcome_unknown`, and is asked about until it is known.',
  attributes: {
    /** Whose balance or bill it is for: the reader’s own, when it is left out. */
    client_id: z.optional(integerId),
    purpose: paymentPurpose,
    provider: z.string(),
    method: paymentMethod,
    currency: z.string(),
    /** What goes to the balance, or the bill without its VAT; only a deposit says it, within the limits of one. */
    net: z.optional(money),
    vat: money,
    vat_rate: money,
    vat_treatment: z.enum(vatTreatments),
    gross: money,
    refunded: money,
    /** The oldest first. */
    refunds: z.array(refund),
    status: paymentStatus,
    failure_code: z.nullable(z.string()),
    failure_message: z.nullable(z.string()),
    off_session: z.boolean(),
    settled_at: z.nullable(moment),
    /** The bill that it pays; null: it goes to the balance. */
    invoice_id: z.nullable(integerId),
    /** Of the card, also when it was removed since. */
    card_brand: z.nullable(z.string()),
    card_last4: z.nullable(z.string()),
    /** In the answer to the creation only. */
    ...goingOn,
    ...stamps,
  },
  relationships: {
    client: toOne('clients'),
    /** The default card, when it is left out. */
    card: toOne('cards', { nullable: true }),
    /** The fiscal invoice of what went to the balance, or the bill that was paid. */
    invoice: toOne('invoices', { nullable: true }),
  },
  create: ['client_id', 'purpose', 'net', 'invoice_id', 'card'],
  keyed: true,
  filters: {
    client_id: idParameter,
    status: paymentStatus,
    method: paymentMethod,
    purpose: paymentPurpose,
    from: day,
    to: day,
  },
  sorts: ['createdAt', 'gross'],
  actions: {
    quote: action({
      method: 'GET',
      on: 'type',
      description:
        'What a payment would come to, and how long the balance would last then. `billing_info_incomplete` while the address that VAT depends on is not known, `documents_need_operator`, `documents_need_series`, `documents_need_vat_rate` or `documents_need_exchange_rate` while no payment can be taken because it could not be invoiced.',
      input: z.object({
        client_id: z.optional(integerId),
        purpose: z.enum(['deposit', 'service_bill']),
        amount: z.optional(accountMoney),
        invoice_id: z.optional(integerId),
      }),
      output: z.object({
        currency: z.string(),
        net: money,
        vat_rate: money,
        vat: money,
        gross: money,
        treatment: z.enum(vatTreatments),
        /** Open bills are paid first, the oldest before the others; what is left goes to the balance. */
        allocations: z.array(
          z.object({
            to: z.enum(['service_bill', 'balance']),
            invoice_id: z.nullable(integerId),
            number: z.nullable(z.string()),
            net: money,
            vat: money,
            gross: money,
          }),
        ),
        new_exhaustion_date: z.nullable(day),
      }),
    }),
    confirm: action({
      method: 'POST',
      on: 'one',
      description:
        'Reads from the provider what became of the payment, after a challenge or by a link that resumes one. What was settled stays as it is.',
      input: noInput,
      output: state,
    }),
    cancel: action({
      method: 'POST',
      on: 'one',
      description:
        'Gives up a payment that waits for the person. `payment_ended` when it is settled, `payment_outcome_unknown` while nobody knows what became of it.',
      input: noInput,
      output: state,
    }),
    refund: action({
      method: 'POST',
      on: 'one',
      keyed: true,
      description:
        'Gives back what is left of a deposit of the last 14 days: staff any part of it, its owner what the balance still holds. A credit note follows. `insufficient_balance` when it was used, `refund_pending` while another is under way, `deposit_refund_late` after those days.',
      input: z.strictObject({
        amount: z.optional(accountMoney),
        reason: line(500, { required: fault('reason_required') }),
      }),
      output: z.object({
        refund_id: integerId,
        status: z.enum(['pending', 'succeeded', 'failed']),
        net: money,
        vat: money,
        gross: money,
      }),
    }),
  },
})

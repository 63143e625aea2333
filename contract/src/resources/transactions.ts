import * as z from 'zod/mini'
import { accountMoney, day, idParameter, integerId, line, moment, money, noInput, stamps } from '../fields.ts'
import { action, resource, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { vatTreatments } from '../rules/vat.ts'

/**
 * The purpose of a payment. Clients start the first two; the others come from a rule or are recorded by
 * staff.
 */
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

/** The next step of a payment that waits for the person; all null otherwise. */
const goingOn = {
  /** For the provider's script. */
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

/** The completed and pending refunds of a payment. */
const refund = z.object({
  id: integerId,
  /** `returned`: the client's bank sent it back, so it is on the balance again. */
  status: z.enum(['pending', 'succeeded', 'failed', 'returned']),
  net: money,
  vat: money,
  gross: money,
  /** The provider's reason for a failure. */
  failure_code: z.nullable(z.string()),
  /** The last digits of the account to which staff send it as a transfer; null for a refund through the provider. */
  iban_end: z.nullable(z.string()),
  /** The numbers of the credit note of the refund, and of the invoice of a returned one. */
  credit_note: z.nullable(z.string()),
  restored_invoice: z.nullable(z.string()),
  created_at: moment,
})

export const transactions = resource('transactions', {
  description:
    'A payment. Creating one charges a card: `succeeded`, `failed` and `requires_action` are all possible answers. While the outcome is unknown, it is `processing` with `failure_code` `outcome_unknown`, and the provider is asked until it is known.',
  attributes: {
    /** The account whose balance or bill it is for; by default the reader's own. */
    client_id: z.optional(integerId),
    purpose: paymentPurpose,
    provider: z.string(),
    method: paymentMethod,
    currency: z.string(),
    /**
     * The amount added to the balance, or the bill without its VAT; only a deposit takes it, within the
     * deposit limits.
     */
    net: z.optional(money),
    vat: money,
    vat_rate: money,
    vat_treatment: z.enum(vatTreatments),
    gross: money,
    refunded: money,
    /** Oldest first. */
    refunds: z.array(refund),
    /** What the client still owes for money of it that went back twice. */
    debt: money,
    /** Whether `refund` finds something unused of it, which the balance may not hold any more. */
    is_refundable: z.boolean(),
    /** Whether it is a transfer that staff recorded by hand and that no line of a statement shows; only staff see it. */
    is_by_hand: z.boolean(),
    status: paymentStatus,
    failure_code: z.nullable(z.string()),
    failure_message: z.nullable(z.string()),
    off_session: z.boolean(),
    settled_at: z.nullable(moment),
    /** The bill that it pays; null: it goes to the balance. A new deposit may name an unpaid proforma instead of `net`. */
    invoice_id: z.nullable(integerId),
    /** Of the card, also after it was removed. */
    card_brand: z.nullable(z.string()),
    card_last4: z.nullable(z.string()),
    /** Only in the response to the creation. */
    ...goingOn,
    ...stamps,
  },
  relationships: {
    client: toOne('clients'),
    /** The card; by default the account's default card. */
    card: toOne('cards', { nullable: true }),
    /** The fiscal invoice of a deposit, or the paid bill. */
    invoice: toOne('invoices', { nullable: true }),
  },
  create: ['client_id', 'purpose', 'net', 'invoice_id', 'card'],
  keyed: true,
  filters: {
    client_id: idParameter,
    /** The payments of every account that the reader sees, instead of one account's. */
    accounts: z.literal('all'),
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
        'The total of a payment, and how long the balance would last after it. `billing_info_incomplete` while the address that VAT depends on is missing, `documents_need_operator`, `documents_need_series`, `documents_need_vat_rate` or `documents_need_exchange_rate` while no payment can be taken because it could not be invoiced.',
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
        /** Open bills are paid first, oldest first; the rest goes to the balance. */
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
        'Reads the outcome of the payment from the provider, after a challenge or by a link that resumes one. A settled payment stays as it is.',
      input: noInput,
      output: state,
    }),
    cancel: action({
      method: 'POST',
      on: 'one',
      description:
        'Gives up a payment that waits for the person. `payment_ended` when it is settled, `payment_outcome_unknown` while the outcome is unknown.',
      input: noInput,
      output: state,
    }),
    refund: action({
      method: 'POST',
      on: 'one',
      keyed: true,
      description:
        'Refunds a deposit of the last 14 days, staff also later: the amount, or all that is unused, at most what the balance still holds and what earlier refunds left of the payment. A credit note follows. A part of the deposit that came back is refunded by a request of its own, after the rest; then so is what credit notes put on the balance of bills that the payment paid, or a deposit of it, at most what the payment has in the bill. `refund_most` names the amount that can be refunded, `insufficient_balance` when it was used, `refund_pending` while another is pending, `deposit_refund_late` after those days, `refunds_most` after ten refunds that its owner asked for. Staff may name an `iban` to which they send it; a deposit by transfer needs one (`transfer_refund_by_hand`).',
      input: z.strictObject({
        /** Without VAT. */
        amount: z.optional(accountMoney),
        /** Staff only: the account of the payee. */
        iban: z.optional(line(42)),
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
    recordSentTransfer: action({
      method: 'POST',
      on: 'one',
      description:
        'Staff only: a refund that is due as a transfer was sent by the bank; its credit note follows. One that a dispute of its payment dropped (`payment_disputed`) can be recorded too, when it had been sent before; what the deposit does not have any more is a debt of the client. `transfer_above_payment` when other refunds left no room for it, `transfer_not_due` for others. Needs a recent sign-in.',
      input: z.strictObject({
        refund_id: integerId,
        /** The operator’s local day, within the last year. */
        sent_on: day,
        reference: line(140, { required: fault('reference_required') }),
      }),
      output: z.object({ status: z.literal('succeeded') }),
    }),
    dropTransfer: action({
      method: 'POST',
      on: 'one',
      description:
        'Staff only: a refund that is due as a transfer is not sent, and its money stays on the balance. Refused like `recordSentTransfer`. Needs a recent sign-in.',
      input: z.strictObject({ refund_id: integerId }),
      output: z.object({ status: z.literal('failed') }),
    }),
    undoTransfer: action({
      method: 'POST',
      on: 'one',
      description:
        'Staff only: takes back a transfer that was recorded by hand by mistake, with a credit note; its reference can be recorded again. `transfer_not_by_hand` for others, `transfer_of_colleague` unless the person recorded it or is an administrator, `bank_payment_matched` where a line of a statement shows it, `bank_match_used` once a part of it was used. Needs a recent sign-in.',
      input: noInput,
      output: z.object({ status: z.literal('refunded') }),
    }),
    writeOffDebt: action({
      method: 'POST',
      on: 'one',
      keyed: true,
      description:
        'Staff only: gives up `debt` as a loss, so that later deposits are not set off against it. A dispute that is won, or a refund that comes back, takes the loss back. `debt_not_open` when nothing is owed. Limits as for `goodwill` of `desk-clients`.',
      input: noInput,
      output: z.object({ written_off: money }),
    }),
  },
})

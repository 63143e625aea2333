import * as z from 'zod/mini'
import { day, idParameter, integerId, moment, money, stamps, wideSearchParameter } from '../fields.ts'
import { resource } from '../jsonapi.ts'
import { recentParameter } from './desk-documents.ts'
import { paymentMethod, paymentPurpose, paymentStatus } from './transactions.ts'

/** Who took the money: a provider of cards, or the operator's bank. */
export const paymentTakers = ['stripe', 'sandbox', 'bank'] as const

export const deskPayments = resource('desk-payments', {
  description:
    'A payment of any client, as staff list them. Refunds and transfers are verbs of the transaction with the same id.',
  attributes: {
    client_id: integerId,
    client_name: z.string(),
    purpose: paymentPurpose,
    method: paymentMethod,
    provider: z.string(),
    /** The provider's reference of the payment, or the bank's of the transfer; null until there is one. */
    reference: z.nullable(z.string()),
    currency: z.string(),
    gross: money,
    refunded: money,
    status: paymentStatus,
    failure_code: z.nullable(z.string()),
    /** The words of the provider, in English; for a code without words of ours (`declineCauses`). */
    failure_message: z.nullable(z.string()),
    card_brand: z.nullable(z.string()),
    card_last4: z.nullable(z.string()),
    /** How often the rule for automatic payments failed, or the provider was asked for the outcome of one that waits. */
    tries: z.int(),
    /** When the rule tries again, or the provider is asked next; null where nothing is planned. */
    next_at: z.nullable(moment),
    /** Whether the client paid anything after one that failed. */
    paid_since: z.boolean(),
    settled_at: z.nullable(moment),
    ...stamps,
  },
  filters: {
    client_id: idParameter,
    provider: z.enum(paymentTakers),
    /** `waiting`: for the person or the provider. */
    state: z.enum(['failed', 'waiting', 'settled']),
    status: paymentStatus,
    /** The amount with VAT. */
    amount: z.string().check(z.regex(/^[0-9]{1,9}(\.[0-9]{1,2})?$/)),
    /** UTC days. */
    from: day,
    to: day,
    days: recentParameter,
    /**
     * The beginning of the reference; the whole reference of a refund, a dispute or a line of a statement; or a part of the
     * client's name, address, company or VAT number.
     */
    search: wideSearchParameter,
  },
  sorts: ['createdAt'],
})

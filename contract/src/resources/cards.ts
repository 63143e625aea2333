import * as z from 'zod/mini'
import { idParameter, integerId, noInput, stamps } from '../fields.ts'
import { action, resource, toOne } from '../jsonapi.ts'

/**
 * Whether a card can be charged: `expired` after its last month, `failed` after a permanent decline of its
 * bank.
 */
export const cardStatus = z.enum(['active', 'expired', 'failed'])

/**
 * The payment provider: Stripe, or the sandbox, which accepts listed test numbers only and moves no money.
 */
export const cardProvider = z.enum(['stripe', 'sandbox'])

export const cards = resource('cards', {
  description:
    'A card of an account. Only the provider has its number. It is added by a request of `stripe-setup-intents`.',
  attributes: {
    client_id: integerId,
    provider: cardProvider,
    brand: z.string(),
    last4: z.string(),
    exp_month: z.int(),
    exp_year: z.int(),
    /** ISO 3166 code of the bank's country; null when it is not known. */
    country: z.nullable(z.string()),
    /** Charged unless another card is chosen. */
    is_default: z.boolean(),
    status: cardStatus,
    ...stamps,
  },
  relationships: { client: toOne('clients') },
  update: ['is_default'],
  delete: true,
  filters: { client_id: idParameter, status: cardStatus },
  sorts: ['createdAt'],
  actions: {
    setDefault: action({
      method: 'POST',
      on: 'one',
      description: 'Makes this the default card. `card_not_chargeable` for one that cannot be charged.',
      input: noInput,
      output: z.object({ id: integerId, is_default: z.boolean() }),
    }),
  },
})

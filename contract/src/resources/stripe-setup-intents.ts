import * as z from 'zod/mini'
import { idParameter, integerId, noInput, stamps } from '../fields.ts'
import { action, resource, toOne } from '../jsonapi.ts'
import { cardProvider } from './cards.ts'

/** The state of a request to add a card; `created`: the provider has not answered yet. */
export const setupStatus = z.enum([
  'created',
  'requires_action',
  'processing',
  'succeeded',
  'failed',
  'canceled',
])

export const stripeSetupIntents = resource('stripe-setup-intents', {
  description:
    'A request to add a card. The card is typed into the provider’s own form, with `client_secret`; then `confirm` is called. The type has this name for every provider.',
  attributes: {
    /** The owner of the card; by default the reader. */
    client_id: z.optional(integerId),
    /** Null until the provider is asked. */
    provider: z.nullable(cardProvider),
    status: setupStatus,
    usage: z.literal('off_session'),
    error_code: z.nullable(z.string()),
    /** The secret that opens the provider's form. Returned once, in the response to the creation. */
    client_secret: z.nullable(z.string()),
    /** The provider's publishable key; null where it has no script. */
    publishable_key: z.nullable(z.string()),
    /** The provider's id of the request; the sandbox's form submits to it. */
    provider_ref: z.nullable(z.string()),
    ...stamps,
  },
  relationships: { client: toOne('clients'), card: toOne('cards', { nullable: true }) },
  create: ['client_id'],
  keyed: true,
  filters: { client_id: idParameter, status: setupStatus },
  sorts: ['createdAt'],
  actions: {
    confirm: action({
      method: 'POST',
      on: 'one',
      description:
        'Reads the outcome from the provider, and adds the card. `payment_failed` when the card was declined; an open challenge has its page in the response.',
      input: noInput,
      output: z.object({
        status: setupStatus,
        card_id: z.nullable(integerId),
        challenge_url: z.nullable(z.string()),
        client_secret: z.nullable(z.string()),
      }),
    }),
  },
})

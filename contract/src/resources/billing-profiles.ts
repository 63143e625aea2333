import * as z from 'zod/mini'
import { idParameter, money } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'

export const billingProfiles = resource('billing-profiles', {
  description: 'The billing state of an account at a glance, computed; its id is the client’s.',
  attributes: {
    currency: z.string(),
    account_balance: money,
    credit_balance: money,
    /** Full UTC days below zero. */
    negative_days: z.int(),
    /** Whether the fields an invoice needs are all there (seed, section 5: null fails, an empty string passes). */
    billing_complete: z.boolean(),
    trial_ends_at: z.nullable(z.string()),
  },
  relationships: { client: toOne('clients') },
  filters: { client_id: idParameter },
})

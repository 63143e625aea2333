import { stripeSetupIntents } from '@portico/contract/resources/stripe-setup-intents.ts'
import { sql } from 'kysely'
import { everyone } from '#platform/jsonapi/declare/policy.ts'
import { outside, serve } from '#platform/jsonapi/declare/serve.ts'
import { account } from '#sharing/reach.ts'
import { beginSetup, confirmSetup, newSetup } from './setup-intents.ts'

// Returned only in the response to the creation, and not stored.
const returnedOnce = () => sql<string | null>`null::text`

export default serve(stripeSetupIntents, {
  table: 'setup_intents',
  policy: {
    read: account('setup_intents.client_id', 'billing'),
    create: everyone,
    confirm: account('setup_intents.client_id', 'billing'),
  },
  account: 'client_id',
  views: 'never',
  columns: { client_secret: returnedOnce, publishable_key: returnedOnce },
  fill: newSetup,
  begun: beginSetup,
  relationships: { client: 'client_id', card: 'card_id' },
  filters: { client_id: 'client_id', status: 'status' },
  order: '-createdAt',
  actions: { confirm: outside(confirmSetup) },
})

import { usageNotes } from '@portico/contract/resources/usage-notes.ts'
import { serve } from '../jsonapi/serve.ts'
import { account } from './reach.ts'

export default serve(usageNotes, {
  table: 'usage_notes',
  policy: { read: account('usage_notes.client_id', 'billing') },
  account: 'client_id',
  relationships: { usage: 'usage_id' },
  filters: { client_id: 'client_id', usage_id: 'usage_id' },
  order: '-createdAt',
})

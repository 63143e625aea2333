import { usageNotes } from '@portico/contract/resources/usage-notes.ts'
import { sql } from 'kysely'
import { serve } from '../jsonapi/serve.ts'
import { accountOrTill } from './reach.ts'

export default serve(usageNotes, {
  table: 'usage_notes',
  policy: { read: accountOrTill('usage_notes.client_id', 'billing') },
  account: 'client_id',
  keys: {
    group: 'usage',
    inProject: (project) =>
      sql`exists (select from usages u where u.id = usage_notes.usage_id and u.project_id = ${project})`,
  },
  relationships: { usage: 'usage_id' },
  filters: { client_id: 'client_id', usage_id: 'usage_id' },
  order: '-createdAt',
})

import { usageNotes } from '@portico/contract/resources/usage-notes.ts'
import { sql } from 'kysely'
import { reason } from '#platform/errors/problem.ts'
import { nobody } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { accountOrStaff, moneyWriters } from '#sharing/reach.ts'
import { noteIn } from './note-sentences.ts'

export default serve(usageNotes, {
  table: 'usage_notes',
  policy: {
    read: accountOrStaff('usage_notes.client_id', 'billing'),
    create: { ...nobody, ...moneyWriters, refusal: () => reason('staff_only') },
  },
  fill: ({ actor, related: { usage } }) => ({
    client_id: usage?.client_id,
    usage_on: usage?.usage_on,
    kind: 'staff',
    author_admin_id: actor.staff?.id,
  }),
  columns: { note_en: () => noteIn('en'), note_ro: () => noteIn('ro') },
  spread: { note_en: (note_en) => ({ note_en }), note_ro: (note_ro) => ({ note_ro }) },
  account: 'client_id',
  accountOf: { usage_id: 'usages' },
  keys: {
    group: 'usage',
    inProject: (project) =>
      sql`exists (select from usages u where u.id = usage_notes.usage_id and u.project_id = ${project})`,
  },
  relationships: { usage: 'usage_id' },
  filters: { client_id: 'client_id', usage_id: 'usage_id' },
  order: '-createdAt',
})

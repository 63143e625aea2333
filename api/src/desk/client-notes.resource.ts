import { clientNotes } from '@portico/contract/resources/client-notes.ts'
import { sql } from 'kysely'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { allStaff, staffAlone } from '#staff/roles.ts'

/** Staff who write notes: all but those who only read. */
export const noteWriters = staffAlone('support', 'billing', 'admin')

export default serve(clientNotes, {
  table: 'client_notes',
  ofStaff: true,
  routine: true,
  policy: { read: staffAlone(...allStaff), create: noteWriters, update: noteWriters },
  columns: {
    author_name: () => sql`(select a.display_name from admins a where a.id = client_notes.admin_id)`,
  },
  fill: ({ actor: { staff } }) => {
    if (staff === undefined) throw new Error('The policy lets staff alone through.')
    return { admin_id: staff.id }
  },
  relationships: { client: 'client_id' },
  filters: {
    client_id: 'client_id',
    pinned: (_, value) => sql`client_notes.pinned = ${value}::boolean`,
  },
  order: '-createdAt',
})

import * as z from 'zod/mini'
import { idParameter, integerId, stamps, text } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

/** The length of a note, in characters. */
export const longestNote = 4000

export const clientNotes = resource('client-notes', {
  description:
    'A note of staff about a client, for other staff. The client never reads it, and it is erased with the account.',
  attributes: {
    client_id: integerId,
    /** The member of staff who wrote it. */
    author_name: z.string(),
    body: text(longestNote, { required: fault('message_required') }),
    /** Shown at the top of the client’s page. */
    pinned: z.boolean(),
    ...stamps,
  },
  relationships: { client: toOne('desk-clients') },
  create: ['body', 'client'],
  update: ['pinned'],
  filters: { client_id: idParameter, pinned: z.enum(['true', 'false']) },
  sorts: ['createdAt'],
})

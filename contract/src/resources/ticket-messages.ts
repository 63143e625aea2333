import * as z from 'zod/mini'
import { idParameter, integerId, line, stamps, text } from '../fields.ts'
import { action, resource, toMany, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { longestMessage } from './tickets.ts'

const rating = z.enum(['good', 'bad'])

export const ticketMessages = resource('ticket-messages', {
  description:
    'A message in a ticket. It is never changed or deleted. After 2000 messages the client has to open another ticket: `ticket_full`.',
  attributes: {
    ticket_id: integerId,
    client_id: integerId,
    /** Markdown as it was written; every client must sanitize it. */
    body: text(longestMessage, { required: fault('message_required') }),
    /** `internal`: a note that only staff writes and reads. */
    visibility: z.optional(z.enum(['public', 'internal'])),
    source: z.enum(['web', 'mail', 'system']),
    /** `email`: a person who is notified of answers and has no account. */
    author_kind: z.enum(['client', 'staff', 'email', 'system']),
    /** The author's displayed name; empty for the portal itself. */
    author_name: z.string(),
    author_client_id: z.nullable(integerId),
    /** The client's rating of an answer. */
    rating: z.nullable(rating),
    rating_comment: z.nullable(z.string()),
    ...stamps,
  },
  relationships: {
    ticket: toOne('tickets'),
    client: toOne('clients'),
    admin: toOne('admins', { nullable: true }),
    /** When creating: the uploaded files to attach. */
    ticketFiles: toMany('ticket-files'),
  },
  create: ['body', 'visibility', 'ticket', 'ticketFiles'],
  filters: { client_id: idParameter, ticket_id: idParameter },
  sorts: ['createdAt'],
  actions: {
    rate: action({
      method: 'POST',
      on: 'one',
      description:
        'Rates an answer; a second rating replaces the first. `message_not_answer` for any other message.',
      input: z.strictObject({ rating, comment: z.optional(line(500)) }),
      output: z.object({ rating }),
    }),
  },
})

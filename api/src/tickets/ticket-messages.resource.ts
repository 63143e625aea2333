import type { Parameter } from '@portico/contract/refusals/refusal.ts'
import { ticketMessages } from '@portico/contract/resources/ticket-messages.ts'
import { sql } from 'kysely'
import { reason } from '#platform/errors/problem.ts'
import { everyone } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { messageCreated, newMessage, rate } from './messages.ts'
import { authorName, inSeenTicket, staffSeesIn, ticketIn, where } from './visibility.ts'

/** Every reader of a ticket may answer it, except read-only staff. */
export const throughTicket = {
  through: 'ticket',
  ability: 'reply',
  somewhere: () => true,
  refusal: (owner: Parameter) => reason('ticket_not_open', { owner }),
} as const

export default serve(ticketMessages, {
  table: 'ticket_messages',
  routine: true,
  policy: {
    // Internal notes are in no row that a client can read, count or be notified of.
    read: where(
      'ticket_messages.client_id',
      (actor) => sql`(ticket_messages.visibility = 'public' and ${inSeenTicket('ticket_messages', actor)})`,
      (staff) => staffSeesIn('ticket_messages', staff),
    ),
    create: throughTicket,
    rate: everyone,
  },
  account: 'client_id',
  accountOf: { ticket_id: 'tickets' },
  keys: { group: 'tickets', within: 'ticket', inProject: (project) => ticketIn(project, 'ticket_messages') },
  columns: {
    author_kind: () => sql`case when ticket_messages.author_client_id is not null then 'client'
      when ticket_messages.author_admin_id is not null then 'staff'
      when ticket_messages.author_email is not null then 'email' else 'system' end`,
    author_name: () => authorName('ticket_messages'),
  },
  fill: newMessage,
  relationships: {
    ticket: 'ticket_id',
    client: 'client_id',
    admin: 'author_admin_id',
    ticketFiles: { foreignKey: 'ticket_message_id' },
  },
  filters: { client_id: 'client_id', ticket_id: 'ticket_id' },
  order: 'createdAt',
  // A message has up to 80 kilobytes, so 200 bound the size of a response.
  mostIncluded: 200,
  constraints: {
    ticket_file_stays: { field: 'ticketFiles', refusal: reason('file_attached') },
  },
  created: messageCreated,
  actions: { rate: (context, { row, input }) => rate(context, row, input) },
})

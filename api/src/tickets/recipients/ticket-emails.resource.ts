import { ticketEmails } from '@portico/contract/resources/ticket-emails.ts'
import { type Expression, type SqlBool, sql } from 'kysely'
import { reason } from '#platform/errors/problem.ts'
import { contains } from '#platform/jsonapi/declare/contains.ts'
import { everyone, ownOrShared } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import type { SymbolicActor } from '#platform/jsonapi/declare/symbolic-actor.ts'
import { among } from '#sharing/reach.ts'
import { ticketShared } from '#tickets/visibility.ts'
import { emailCreated, newEmail, removeEmail } from './emails.ts'

/** Addresses that a guest added to the book of an account whose tickets they answer. */
const added = (actor: SymbolicActor): Expression<SqlBool> =>
  sql<SqlBool>`(ticket_emails.added_by = ${actor.id}
    and ${among('ticket_emails.client_id', actor, ({ owners }) => owners('tickets'))})`

/** Addresses subscribed to a ticket that the guest sees. */
const usedInSeen = (actor: SymbolicActor) =>
  sql<SqlBool>`exists (select from ticket_ticket_emails x join tickets t on t.id = x.ticket_id
    where x.ticket_email_id = ticket_emails.id and ${ticketShared('t', actor)})`

export default serve(ticketEmails, {
  table: 'ticket_emails',
  routine: true,
  policy: {
    read: ownOrShared(
      'ticket_emails.client_id',
      (actor) => sql<SqlBool>`(${added(actor)} or ${usedInSeen(actor)})`,
    ),
    create: everyone,
    delete: ownOrShared('ticket_emails.client_id', added),
  },
  account: 'client_id',
  keys: { group: 'tickets' },
  fill: newEmail,
  relationships: { client: 'client_id' },
  filters: {
    client_id: 'client_id',
    search: (eb, value) => contains(eb.cast(eb.ref('ticket_emails.email'), 'text'), value),
  },
  order: 'email',
  constraints: {
    ticket_emails_once: { field: 'email', refusal: reason('ticket_email_known') },
  },
  created: emailCreated,
  remove: removeEmail,
})

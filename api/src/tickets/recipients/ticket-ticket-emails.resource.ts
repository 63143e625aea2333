import { ticketTicketEmails } from '@portico/contract/resources/ticket-ticket-emails.ts'
import { sql } from 'kysely'
import { reason } from '#platform/errors/problem.ts'
import { ownOrShared } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { throughTicket } from '#tickets/ticket-messages.resource.ts'
import { inSeenTicket, staffAnswersIn, staffSeesIn, ticketIn, where } from '#tickets/visibility.ts'
import { newNotified, notifiedCreated } from './emails.ts'

const email = (column: 'email' | 'name') =>
  sql`(select e.${sql.ref(column)} from ticket_emails e where e.id = ticket_ticket_emails.ticket_email_id)`

export default serve(ticketTicketEmails, {
  table: 'ticket_ticket_emails',
  routine: true,
  policy: {
    read: where(
      'ticket_ticket_emails.client_id',
      (actor) => inSeenTicket('ticket_ticket_emails', actor),
      (staff) => staffSeesIn('ticket_ticket_emails', staff),
    ),
    // Staff do not see address books: they add addresses by `addEmail` of tickets.
    create: { ...throughTicket, clientsOnly: true },
    delete: {
      ...ownOrShared('ticket_ticket_emails.client_id', (actor) =>
        inSeenTicket('ticket_ticket_emails', actor),
      ),
      staff: (staff) => staffAnswersIn('ticket_ticket_emails', staff),
    },
  },
  account: 'client_id',
  accountOf: { ticket_id: 'tickets', ticket_email_id: 'ticket_emails' },
  keys: {
    group: 'tickets',
    within: 'ticket',
    inProject: (project) => ticketIn(project, 'ticket_ticket_emails'),
  },
  columns: { email: () => email('email'), name: () => email('name') },
  fill: newNotified,
  relationships: { ticket: 'ticket_id', ticketEmail: 'ticket_email_id' },
  filters: { client_id: 'client_id', ticket_id: 'ticket_id', ticket_email_id: 'ticket_email_id' },
  order: 'createdAt',
  constraints: {
    ticket_ticket_emails_once: { field: 'ticketEmail', refusal: reason('ticket_email_notified') },
    ticket_email_of_account: { field: 'ticketEmail', refusal: reason('ticket_email_of_other_account') },
  },
  created: notifiedCreated,
})

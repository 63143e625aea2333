import { ticketEmails } from '@portico/contract/resources/ticket-emails.ts'
import { everyone } from '../jsonapi/policy.ts'
import { serve } from '../jsonapi/serve.ts'
import { emailCreated, newEmail } from '../services/ticket-emails.ts'
import { contains } from './contains.ts'
import { account } from './reach.ts'

export default serve(ticketEmails, {
  table: 'ticket_emails',
  policy: {
    read: account('ticket_emails.client_id', 'tickets'),
    create: everyone,
    delete: account('ticket_emails.client_id', 'tickets'),
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
    ticket_emails_once: { field: 'email', detail: 'This address is in the list already.' },
  },
  created: emailCreated,
})

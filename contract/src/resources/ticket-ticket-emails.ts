import * as z from 'zod/mini'
import { idParameter, integerId, stamps } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'

export const ticketTicketEmails = resource('ticket-ticket-emails', {
  description: 'An address that is notified of the answers in a ticket.',
  attributes: {
    ticket_id: integerId,
    ticket_email_id: integerId,
    client_id: integerId,
    email: z.string(),
    name: z.nullable(z.string()),
    ...stamps,
  },
  relationships: { ticket: toOne('tickets'), ticketEmail: toOne('ticket-emails') },
  create: ['ticket', 'ticketEmail'],
  delete: true,
  filters: { client_id: idParameter, ticket_id: idParameter, ticket_email_id: idParameter },
  sorts: ['createdAt'],
})

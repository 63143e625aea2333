import * as z from 'zod/mini'
import { email } from '../calls/credentials.ts'
import { idParameter, integerId, line, searchParameter, stamps } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'

export const ticketEmails = resource('ticket-emails', {
  description:
    'An address in an account’s address book for tickets: it receives answers, and grants no access.',
  attributes: {
    /** The owner of the address book; by default the reader. */
    client_id: z.optional(integerId),
    email,
    name: z.nullable(line(80)),
    ...stamps,
  },
  relationships: { client: toOne('clients') },
  create: ['client_id', 'email', 'name'],
  delete: true,
  filters: { client_id: idParameter, search: searchParameter },
  sorts: ['email', 'createdAt'],
})

import * as z from 'zod/mini'
import { idParameter, integerId, moment, stamps } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'

export const ticketFiles = resource('ticket-files', {
  description:
    'A file of a ticket. It is uploaded first (`POST /api/v1/ticket-files/-actions/upload`), then attached to a ticket or message; until then only its uploader sees it, for a day.',
  attributes: {
    /** Null until it is attached to a ticket. */
    ticket_id: z.nullable(integerId),
    ticket_message_id: z.nullable(integerId),
    /** Its original name, without a path. */
    filename: z.string(),
    mime: z.string(),
    /** In bytes. */
    size: z.int(),
    /** `skipped`: it was uploaded while no malware scanner was configured. */
    scan_status: z.enum(['clean', 'skipped', 'infected']),
    /** When it is deleted unless it is attached by then. */
    expires_at: z.nullable(moment),
    ...stamps,
  },
  relationships: {
    ticket: toOne('tickets', { nullable: true }),
    ticketMessage: toOne('ticket-messages', { nullable: true }),
  },
  delete: true,
  filters: { client_id: idParameter, ticket_id: idParameter },
  sorts: ['createdAt', 'filename', 'size'],
})

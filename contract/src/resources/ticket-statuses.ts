import * as z from 'zod/mini'
import { resource } from '../jsonapi.ts'
import { ticketStates } from '../rules/tickets/ticket-states.ts'

/** The state of a ticket, by its code. */
export const ticketState = z.enum(ticketStates)

export const ticketStatuses = resource('ticket-statuses', {
  description: 'A state of a ticket, with its displayed name.',
  attributes: { code: ticketState, name_en: z.string(), name_ro: z.string() },
  sorts: ['name_en', 'name_ro'],
})

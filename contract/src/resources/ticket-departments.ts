import * as z from 'zod/mini'
import { resource } from '../jsonapi.ts'
import { ticketDepartmentCodes } from '../rules/tickets/ticket-departments.ts'

/** What departments are called in addresses: `/add-ticket/billing`. */
export const ticketDepartmentCode = z.enum(ticketDepartmentCodes)

export const ticketDepartments = resource('ticket-departments', {
  description:
    'Who answers a ticket. Tickets of one that `requires_billing` are seen by those who see the billing.',
  attributes: {
    code: ticketDepartmentCode,
    name_en: z.string(),
    name_ro: z.string(),
    position: z.int(),
    requires_billing: z.boolean(),
    /** Within how many minutes the first answer is aimed at, counted in office hours where there are such. */
    first_response_minutes: z.int(),
    /** Whether it answers on weekdays from 9 to 17 only, in the time of Bucharest. */
    office_hours: z.boolean(),
  },
  sorts: ['position', 'name_en', 'name_ro'],
})

import * as z from 'zod/mini'
import { resource } from '../jsonapi.ts'
import { departmentCode } from '../rules/tickets/ticket-departments.ts'

/** The codes of departments in addresses: `/add-ticket/billing`. */
export const ticketDepartmentCode = z.string().check(z.regex(departmentCode))

export const ticketDepartments = resource('ticket-departments', {
  description:
    'A department that answers tickets. Tickets of one with `requires_billing` are visible to people with access to billing.',
  attributes: {
    code: ticketDepartmentCode,
    name_en: z.string(),
    name_ro: z.string(),
    position: z.int(),
    requires_billing: z.boolean(),
    /** The target for the first answer in minutes; office hours only, where the department has them. */
    first_response_minutes: z.int(),
    /** Whether it answers only on weekdays from 9 to 17, Bucharest time. */
    office_hours: z.boolean(),
    /** Whether it takes no new tickets; those that it has stay there. */
    closed: z.boolean(),
  },
  sorts: ['position', 'name_en', 'name_ro'],
})

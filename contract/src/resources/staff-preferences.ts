import * as z from 'zod/mini'
import { resource } from '../jsonapi.ts'
import { followChoices, newsWays } from '../rules/tickets/staff-news.ts'
import { memberName } from './desk-staff.ts'
import { ticketDepartmentCode } from './ticket-departments.ts'

const ways = z.array(z.enum(newsWays)).check(
  z.overwrite((chosen) => [...new Set(chosen)]),
  z.maxLength(newsWays.length),
)

export const staffPreferences = resource('staff-preferences', {
  description:
    'The name and the notifications of a staff member: about tickets by department, and about alerts. Its id is the member’s; each changes their own.',
  attributes: {
    /** The name that clients see above an answer. */
    display_name: memberName,
    /** By code of a department; a department without an entry means all. `department_unknown` for any other code. */
    followed: z.record(ticketDepartmentCode, z.enum(followChoices)),
    ticket_news_by: ways,
    alert_news_by: ways,
  },
  update: ['display_name', 'followed', 'ticket_news_by', 'alert_news_by'],
  sorts: [],
})

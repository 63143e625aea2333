import * as z from 'zod/mini'
import { line, noInput, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { ticketDepartmentCode } from './ticket-departments.ts'

/** The longest response time, in minutes: thirty days. */
export const longestResponse = 43_200

const name = line(60, { required: fault('name_required') })
const minutes = z.int().check(z.gte(1), z.lte(longestResponse))

/** The fields that an administrator may change at any time. */
const changed = {
  name_en: name,
  name_ro: name,
  first_response_minutes: minutes,
  resolve_minutes: minutes,
  /** Whether the times count only on weekdays from 9 to 17, Bucharest time. */
  office_hours: z.boolean(),
}

const done = z.object({ code: z.string() })

export const deskDepartments = resource('desk-departments', {
  description:
    'A department that answers tickets, with its response times and the staff who are told of its tickets, for administrators.',
  attributes: {
    code: ticketDepartmentCode,
    ...changed,
    position: z.int(),
    /** Its tickets are seen only with access to billing. */
    requires_billing: z.boolean(),
    closed: z.boolean(),
    /** The tickets in it that are not closed. */
    open_tickets: z.int(),
    /** The names of the staff who are told of a new ticket; each member chooses it for themselves. */
    followers: z.array(z.string()),
    ...stamps,
  },
  sorts: ['position'],
  actions: {
    add: action({
      method: 'POST',
      on: 'type',
      description:
        'Administrators only: adds a department. `department_code_taken`. Who sees its tickets, `requires_billing`, is decided once.',
      input: z.strictObject({ code: ticketDepartmentCode, requires_billing: z.boolean(), ...changed }),
      output: done,
    }),
    edit: action({
      method: 'POST',
      on: 'one',
      description:
        'Administrators only: changes names and response times. Open tickets keep their deadlines, which their clients know.',
      input: z.strictObject(changed),
      output: done,
    }),
    close: action({
      method: 'POST',
      on: 'one',
      description:
        'Administrators only: takes no new tickets and no moved ones; the tickets in it are answered as before. `department_last` for the last one that every client may write to.',
      input: noInput,
      output: done,
    }),
    reopen: action({
      method: 'POST',
      on: 'one',
      description: 'Administrators only: takes tickets again.',
      input: noInput,
      output: done,
    }),
  },
})

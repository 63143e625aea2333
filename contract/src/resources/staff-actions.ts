import * as z from 'zod/mini'
import { day, idParameter, integerId, moment, money, searchParameter } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'

/** Who wrote: staff at the desk, the portal itself, a command of the server, or a person in the database. */
const origin = z.enum(['desk', 'portal', 'cli', 'sql'])

/** The reason of what was written in the database without one. */
export const unexplained = 'unexplained' as const

/** What the portal itself writes the operator’s own data for; the log says it in the reader’s language. */
export type OwnReason =
  | 'address of staff changed'
  | 'another token secret'
  | 'data of the demo'
  | 'invitation of staff accepted'
  | 'link of the first administrator'
  | 'published exchange rates'
  | 'start of the portal'

/** Before the name of a migration, in the reason of what it writes. */
export const migrationReason = 'migration '

/** An entry has so many of its changed rows; a large import changes thousands. */
export const mostChanges = 100

const values = z.nullable(z.record(z.string(), z.unknown()))

export const staffActions = resource('staff-actions', {
  description:
    'An act of a staff member, or a change of the operator’s own data by others, with its reason and the changed rows. Entries are only added; administrators read them.',
  attributes: {
    at: moment,
    origin,
    /** Null unless a member of staff wrote. */
    admin_id: z.nullable(integerId),
    admin_name: z.nullable(z.string()),
    /** The role of the database and the name of the program that wrote, where no member of staff did. */
    caller: z.nullable(z.string()),
    /** The second person, of what needed one. */
    approved_by_name: z.nullable(z.string()),
    /** An action of the type, or `create`, `update`, `delete`. */
    verb: z.string(),
    /** The type of the row: JSON:API keeps `type` for that of the resource itself. */
    resource_type: z.string(),
    /** The id of the row; null where the verb has none, or makes it. */
    ref: z.nullable(z.string()),
    /** The account that it concerned, if it was one. */
    client_id: z.nullable(integerId),
    client_name: z.nullable(z.string()),
    /** `routine` for a day's work without a reason of its own, `unexplained` for a write in the database without one. */
    reason: z.string(),
    /** The moved amount in the operator's currency, where the verb has a limit. */
    amount: z.nullable(money),
    request_id: z.string(),
    ip: z.nullable(z.string()),
    /** How many rows changed. */
    changes_total: z.int(),
    /** The columns that changed, before and after, by row, of the first rows; null once the person was erased. What is sealed only says that it changed. */
    changes: z.array(
      z.object({
        table: z.string(),
        id: z.nullable(z.string()),
        op: z.string(),
        before: values,
        after: values,
      }),
    ),
  },
  relationships: { client: toOne('clients', { nullable: true }) },
  filters: {
    admin_id: idParameter,
    client_id: idParameter,
    verb: z.string().check(z.maxLength(60)),
    resource_type: z.string().check(z.maxLength(60)),
    origin,
    /** The whole reason. */
    reason: z.string().check(z.maxLength(300)),
    /** Words of the reason. */
    search: searchParameter,
    from: day,
    to: day,
  },
  sorts: ['at'],
})

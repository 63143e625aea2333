import * as z from 'zod/mini'
import { day, idParameter, integerId, moment, money, searchParameter } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'

const values = z.nullable(z.record(z.string(), z.unknown()))

export const staffActions = resource('staff-actions', {
  description:
    'An act of a staff member, with its reason and the changed rows. Entries are only added; administrators read them.',
  attributes: {
    at: moment,
    admin_id: integerId,
    admin_name: z.string(),
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
    /** `routine` for a day's work without a reason of its own. */
    reason: z.string(),
    /** The moved amount in the operator's currency, where the verb has a limit. */
    amount: z.nullable(money),
    request_id: z.string(),
    ip: z.nullable(z.string()),
    /** The columns that changed, before and after, by row; null once the person was erased. What is sealed only says that it changed. */
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
    /** Words of the reason. */
    search: searchParameter,
    from: day,
    to: day,
  },
  sorts: ['at'],
})

import * as z from 'zod/mini'
import { moment } from '../fields.ts'
import { resource } from '../jsonapi.ts'

export const policyChanges = resource('policy-changes', {
  description:
    'A change of the rules of debts, trials, payments and access, as the log of staff has it. Rules apply from their change on, and none is planned ahead.',
  attributes: {
    at: moment,
    /** Null when a command or a person in the database changed it. */
    admin_name: z.nullable(z.string()),
    caller: z.nullable(z.string()),
    reason: z.string(),
    changes: z.array(
      z.object({
        policy: z.enum(['billing-policies', 'currency-policies', 'access-policies']),
        /** The currency of an amount. */
        currency: z.nullable(z.string()),
        /** An attribute of the policy. */
        field: z.string(),
        /** As in the policy; null where there was no value. */
        before: z.unknown(),
        after: z.unknown(),
      }),
    ),
  },
  sorts: ['at'],
})

import * as z from 'zod/mini'
import { line, moment } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

export const staffAlerts = resource('staff-alerts', {
  description:
    'A case that only a staff member can decide, with one open row. Billing staff see those about money, administrators all.',
  attributes: {
    /** The kind of alert: `disputed`, `usage_unpriced`, `job_failed` and others. */
    kind: z.string(),
    /** The subject, in the same words for each occurrence: a payment, a meter and its price list, a job. */
    about: z.string(),
    /** The known facts of the latest occurrence. */
    detail: z.record(z.string(), z.unknown()),
    createdAt: moment,
    /** The latest occurrence: a daily check finds the same problem again until it is resolved. */
    told_at: moment,
    resolved_at: z.nullable(moment),
    /** Why it needs no more attention, in the words of the staff member who resolved it. */
    resolution: z.nullable(z.string()),
  },
  filters: { open: z.enum(['true', 'false']) },
  sorts: ['createdAt'],
  actions: {
    resolve: action({
      method: 'POST',
      on: 'one',
      description:
        'Resolves the alert, with a reason. A later occurrence is a new alert. `alert_resolved` when it is resolved.',
      input: z.strictObject({ reason: line(300, { required: fault('reason_required') }) }),
      output: z.object({ resolved_at: moment }),
    }),
  },
})

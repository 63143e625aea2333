import * as z from 'zod/mini'
import { idParameter, integerId, line, moment } from '../fields.ts'
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
    /** The member of staff who looks after it. */
    assigned_admin_id: z.nullable(integerId),
    resolved_at: z.nullable(moment),
    /** Why it needs no more attention, in the words of the staff member who resolved it. */
    resolution: z.nullable(z.string()),
  },
  filters: {
    open: z.enum(['true', 'false']),
    /** Of this member of staff. */
    assigned_admin_id: idParameter,
  },
  sorts: ['createdAt'],
  actions: {
    assign: action({
      method: 'POST',
      on: 'one',
      description:
        'Gives the alert to a staff member who reads it, or with null to nobody. `alert_assignee_unfit` for others, `alert_resolved` when it is resolved.',
      input: z.strictObject({ admin_id: z.nullable(integerId) }),
      output: z.object({ assigned_admin_id: z.nullable(integerId) }),
    }),
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

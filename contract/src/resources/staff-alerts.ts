import * as z from 'zod/mini'
import { line, moment } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

export const staffAlerts = resource('staff-alerts', {
  description:
    'Something that only a person of staff can decide: one open row for each case. Staff of billing see what is about money, administrators all.',
  attributes: {
    /** What happened: `disputed`, `usage_unpriced`, `job_failed` and others. */
    kind: z.string(),
    /** What it is about, the same words each time: a payment, a meter and its price list, a job. */
    about: z.string(),
    /** The facts, as far as they are known; the newest of them. */
    detail: z.record(z.string(), z.unknown()),
    createdAt: moment,
    /** When it was found last: what is looked at once a day is found again until it is resolved. */
    told_at: moment,
    resolved_at: z.nullable(moment),
    /** Why it needs nobody any more, in the words of who resolved it. */
    resolution: z.nullable(z.string()),
  },
  filters: { open: z.enum(['true', 'false']) },
  sorts: ['createdAt'],
  actions: {
    resolve: action({
      method: 'POST',
      on: 'one',
      description:
        'Says that it needs nobody any more, and why. What is found again afterwards is a new alert. `alert_resolved` when it is resolved.',
      input: z.strictObject({ reason: line(300, { required: fault('reason_required') }) }),
      output: z.object({ resolved_at: moment }),
    }),
  },
})

import * as z from 'zod/mini'
import { stamps } from '../fields.ts'
import { resource, toMany } from '../jsonapi.ts'

export const planKind = z.enum(['web_hosting', 'server', 'cluster', 'other'])

/** Only offered plans can be chosen. Panels keep a plan that was retired. */
export const planState = z.enum(['draft', 'offered', 'retired'])

/** What a plan may limit. */
export const planLimits = [
  'servers',
  'clusters',
  'domains',
  'mailboxes',
  'disk_gb',
  'traffic_gb_month',
] as const

const amount = z.nullable(z.int())

export const plans = resource('plans', {
  description:
    'What a panel is: its kind and its limits, at a price a month. Readers see the plans that are offered and those of panels that they see; staff see all.',
  attributes: {
    /** As `plan_code` of panels has it. It never changes. */
    code: z.string(),
    name_en: z.string(),
    name_ro: z.string(),
    description_en: z.string(),
    description_ro: z.string(),
    kind: planKind,
    needs_domain: z.boolean(),
    state: planState,
    position: z.int(),
    /** Null: no limit. */
    limits: z.object({
      servers: amount,
      clusters: amount,
      domains: amount,
      mailboxes: amount,
      disk_gb: amount,
      traffic_gb_month: amount,
    }),
    ...stamps,
  },
  relationships: { planPrices: toMany('plan-prices') },
  filters: { code: z.string().check(z.maxLength(40)), kind: planKind, state: planState },
  sorts: ['position', 'code'],
})

import { day } from '@portico/contract/fields.ts'
import { decimalText, planParts, storedWhole } from '@portico/contract/resources/desk-plan-verbs.ts'
import { planKind, planLimits, planState } from '@portico/contract/resources/plans.ts'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Database } from '#platform/db/pool.ts'

const { code, name, description, reference } = planParts
/** UTC days; `to` is the first day on which it no longer counts, null: without end. */
const validity = { from: z.nullable(day), to: z.nullable(day) }
const endsLater = z.refine<{ from: string | null; to: string | null }>(
  ({ from, to }) => from === null || to === null || from < to,
  { path: ['to'] },
)

const planEntry = z.strictObject({
  code,
  name: z.strictObject({ en: name, ro: name }),
  description: z.strictObject({ en: description, ro: description }),
  kind: planKind,
  needs_domain: z.boolean(),
  state: planState,
  position: storedWhole,
  /** An absent limit means unlimited. */
  limits: z.partialRecord(z.enum(planLimits), storedWhole),
  engines: z.array(
    z.strictObject({
      engine: reference,
      plan: planParts.engine_plan,
      regions: z.array(reference),
    }),
  ),
})

const feeEntry = z.strictObject({ plan: code, ...validity, monthly: planParts.monthly }).check(endsLater)

const meterEntry = z
  .strictObject({
    meter: reference,
    /** Null: any plan. */
    plan: z.nullable(code),
    /** The kind of resource that it counts for; empty: any. */
    kind: reference,
    ...validity,
    unit_price: z.nullable(decimalText(4, 10)),
    included_per_day: planParts.per_day,
    tiers: z.nullable(
      z
        .array(z.strictObject({ up_to: z.optional(planParts.per_day), unit_price: decimalText(4, 10) }))
        .check(z.maxLength(100)),
    ),
  })
  .check(endsLater)

const listEntry = z.strictObject({
  code,
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
  default: z.boolean(),
  fees: z.array(feeEntry),
  meters: z.array(meterEntry),
})

/** Plans and prices as the operator keeps them in a file. */
export const planFile = z.strictObject({ plans: z.array(planEntry), price_lists: z.array(listEntry) })

export type PlanFile = z.output<typeof planFile>
export type PlanEntry = z.output<typeof planEntry>
export type ListEntry = z.output<typeof listEntry>
export type FeeEntry = z.output<typeof feeEntry>
export type MeterEntry = z.output<typeof meterEntry>

const days = sql`'from', lower(x.valid), 'to', upper(x.valid)`

/** The plans and prices of the portal, in the form of the file. */
export async function exportPlans(db: Database): Promise<PlanFile> {
  const { rows } = await sql<{ file: unknown }>`select jsonb_build_object(
    'plans', coalesce((select jsonb_agg(jsonb_build_object(
        'code', p.code, 'name', jsonb_build_object('en', p.name_en, 'ro', p.name_ro),
        'description', jsonb_build_object('en', p.description_en, 'ro', p.description_ro),
        'kind', p.kind, 'needs_domain', p.needs_domain, 'state', p.state, 'position', p.position,
        'limits', coalesce((select jsonb_object_agg(l.what, l.amount) from plan_limits l where l.plan_id = p.id), '{}'),
        'engines', coalesce((select jsonb_agg(jsonb_build_object('engine', e.code, 'plan', x.engine_plan, 'regions', x.regions)
            order by e.code)
          from plan_engines x join panel_engines e on e.id = x.panel_engine_id where x.plan_id = p.id), '[]'))
      order by p.position, p.code) from plans p), '[]'),
    'price_lists', coalesce((select jsonb_agg(jsonb_build_object(
        'code', b.code, 'currency', b.currency, 'default', b.is_default,
        'fees', coalesce((select jsonb_agg(jsonb_build_object('plan', p.code, ${days}, 'monthly', x.monthly::text)
            order by p.position, p.code, x.valid)
          from plan_prices x join plans p on p.id = x.plan_id where x.price_list_id = b.id), '[]'),
        'meters', coalesce((select jsonb_agg(jsonb_build_object('meter', m.code, 'plan', p.code, 'kind', x.resource_kind, ${days},
              'unit_price', trim_scale(x.unit_price)::text, 'included_per_day', trim_scale(x.included_per_day)::text, 'tiers', x.tiers)
            order by m.id, p.code nulls first, x.resource_kind, x.valid)
          from prices x join meters m on m.id = x.meter_id left join plans p on p.id = x.plan_id
          where x.price_list_id = b.id), '[]'))
      order by b.code) from price_lists b), '[]')) as file`.execute(db)
  return z.parse(planFile, rows[0]?.file)
}

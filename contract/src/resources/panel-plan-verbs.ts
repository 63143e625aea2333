import * as z from 'zod/mini'
import { line, moment, money, noInput } from '../fields.ts'
import { action } from '../jsonapi.ts'
import { lacks, obstacles, planCode, planLimits, vatRate } from './plans.ts'

/** Why a panel keeps its old plan. */
export const keptPlan = z.enum([
  'plan_limit_exceeded',
  'panel_suspended',
  'plan_refused',
  'engine_unavailable',
  'panel_deleted',
])

/** Why a plan that staff gave a panel has not begun on its day. */
export const plannedProblem = z.enum([
  'plan_not_offered',
  'plan_of_suspended',
  'panel_not_ready',
  'plan_change_unsupported',
  'plan_not_on_engine',
  'plan_needs_domain',
  'plan_change_waiting',
  'plan_limit_exceeded',
])

/** A plan that staff gave the panel from a UTC day on. */
export const plannedPlan = z.object({
  plan_code: z.string(),
  name_en: z.string(),
  name_ro: z.string(),
  starts_on: z.iso.date(),
  /** Null until that day, and while nothing keeps the panel from the plan. */
  problem: z.nullable(plannedProblem),
})

const exceeded = z.array(z.object({ limit: z.string(), allowed: z.number(), used: z.number() }))

/** A change of plan that waits for the engine, or that ended without the new plan. */
export const planChange = z.object({
  plan_code: z.string(),
  state: z.enum(['waiting', 'refused', 'failed']),
  reason: z.nullable(keptPlan),
  exceeded,
  asked_at: moment,
})

/** Null for a reader who may not know it. */
const change = z.nullable(z.object({ before: money, after: money }))
const day = z.nullable(z.iso.date())

/** The verbs about the plan of a panel. */
export const planVerbs = {
  plan: action({
    method: 'GET',
    on: 'one',
    description:
      'The plan of the panel: its price a month, net of VAT, and how much of each limit is used. The price and a use are null for a reader who may not know them; the plan is null for a panel without one.',
    input: noInput,
    output: z.object({
      plan: z.nullable(
        z.object({
          code: planCode,
          name_en: z.string(),
          name_ro: z.string(),
          price: z.nullable(z.object({ monthly: money, currency: z.string() })),
          limits: z.array(
            z.object({ limit: z.enum(planLimits), allowed: z.number(), used: z.nullable(z.number()) }),
          ),
        }),
      ),
    }),
  }),
  quotePlan: action({
    method: 'GET',
    on: 'one',
    description:
      'What another plan would cost the panel, net of VAT, before and after the change, and whether the panel can have it now. Asks the engine too, and changes nothing. A day and an hour are those of this month, and about: a month is exact.',
    input: z.strictObject({ plan: planCode }),
    output: z.object({
      plan: planCode,
      currency: z.string(),
      monthly: change,
      daily: change,
      hourly: change,
      /** From this hour to the end of this UTC month. */
      rest_of_month: change,
      /** On the new price of a month; null also while the rate is not known. */
      vat: z.nullable(z.object({ ...vatRate, amount: money, gross: money })),
      /** Of the whole account, with the use of the last days at the prices of the new plan. */
      daily_use: change,
      exhaustion_date: z.nullable(z.object({ before: day, after: day })),
      exceeded,
      can: z.boolean(),
      obstacles,
      lacks,
    }),
  }),
  changePlan: action({
    method: 'POST',
    on: 'one',
    description:
      'Asks the engine for another plan; the panel has it, and costs its price, once the engine confirms. `expects` is the price a month that the caller saw, null where they may not know it; `price_changed` when it is another by now. `plan_limit_exceeded` names each limit that the content of the panel exceeds. A plan that costs more a day is refused with `balance_too_low` as a new panel is.',
    input: z.strictObject({
      plan: line(40),
      expects: z.strictObject({ monthly: z.nullable(money), currency: z.string().check(z.length(3)) }),
    }),
    output: planChange,
  }),
}

import * as z from 'zod/mini'
import { day, integerId, noInput } from '../fields.ts'
import { action } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { planCode, planKind, planLimits } from './plans.ts'
import { meterCode } from './usages.ts'

/** Text that PostgreSQL keeps: no zero bytes, and no halves of characters. */
const storable = z
  .string()
  .check(z.refine((given) => given.isWellFormed() && !given.includes('\0'), fault('characters_unfit')))

const atMost = (most: number) => z.maxLength(most, fault('characters_most', { most }))

/** A decimal as text, with so many digits before and after its point. */
export const decimalText = (digits: number, places: number, { wrong = fault('value_invalid') } = {}) =>
  z.string().check(z.regex(new RegExp(`^\\d{1,${digits}}(\\.\\d{1,${places}})?$`), wrong))

/** A whole number that the database keeps. */
export const storedWhole = z
  .int(fault('value_not_whole'))
  .check(
    z.minimum(0, fault('number_least', { least: 0 })),
    z.maximum(2_147_483_647, fault('number_most', { most: 2_147_483_647 })),
  )

/** The parts of a plan, by the same rules in its file and in the form of its draft. */
export const planParts = {
  code: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, fault('plan_code_form'))),
  name: storable.check(z.trim(), z.minLength(1, fault('name_required')), atMost(60)),
  description: storable.check(atMost(500)),
  /** The name of a plan at its engine. */
  engine_plan: storable.check(z.trim(), z.minLength(1, fault('value_required')), atMost(40)),
  reference: storable.check(atMost(100)),
  monthly: decimalText(10, 2, { wrong: fault('price_form') }),
  per_day: decimalText(14, 6, { wrong: fault('quantity_form') }),
} as const

/** The rule that each entry of a list is there once, with the fault at the second one. */
const eachOnce =
  <T>(keyOf: (entry: T) => string, path: readonly string[] = []) =>
  ({ value, issues }: z.core.ParsePayload<T[]>): void => {
    const keys = value.map(keyOf)
    for (const [at, key] of keys.entries())
      if (keys.indexOf(key) < at)
        issues.push({ code: 'custom', input: key, path: [at, ...path], message: fault('value_twice') })
  }

/** Null: no limit. */
const limit = z.nullable(storedWhole)
const [servers, clusters, domains, mailboxes, disk, traffic] = planLimits

const details = {
  name_en: planParts.name,
  name_ro: planParts.name,
  description_en: planParts.description,
  description_ro: planParts.description,
  kind: planKind,
  needs_domain: z.boolean(),
  limits: z.strictObject({
    [servers]: limit,
    [clusters]: limit,
    [domains]: limit,
    [mailboxes]: limit,
    [disk]: limit,
    [traffic]: limit,
  }),
  /** The price a month in each price list, net of VAT; null: none there. */
  fees: z.array(z.strictObject({ list: planParts.code, monthly: z.nullable(planParts.monthly) })).check(
    z.maxLength(100),
    eachOnce(({ list }) => list, ['list']),
  ),
  /** The meters that the price includes, up to a quantity a day and panel; null: whatever is used. */
  included: z.array(z.strictObject({ meter: meterCode, per_day: z.nullable(planParts.per_day) })).check(
    z.maxLength(100),
    eachOnce(({ meter }) => meter, ['meter']),
  ),
  /** The engines that carry it, under the names that they know. */
  engines: z
    .array(
      z.strictObject({
        engine: planParts.reference,
        plan: planParts.engine_plan,
        regions: z.array(planParts.reference).check(z.maxLength(50), eachOnce(String)),
      }),
    )
    .check(
      z.maxLength(100),
      eachOnce(({ engine }) => engine, ['engine']),
    ),
}

/** A plan that is not offered yet, as a form asks for it. */
export const planDraft = z.strictObject({ code: planParts.code, ...details })

export type PlanDraft = z.output<typeof planDraft>

const saved = z.object({ id: integerId, code: planCode })

/** The verbs of staff about plans that are not offered yet. */
export const planVerbs = {
  draft: action({
    method: 'GET',
    on: 'type',
    description:
      'What a form of a plan offers: price lists, meters, engines, an example, and the plan of a code as such a form. A list that does not exist is begun with the first price in it.',
    input: z.strictObject({ code: z.optional(planCode) }),
    output: z.object({
      lists: z.array(
        z.object({
          code: z.string(),
          currency: z.string(),
          default: z.boolean(),
          exists: z.boolean(),
          /** The list of the operator's own currency: a plan has a price there. */
          required: z.boolean(),
        }),
      ),
      meters: z.array(z.object({ code: meterCode, unit: z.string() })),
      engines: z.array(
        z.object({
          code: z.string(),
          name: z.string(),
          /** The plans that it says it knows. */
          plans: z.array(z.string()),
          regions: z.array(z.string()),
        }),
      ),
      example: planDraft,
      plan: z.nullable(planDraft),
      today: day,
    }),
  }),
  addDraft: action({
    method: 'POST',
    on: 'type',
    description:
      'Adds a plan as a draft, with its prices from today, by the rules of the file. Nobody can choose it before it is published as offered. `plan_code_taken`, and the refusals of the file. Needs a recent sign-in.',
    input: planDraft,
    output: saved,
  }),
  editDraft: action({
    method: 'POST',
    on: 'one',
    description:
      'Changes a draft: all but its code. What was left out is removed. `plan_not_draft` once it was offered. Needs a recent sign-in.',
    input: z.strictObject(details),
    output: saved,
  }),
  deleteDraft: action({
    method: 'POST',
    on: 'one',
    description:
      'Deletes a draft with its prices; its code may be used again. `plan_not_draft` once it was offered, `plan_announced` where an announcement is about it. Needs a recent sign-in.',
    input: noInput,
    output: z.object({ code: planCode }),
  }),
} as const

import { fault } from '@portico/contract/refusals/fields.ts'
import { type PlanDraft, planParts, storedWhole } from '@portico/contract/resources/desk-plan-verbs.ts'
import { planKind } from '@portico/contract/resources/plans.ts'
import * as z from 'zod/mini'
import type { ActionOf, Output } from '../../api/actions.ts'
import type { SavingForm } from '../../components/forms/saving-form.ts'
import { m } from '../../texts/compiled/messages.js'
import { reasonRule } from '../verbs/form-rules.ts'

export type Choices = Output<ActionOf<'desk-plans', 'draft'>>

/** A decimal as it is typed, with a point or a comma. */
const typed = (text: string): string => text.trim().replace(',', '.')

const empty = (text: string) => text.trim() === ''

/** The rule of a decimal, where an empty field means none. */
const orNone = (rule: typeof planParts.monthly, wrong: ReturnType<typeof fault>) =>
  z.string().check(z.refine((text) => empty(text) || rule.safeParse(typed(text)).success, wrong))

const limit = z
  .string()
  .check(
    z.refine((text) => empty(text) || storedWhole.safeParse(Number(text)).success, fault('value_not_whole')),
  )

/** The rules of the form: texts as they are typed. */
export const planRules = z.object({
  code: planParts.code,
  name_en: planParts.name,
  name_ro: planParts.name,
  description_en: planParts.description,
  description_ro: planParts.description,
  kind: planKind,
  needs_domain: z.boolean(),
  limits: z.object({
    servers: limit,
    clusters: limit,
    domains: limit,
    mailboxes: limit,
    disk_gb: limit,
    traffic_gb_month: limit,
  }),
  fees: z.array(z.object({ list: z.string(), monthly: orNone(planParts.monthly, fault('price_form')) })),
  included: z.array(
    z.object({ meter: z.string(), per_day: orNone(planParts.per_day, fault('quantity_form')) }),
  ),
  engines: z.array(
    z.object({ engine: z.string(), plan: planParts.engine_plan, regions: z.array(z.string()) }),
  ),
  reason: reasonRule,
})

export type PlanValues = z.output<typeof planRules>

export type PlanForm = SavingForm<PlanValues>

export type Limit = keyof PlanValues['limits']

/** A code from a name: `Web 3` is `web-3`. */
export const codeOf = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)

const numberText = (amount: number | null): string => (amount === null ? '' : String(amount))

/** The form of a plan, with a price for each list that is offered. */
export const valuesOf = (plan: PlanDraft, { lists }: Choices, reason = ''): PlanValues => ({
  ...plan,
  limits: {
    servers: numberText(plan.limits.servers),
    clusters: numberText(plan.limits.clusters),
    domains: numberText(plan.limits.domains),
    mailboxes: numberText(plan.limits.mailboxes),
    disk_gb: numberText(plan.limits.disk_gb),
    traffic_gb_month: numberText(plan.limits.traffic_gb_month),
  },
  fees: lists.map(({ code: list }) => ({
    list,
    monthly: plan.fees.find((one) => one.list === list)?.monthly ?? '',
  })),
  included: plan.included.map(({ meter, per_day }) => ({ meter, per_day: per_day ?? '' })),
  reason,
})

const noLimits = {
  servers: null,
  clusters: null,
  domains: null,
  mailboxes: null,
  disk_gb: null,
  traffic_gb_month: null,
}

/** A plan without names and prices. It includes and is carried by what the example is. */
export const emptyPlan = ({ example: { kind, needs_domain, included, engines } }: Choices): PlanDraft => ({
  code: '',
  name_en: '',
  name_ro: '',
  description_en: '',
  description_ro: '',
  kind,
  needs_domain,
  limits: noLimits,
  fees: [],
  included,
  engines,
})

const numberIn = (text: string): number | null => (empty(text) ? null : Number(text))

const decimalIn = (text: string): string | null => (empty(text) ? null : typed(text))

/** The form on the wire: an empty optional field is null. */
export const onTheWire = ({ reason: _, ...values }: PlanValues): PlanDraft => ({
  ...values,
  limits: {
    servers: numberIn(values.limits.servers),
    clusters: numberIn(values.limits.clusters),
    domains: numberIn(values.limits.domains),
    mailboxes: numberIn(values.limits.mailboxes),
    disk_gb: numberIn(values.limits.disk_gb),
    traffic_gb_month: numberIn(values.limits.traffic_gb_month),
  },
  fees: values.fees.map(({ list, monthly }) => ({ list, monthly: decimalIn(monthly) })),
  included: values.included.map(({ meter, per_day }) => ({ meter, per_day: decimalIn(per_day) })),
})

export const limitLabels: Readonly<Record<Limit, () => string>> = {
  servers: m.desk_plan_limit_servers,
  clusters: m.desk_plan_limit_clusters,
  domains: m.desk_plan_limit_domains,
  mailboxes: m.desk_plan_limit_mailboxes,
  disk_gb: m.desk_plan_limit_disk_gb,
  traffic_gb_month: m.desk_plan_limit_traffic_gb_month,
}

/** The names of kinds, as clients read them. */
export const kindNames: Readonly<Record<PlanValues['kind'], () => string>> = {
  web_hosting: m.plan_kind_web_hosting,
  server: m.plan_kind_server,
  cluster: m.plan_kind_cluster,
  other: m.plan_kind_other,
}

const perDay: Partial<Record<string, () => string>> = {
  cpu_hours: m.desk_plan_day_cpu_hours,
  ram_gb_hours: m.desk_plan_day_ram_gb_hours,
  disk_gb_hours: m.desk_plan_day_disk_gb_hours,
  traffic_gb: m.desk_plan_day_traffic_gb,
  ipv4_hours: m.desk_plan_day_ipv4_hours,
  backup_gb_hours: m.desk_plan_day_backup_gb_hours,
  domain_days: m.desk_plan_day_domain_days,
  mailbox_days: m.desk_plan_day_mailbox_days,
  panel_hours: m.desk_plan_day_panel_hours,
}

/** In what a quantity of a meter a day is counted; an operator may define other meters than the portal knows. */
export const dayUnit = (meter: string, unit: string): string =>
  perDay[meter]?.() ?? m.desk_plan_day_other({ unit })

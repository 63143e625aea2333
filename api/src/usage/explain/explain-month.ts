import type { usages } from '@portico/contract/resources/usages.ts'
import Big from 'big.js'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { accountOf, currencyOf } from '#usage/asked-account.ts'
import { splitReference } from '#usage/used-resource.ts'
import { type Shown, shownDifference, showParts } from './round-parts.ts'

type Asked = z.output<typeof usages.actions.explain.input>
type Explanation = z.input<typeof usages.actions.explain.output>
type Named = Explanation['parts'][number]['plan']

/** The month up to today, the days of the month before with which it is compared, and how many of its days have passed. */
type Period = {
  readonly from: string
  readonly to: string
  readonly before_from: string
  readonly before_to: string
  readonly elapsed: string
}

/** Throws `usage_month_ahead`. */
async function periodOf({ tx }: Context, month: string | undefined): Promise<Period> {
  // Hours of plans count when they begin, so the present hour counts too.
  const { rows } = await sql<Period>`
    select f.day::text as from, t.day::text as to, b.day::text as before_from,
      case when t.day < n.today then f.day - 1 else least(b.day + (t.day - f.day), f.day - 1) end::text as before_to,
      case when t.day < n.today then t.day - f.day + 1
        else t.day - f.day + (extract(hour from clock_now() at time zone 'utc') + 1) / 24 end::text as elapsed
    from (select clock_today() as today) n
    cross join lateral (
      select coalesce(${month === undefined ? null : `${month}-01`}::date, date_trunc('month', n.today::timestamp)::date) as day
    ) f
    cross join lateral (select (f.day - interval '1 month')::date as day) b
    cross join lateral (select least((f.day + interval '1 month')::date - 1, n.today) as day) t
    where f.day <= n.today`.execute(tx)
  const [period] = rows
  if (!period) throw refuse('usage_month_ahead', {}, { source: { parameter: 'payload.month' } })
  return period
}

type Narrowing = {
  readonly client: number
  readonly project: number | null
  readonly panel: number | null
  readonly resource: string | null
}

function narrowingOf({ project_id, panel_id, resource }: Asked, client: number): Narrowing | undefined {
  const { panel, reference } = splitReference(resource)
  // A resource of one panel is not in another.
  if (panel !== undefined && panel_id !== undefined && panel !== panel_id) return undefined
  return {
    client,
    project: project_id ?? null,
    panel: panel ?? panel_id ?? null,
    resource: (resource === undefined ? null : reference) ?? null,
  }
}

type Part = Omit<Explanation['parts'][number], 'amount' | 'count' | 'kind'> & {
  readonly kind: Exclude<Explanation['parts'][number]['kind'], 'others'>
  readonly amount: Big
}

type Compared = {
  readonly now: Big
  readonly before: Big
  /** Nothing was used before the month. */
  readonly isFirst: boolean
  readonly isMixed: boolean
  readonly parts: readonly Part[]
}

const planName = (id: RawBuilder<unknown>): RawBuilder<Named> =>
  sql`(select jsonb_build_object('name_en', name_en, 'name_ro', name_ro) from plans where id = ${id})`

const partsOf = (of: Narrowing, period: Period) => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('kind', d.kind, 'amount', d.amount::text, 'panel_id', d.panel_id,
      'panel', (select name from panels where id = d.panel_id), 'resource', d.resource_ref,
      'resource_name', case when d.resource_ref is not null then d.resource_name end, 'since', d.since,
      'meter', (select code from meters where id = d.meter_id),
      'plan', coalesce(${planName(sql`d.plan_id`)}, (select jsonb_build_object('name_en', name_en, 'name_ro', name_ro)
        from plans where 'plan/' || code = d.resource_ref)),
      'plan_before', ${planName(sql`d.plan_before`)})
    order by d.kind, d.panel_id, d.resource_ref, d.meter_id, d.plan_id), '[]')
  from usage_change(${of.client}, ${of.project}, ${of.panel}, ${of.resource}, ${period.before_from}, ${period.before_to},
    ${period.from}, ${period.to}, ${period.elapsed}) d)`

type Found = {
  readonly now: string
  readonly before: string
  readonly first: boolean
  readonly mixed: boolean
  readonly parts: readonly (Omit<Part, 'amount'> & { readonly amount: string })[]
}

/** The costs of both ranges and what makes them differ, in one statement: usage may be rated at any moment. */
async function compare({ tx }: Context, of: Narrowing, period: Period, currency: string): Promise<Compared> {
  const rowsOf = (days: RawBuilder<unknown>) => sql`from usages u where u.client_id = ${of.client} and ${days}
    and (${of.project}::int8 is null or u.project_id = ${of.project}) and (${of.panel}::int8 is null or u.panel_id = ${of.panel})
    and (${of.resource}::text is null or u.resource_ref = ${of.resource})`
  const { rows } = await sql<Found>`
    select coalesce(sum(u.rated_amount) filter (where u.usage_on >= ${period.from}), 0) as now,
      coalesce(sum(u.rated_amount) filter (where u.usage_on <= ${period.before_to}), 0) as before,
      coalesce(bool_or(u.currency <> ${currency}) filter (
        where u.usage_on <= ${period.before_to} or u.usage_on >= ${period.from}), false) as mixed,
      not exists (select ${rowsOf(sql`u.usage_on < ${period.from}`)}) as first, ${partsOf(of, period)} as parts
    ${rowsOf(sql`u.usage_on between ${period.before_from} and ${period.to}`)}`.execute(tx)
  const [{ now = 0, before = 0, first = true, mixed = false, parts = [] } = {}] = rows
  return {
    now: new Big(now),
    before: new Big(before),
    isFirst: first,
    isMixed: mixed,
    parts: parts.map((part) => ({ ...part, amount: new Big(part.amount) })),
  }
}

const joined = {
  kind: 'others',
  panel_id: null,
  panel: null,
  resource: null,
  resource_name: null,
  since: null,
  meter: null,
  plan: null,
  plan_before: null,
} as const

const asPart = ({ part, count, amount }: Shown<Part>): Explanation['parts'][number] => ({
  ...(part ?? joined),
  amount: Number(amount),
  count,
})

/**
 * Explains why a month of an account costs more or less than the month before: the actor's own account unless another is
 * named, under the same rules as sums. Throws `usage_month_ahead` and `usage_client_missing`, and `not_found` to staff for
 * a missing account.
 */
export async function explainMonth(context: Context, asked: Asked): Promise<Explanation> {
  const client = await accountOf(context, asked)
  const { elapsed, ...days } = await periodOf(context, asked.month)
  const currency = await currencyOf(context, client)
  const of = client === undefined ? undefined : narrowingOf(asked, client)
  const nothing = {
    currency,
    ...days,
    now: 0,
    before: 0,
    difference: null,
    reason: 'first',
    parts: [],
  } as const
  if (of === undefined) return { ...nothing, parts: [] }
  const { now, before, isFirst, isMixed, parts } = await compare(context, of, { elapsed, ...days }, currency)
  if (isMixed) return { ...nothing, now: null, before: null, reason: 'currency', parts: [] }
  const sums = { now: Number(now.toFixed(2)), before: Number(before.toFixed(2)) }
  if (isFirst) return { ...nothing, ...sums, parts: [] }
  const difference = shownDifference(before, now)
  return {
    currency,
    ...days,
    ...sums,
    difference: Number(difference),
    reason: null,
    parts: showParts(parts, difference).map(asPart),
  }
}

import type { planPreview, priceVerbs } from '@portico/contract/resources/desk-price-verbs.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { reasonInLog } from '#desk/verbs/client-letter.ts'
import { billingAddresses } from '#notifications/billing-addresses.ts'
import { clientsWithLanguage } from '#notifications/clients-with-language.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { beginAssigned, endAssignment, planFor, priceOn } from '#workspaces/plans/assigned-plans.ts'
import { dearerBy } from '#workspaces/plans/money-ahead.ts'
import { namesOfPlans } from '#workspaces/plans/plan-names.ts'

type Panel = RowOf<'panels'>
type Asked = z.output<typeof priceVerbs.previewPlan.input>
type Assign = z.output<typeof priceVerbs.assignPlan.input>
type Of<I> = { readonly row: RowOf<'clients'>; readonly input: I }

/** A panel of a client. Throws `client_panel_unknown`. */
async function panelOf(tx: Database, client: number, id: number): Promise<Panel> {
  const panel = await tx
    .selectFrom('panels')
    .select(columns.panels)
    .where('id', '=', id)
    .where('client_id', '=', client)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!panel) throw refuse('client_panel_unknown', {}, { source: { pointer: '/data/panel_id' } })
  return panel
}

/** The days from which a panel can have a plan: a dearer one after the notice of dearer prices. */
async function daysFor(tx: Database, isDearer: boolean): Promise<{ earliest: string; latest: string }> {
  const { rows } = await sql<{ earliest: string; latest: string }>`
    select clock_today() + case when ${isDearer} then price_notice_days else 0 end as earliest, clock_today() + 365 as latest
    from billing_policies`.execute(tx)
  const [days] = rows
  if (!days) throw new Error('The policy of billing is missing.')
  return days
}

const plannedOf = async (tx: Database, panel: number) =>
  tx
    .selectFrom('plan_assignments as a')
    .innerJoin('plans as p', 'p.id', 'a.plan_id')
    .select(['p.code as plan', 'a.starts_on'])
    .where('a.panel_id', '=', panel)
    .where('a.ended_at', 'is', null)
    .executeTakeFirst()

/** What a plan would be for a panel, and when. Throws what keeps the panel from it. */
async function figuresOf(tx: Database, panel: Panel, code: string) {
  const planned = await plannedOf(tx, panel.id)
  const { plan, problems } = await planFor(tx, panel, code)
  // The present plan ends what is planned, and is no change otherwise.
  const isKept = panel.plan_id === plan.id && planned !== undefined
  const [problem] = problems
  if (problem && !isKept) throw problem
  const isDearer = !isKept && (await dearerBy(tx, { panel: panel.id, plan: plan.id })) !== undefined
  return { plan, planned, isKept, ...(await daysFor(tx, isDearer)) }
}

/** The verb that says what a plan would cost a panel, and from which day it can have it. Throws like `figuresOf`. */
export async function previewPlan(
  { tx }: Context,
  { row, input: { panel_id, plan: code } }: Of<Asked>,
): Promise<z.input<typeof planPreview>> {
  const panel = await panelOf(tx, row.id, panel_id)
  const { plan, planned, earliest, latest } = await figuresOf(tx, panel, code)
  const priced = { client: row.id, day: earliest }
  const after = await priceOn(tx, { ...priced, plan: plan.id })
  if (!after) throw refuse('plan_not_offered', {}, { source: { parameter: 'payload.plan' } })
  const before = panel.plan_id === null ? undefined : await priceOn(tx, { ...priced, plan: panel.plan_id })
  return {
    currency: after.currency,
    monthly: { before: before ? Number(before.monthly) : null, after: Number(after.monthly) },
    earliest,
    latest,
    planned: planned ?? null,
  }
}

type Told = { readonly panel: Panel; readonly plan: number; readonly on: string }

/** Writes to the client and their billing addresses which plan a panel gets, when, and at which price. */
async function writeAbout(
  { tx, vault }: Context,
  { panel, plan, on }: Told,
  price: { readonly monthly: string; readonly currency: string },
): Promise<void> {
  const { email, name, language, billing_emails } = await clientsWithLanguage(tx)
    .leftJoin('client_entities as e', 'e.client_id', 'c.id')
    .select(['c.email', 'c.first_name as name', 'l.code as language', 'e.billing_emails'])
    .where('c.id', '=', panel.client_id)
    .executeTakeFirstOrThrow()
  const { to: named } = await namesOfPlans(tx, panel.client_id, { from: panel.plan_id, to: plan })
  const about = { name, panel: panel.name, plan: named, on, reason: await reasonInLog(tx), price }
  for (const to of billingAddresses(email, billing_emails))
    await queueMail({ tx, vault }, { to, language, letter: { kind: 'plan-assigned', ...about } })
}

/**
 * The action of billing staff that gives a panel a plan from a UTC day on; what was planned before is replaced, and the plan
 * that the panel has ends it. The client is written to. Throws `recent_sign_in_required`, `client_panel_unknown`,
 * `plan_day_out_of_range`, `price_changed`, and what keeps the panel from the plan.
 */
export async function assignPlan(
  context: Context,
  { row, input }: Of<Assign>,
): Promise<{ plan: string; from: string }> {
  assertRecentSignIn(context)
  const { tx, now, actor } = context
  const panel = await panelOf(tx, row.id, input.panel_id)
  const { plan, isKept, earliest, latest } = await figuresOf(tx, panel, input.plan)
  if (input.from < earliest || input.from > latest)
    throw refuse('plan_day_out_of_range', { earliest, latest }, { source: { pointer: '/data/from' } })
  const price = await priceOn(tx, { client: row.id, plan: plan.id, day: input.from })
  if (!price) throw refuse('plan_not_offered', {}, { source: { pointer: '/data/plan' } })
  const { monthly, currency } = input.expects
  if (currency !== price.currency || monthly !== Number(price.monthly)) throw refuse('price_changed')
  await endAssignment(tx, panel.id, now)
  if (!isKept) {
    const made = { client_id: row.id, panel_id: panel.id, plan_id: plan.id, starts_on: input.from, ...price }
    await tx
      .insertInto('plan_assignments')
      .values({ ...made, admin_id: actor.staff?.id ?? 0 })
      .execute()
    await beginAssigned(tx, panel.id, now)
  }
  await writeAbout(context, { panel, plan: plan.id, on: input.from }, price)
  return { plan: plan.code, from: input.from }
}

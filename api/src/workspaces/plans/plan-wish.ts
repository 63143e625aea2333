import type { ExceededLimit } from '@portico/contract/engine/offers.ts'
import { engineCapabilities } from '@portico/contract/engine/wire.ts'
import type { Parameter } from '@portico/contract/refusals/refusal.ts'
import type { planLimits } from '@portico/contract/resources/plans.ts'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { type Problem, refuse } from '#platform/errors/problem.ts'
import { offeredPlan, type Source } from '#workspaces/adding/offered-plan.ts'

type Panel = RowOf<'panels'>

/** An offered plan, with its name at the panel's engine; null where the engine does not have it. */
export type WishedPlan = {
  readonly id: number
  readonly code: string
  readonly needs_domain: boolean
  readonly enginePlan: string | null
  /** Whether the engine changes plans at all. */
  readonly changes: boolean
}

/** The offered plan of this code for a panel. Throws `plan_not_offered`. */
export async function wishedPlan(
  tx: Database,
  panel: Panel,
  code: string,
  source: Source,
): Promise<WishedPlan> {
  const plan = await offeredPlan(tx, code, source)
  const { engine_plan, capabilities } = await tx
    .selectFrom('panel_engines as e')
    .leftJoin('plan_engines as x', (join) =>
      join.onRef('x.panel_engine_id', '=', 'e.id').on('x.plan_id', '=', plan.id),
    )
    .select(['x.engine_plan', 'e.capabilities'])
    .where('e.id', '=', panel.panel_engine_id)
    .executeTakeFirstOrThrow()
  const { plans, change_plan } = z.parse(engineCapabilities, capabilities)
  const enginePlan = engine_plan !== null && plans.includes(engine_plan) ? engine_plan : null
  // Only the capabilities of engines that speak 1.1 are stored with this word.
  return { ...plan, enginePlan, changes: change_plan === true }
}

/** SQL: what a panel holds of each limited resource. */
export const heldByPanel = (panelId: number) => sql`
  select count(*) filter (where kind = 'server') as servers, count(*) filter (where kind = 'cluster') as clusters,
    count(*) filter (where kind = 'domain') as domains,
    coalesce(sum((spec ->> 'mailboxes')::numeric) filter (where kind = 'domain'), 0) as mailboxes,
    coalesce(sum((spec ->> 'disk_gb')::numeric) filter (where kind = 'server'), 0) as disk_gb
  from panel_resources where panel_id = ${panelId} and gone_at is null`

/** The limits of a plan that the content of a panel exceeds. Traffic is a matter of the month and blocks nothing. */
export async function exceededLimits(
  tx: Database,
  panelId: number,
  planId: number,
): Promise<ExceededLimit[]> {
  const { rows } = await sql<ExceededLimit>`
    with held as (${heldByPanel(panelId)})
    select l.what as limit, l.amount as allowed, (to_jsonb(held) ->> l.what)::float8 as used
    from plan_limits l, held where l.plan_id = ${planId} and (to_jsonb(held) ->> l.what)::numeric > l.amount
    order by l.what`.execute(tx)
  return rows
}

const limitNames: Readonly<Record<(typeof planLimits)[number], Parameter>> = {
  servers: { en: 'Servers', ro: 'Servere' },
  clusters: { en: 'Clusters', ro: 'Clustere' },
  domains: { en: 'Domains', ro: 'Domenii' },
  mailboxes: { en: 'Mailboxes', ro: 'Căsuțe poștale' },
  disk_gb: { en: 'Disk space (GB)', ro: 'Spațiu pe disc (GB)' },
  traffic_gb_month: { en: 'Traffic (GB a month)', ro: 'Trafic (GB pe lună)' },
}

const isNamed = (limit: string): limit is keyof typeof limitNames => Object.hasOwn(limitNames, limit)

/** Limits whose use only the owner of a panel reads: guests may see a part of its domains only. */
export const ownersLimits: readonly string[] = ['domains', 'mailboxes']

/** The exceeded limits whose figures a reader may know. */
export const knownLimits = (exceeded: readonly ExceededLimit[], isOwner: boolean): ExceededLimit[] =>
  exceeded.filter(({ limit }) => isOwner || !ownersLimits.includes(limit))

/** A refusal for each exceeded limit, with the figures, also in its `meta`, where the reader may know them. */
export function refusedLimits(
  exceeded: readonly ExceededLimit[],
  { source, isOwner }: { readonly source: Source; readonly isOwner: boolean },
): Problem[] {
  const known = knownLimits(exceeded, isOwner)
  return exceeded.map((one) => {
    const { limit: code, allowed, used } = one
    const limit = isNamed(code) ? limitNames[code] : code
    const about = { limit, allowed: String(allowed) }
    if (!known.includes(one)) return refuse('plan_limit_exceeded_for_guest', about, { source })
    const meta = { limit: code, allowed, used }
    return refuse('plan_limit_exceeded', { ...about, used: String(used) }, { source, meta })
  })
}

/** Why a panel cannot get a plan now, apart from its limits; undefined when it can. */
export async function obstacle(
  tx: Database,
  panel: Panel,
  plan: WishedPlan,
  source: Source,
): Promise<Problem | undefined> {
  if (panel.status === 'suspended') return refuse('plan_of_suspended')
  if (panel.external_id === null || !['active', 'degraded'].includes(panel.status))
    return refuse('panel_not_ready')
  if (panel.plan_id === plan.id) return refuse('plan_same', {}, { source })
  if (!plan.changes) return refuse('plan_change_unsupported', {}, { source })
  if (plan.enginePlan === null) return refuse('plan_not_on_engine', {}, { source })
  if (plan.needs_domain && panel.domain === null) return refuse('plan_needs_domain', {}, { source })
  const waiting = await tx
    .selectFrom('panel_plan_changes')
    .select('id')
    .where('panel_id', '=', panel.id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return waiting && refuse('plan_change_waiting')
}

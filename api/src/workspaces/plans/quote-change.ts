import type { PanelCheckAnswer } from '@portico/contract/engine/panel-calls.ts'
import type { panels } from '@portico/contract/resources/panels.ts'
import type * as z from 'zod/mini'
import type { Context, OutsideContext, RowOf } from '#platform/context.ts'
import { type Problem, refuse } from '#platform/errors/problem.ts'
import { engineAccess } from '#workspaces/engines/engine-access.ts'
import { dearerBy, lackingFor, lacksFor, tooLow } from './money-ahead.ts'
import { exceededLimits, knownLimits, obstacle, refusedLimits, wishedPlan } from './plan-wish.ts'

type Quote = typeof panels.actions.quotePlan
type Answer = z.input<Quote['output']>
type Panel = RowOf<'panels'>

/** The cost of a change of plan. Prices belong to a room above this one, which provides them. */
export type PlanFigures = (
  context: Context,
  of: { readonly panel: Panel; readonly plan: number },
) => Promise<Omit<Answer, 'plan' | 'exceeded' | 'can' | 'obstacles' | 'lacks'>>

declare module '#platform/context.ts' {
  interface Ports {
    readonly planFigures: PlanFigures
  }
}

const source = { parameter: 'payload.plan' }

/** The plan, what stands in its way as far as the portal knows, and how its engine is asked for more. */
async function prepare(context: Context, row: Panel, code: string) {
  const { tx, vault } = context
  const plan = await wishedPlan(tx, row, code, source)
  const problem = await obstacle(tx, row, plan, source)
  const exceeded = await exceededLimits(tx, row.id, plan.id)
  const access = problem ? undefined : await engineAccess({ db: tx, vault }, { id: row.panel_engine_id })
  const more = problem ? undefined : await dearerBy(tx, { panel: row.id, plan: plan.id })
  const lacking = more === undefined ? undefined : await lackingFor(tx, row.client_id, more)
  return {
    plan,
    problem,
    exceeded,
    lacking,
    access: access?.capabilities.check === true ? access : undefined,
  }
}

/** The engine's answer to the change; an engine that does not answer is not an obstacle. */
async function verdictOf(
  { ports }: OutsideContext,
  { external_id: externalId }: Panel,
  { access, plan }: Awaited<ReturnType<typeof prepare>>,
): Promise<PanelCheckAnswer> {
  if (!access || externalId === null || plan.enginePlan === null) return { ok: true }
  return ports.engines
    .open(access)
    .check({ externalId, plan: plan.enginePlan })
    .catch(() => ({ ok: true }))
}

function problemsOf(
  problem: Problem | undefined,
  tooMuch: readonly Problem[],
  verdict: PanelCheckAnswer,
  poor: Problem | undefined,
): readonly Problem[] {
  if (problem) return [problem]
  // The person can remove what exceeds a limit, so they read the missing sum too and do both.
  if (tooMuch.length > 0) return [...tooMuch, ...(poor ? [poor] : [])]
  if (!verdict.ok) return [refuse('plan_refused')]
  return poor ? [poor] : []
}

/** Quotes another plan for a panel, and whether the change is possible now. Changes nothing. */
export async function quoteChange(
  outsideContext: OutsideContext,
  { row, input }: { readonly row: Panel; readonly input: z.output<Quote['input']> },
): Promise<Answer> {
  const prepared = await outsideContext.within((context) => prepare(context, row, input.plan))
  const verdict = await verdictOf(outsideContext, row, prepared)
  const named = new Set(prepared.exceeded.map(({ limit }) => limit))
  const exceeded = [
    ...prepared.exceeded,
    ...(verdict.exceeded ?? []).filter(({ limit }) => !named.has(limit)),
  ]
  const { actor, ports } = outsideContext
  const { lacking } = prepared
  const poor = lacking && tooLow(actor, row.client_id, lacking)
  const isOwner = actor.id === row.client_id
  const tooMuch = refusedLimits(exceeded, { source, isOwner })
  const problems = problemsOf(prepared.problem, tooMuch, verdict, poor)
  const figures = await outsideContext.within((context) =>
    ports.planFigures(context, { panel: row, plan: prepared.plan.id }),
  )
  return {
    plan: prepared.plan.code,
    ...figures,
    exceeded: knownLimits(exceeded, isOwner),
    can: problems.length === 0,
    obstacles: problems.map((one) => {
      const { code, detail } = one.toObject(actor.language)
      return { code, detail }
    }),
    // A payment does not help against what the person cannot remove.
    lacks: poor && problems.includes(poor) ? lacksFor(actor, row.client_id, lacking) : null,
  }
}

import { addDays } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import type { DemoAccount } from '#demo/data.ts'
import { noteAct } from '#notifications/account-log.ts'
import type { Database } from '#platform/db/pool.ts'
import { subjectOf } from '#workspaces/engines/subjects.ts'
import { namesOfPlans } from '#workspaces/plans/plan-names.ts'

/** A plan by its code, with its name at the simulated engine. */
export const planOf = (tx: Database, code: string) =>
  tx
    .selectFrom('plans')
    .innerJoin('plan_engines', 'plan_engines.plan_id', 'plans.id')
    .select(['plans.id', 'plans.needs_domain', 'plan_engines.engine_plan'])
    .where('plans.code', '=', code)
    .executeTakeFirstOrThrow()

/** The plan that an account's panels had before a UTC day; none when they always had the same. */
export type EarlierPlan = { readonly enginePlan: string; readonly until: string }

/** Records a change of plan in the past, as if the owner had made it and the engine confirmed it at once. */
async function changeEarlier(tx: Database, clientId: number, from: number, at: Date): Promise<void> {
  const { rows } = await sql<{ id: number; name: string; plan_id: number }>`
    insert into panel_plan_changes (panel_id, plan_id, engine_plan, monthly, currency, actor, state, asked_at, ended_at)
    select p.id, p.plan_id, p.plan_code, f.monthly, cur.code,
      ${JSON.stringify({ subject: subjectOf(clientId), kind: 'owner' })}::jsonb, 'done', ${at}, ${at}
    from panels p join clients c on c.id = p.client_id join currencies cur on cur.id = c.currency_id
      cross join lateral plan_price(c.id, cur.code, p.plan_id, clock_today()) f
    where p.client_id = ${clientId}
    returning panel_id as id, (select name from panels where id = panel_id) as name, plan_id`.execute(tx)
  for (const { id, name, plan_id } of rows) {
    const details = await namesOfPlans(tx, clientId, { from, to: plan_id })
    await noteAct(
      { tx, now: at },
      { kind: 'panel-plan-changed', owner: clientId, about: name, panel: id, details },
    )
  }
}

/** Gives an account's panels a history of plans that begins on a UTC day; returns the plan before a change. */
export async function agePlans(
  tx: Database,
  clientId: number,
  { of, first, today }: { readonly of: DemoAccount; readonly first: string; readonly today: string },
): Promise<EarlierPlan | undefined> {
  const ofClient = sql`panel_id in (select id from panels where client_id = ${clientId})`
  if (!of.planBefore) {
    await sql`update panel_plans set during = tstzrange(utc_start(${first}), null) where ${ofClient}`.execute(
      tx,
    )
    return undefined
  }
  const { id, engine_plan: enginePlan } = await planOf(tx, of.planBefore.code)
  const until = addDays(today, -of.planBefore.daysAgo)
  const at = new Date(`${until}T09:12:00Z`)
  await sql`update panel_plans set during = tstzrange(${at}, null) where ${ofClient}`.execute(tx)
  await sql`insert into panel_plans (panel_id, plan_id, during)
    select panel_id, ${id}, tstzrange(utc_start(${first}), ${at}) from panel_plans where ${ofClient}`.execute(
    tx,
  )
  await changeEarlier(tx, clientId, id, at)
  return { enginePlan, until }
}

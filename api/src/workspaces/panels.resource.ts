import { panels } from '@portico/contract/resources/panels.ts'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { noteAct } from '#notifications/account-log.ts'
import type { Actor, Context, RowOf } from '#platform/context.ts'
import type { DB } from '#platform/db/types.ts'
import { reason } from '#platform/errors/problem.ts'
import { contains } from '#platform/jsonapi/declare/contains.ts'
import { everyone, own, type Verdict } from '#platform/jsonapi/declare/policy.ts'
import { outside, serve } from '#platform/jsonapi/declare/serve.ts'
import type { SymbolicActor } from '#platform/jsonapi/declare/symbolic-actor.ts'
import { panelAdded, panelMoved } from '#sharing/client-panels.ts'
import { domainOfPanel, panel, panelAccounts, throughWorkspace } from '#sharing/reach.ts'
import { staffAnswers } from '#staff/ticket-visibility.ts'
import { newPanel } from './adding/new-panel.ts'
import { proposePanel } from './adding/propose-panel.ts'
import { readAudit } from './contents/readings.ts'
import { connectPanel } from './panel-access.ts'
import { activityOfPanel, reachOfPanel } from './panel-activity.ts'
import { panelReasons } from './panel-reasons.ts'
import { panelCreated, panelUpdated, removePanel, requestSync, retryProvision } from './panels.ts'
import { changePlan } from './plans/change-plan.ts'
import { assertMoneyAhead } from './plans/money-ahead.ts'
import { planOfPanel } from './plans/panel-plan.ts'
import { ownersLimits } from './plans/plan-wish.ts'
import { quoteChange } from './plans/quote-change.ts'
import { plannedPlan } from './plans/waiting-plans.ts'
import { statusReason } from './status-reason.ts'

/** The number of visible resources of a kind in a panel; staff see none. */
const count =
  (
    kind: 'server' | 'cluster' | 'domain',
    seen: (actor: SymbolicActor) => Expression<SqlBool> = () => sql<SqlBool>`true`,
  ) =>
  (eb: ExpressionBuilder<DB, 'panels'>, actor: SymbolicActor) =>
    eb
      .selectFrom('panel_resources')
      .whereRef('panel_resources.panel_id', '=', 'panels.id')
      .where('panel_resources.kind', '=', sql.lit(kind))
      .where('panel_resources.gone_at', 'is', null)
      .where(actor.staff ? sql<SqlBool>`false` : seen(actor))
      .select((inner) => inner.cast<number>(inner.fn.countAll(), 'integer').as('count'))

const notWhileDeleting = (_: Actor, row: RowOf<'panels'>): Verdict =>
  row.status !== 'deleting' || reason('panel_deleting')

const nameOfProject = async (tx: Context['tx'], id: number): Promise<string> =>
  (await tx.selectFrom('projects').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name

async function noteChanges(context: Context, row: RowOf<'panels'>, before: RowOf<'panels'>): Promise<void> {
  const act = { owner: row.client_id, about: row.name, panel: row.id }
  if (row.name !== before.name)
    await noteAct(context, { ...act, kind: 'panel-renamed', details: { from: before.name } })
  if (row.project_id === before.project_id) return
  const from = await nameOfProject(context.tx, before.project_id)
  const to = await nameOfProject(context.tx, row.project_id)
  await noteAct(context, { ...act, kind: 'panel-moved', details: { from, to } })
}

/** The last change of a panel's plan, unless it succeeded, with the exceeded limits whose figures the reader may know. */
const lastPlanChange = (
  actor: SymbolicActor,
) => sql`(select case when c.state <> 'done' then jsonb_build_object('plan_code', p.code, 'state', c.state,
    'reason', c.reason, 'exceeded', (
      select coalesce(jsonb_agg(e), '[]') from jsonb_array_elements(c.exceeded) e
      where ${actor.staff ? sql`true` : sql`panels.client_id = ${actor.id}`} or e ->> 'limit' <> all(${ownersLimits})),
    'asked_at', to_char(c.asked_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end
  from panel_plan_changes c join plans p on p.id = c.plan_id
  where c.panel_id = panels.id order by c.id desc limit 1)`

export default serve(panels, {
  table: 'panels',
  routine: true,
  policy: {
    read: {
      ...panel('panels.client_id', 'panels.project_id', 'panels.id'),
      staff: () => sql<SqlBool>`true`,
    },
    create: throughWorkspace,
    update: panel('panels.client_id', 'panels.project_id', 'panels.id', 'add_panels', (owner) =>
      reason('panels_change_not_allowed', { owner }),
    ),
    delete: panel('panels.client_id', 'panels.project_id', 'panels.id', 'delete_panels', (owner) =>
      reason('panels_delete_not_allowed', { owner }),
    ),
    // In another workspace other people may see the panel, and a guest may have more rights there.
    change: { project: own('panels.client_id') },
    sync: everyone,
    plan: everyone,
    activity: everyone,
    audit: panelAccounts('panels.client_id', 'panels.project_id', 'panels.id', (owner) =>
      reason('panel_accounts_not_allowed', { owner }),
    ),
    reach: own('panels.client_id'),
    quotePlan: panel('panels.client_id', 'panels.project_id', 'panels.id', 'add_panels', (owner) =>
      reason('panels_change_not_allowed', { owner }),
    ),
    changePlan: panel('panels.client_id', 'panels.project_id', 'panels.id', 'add_panels', (owner) =>
      reason('panels_change_not_allowed', { owner }),
    ),
    retryProvision: panel('panels.client_id', 'panels.project_id', 'panels.id', 'add_panels', (owner) =>
      reason('panels_add_not_allowed', { owner }),
    ),
    connect: {
      ...everyone,
      // Staff with access granted by the owner, through a ticket that is still assigned to them.
      staff: (staff) => sql`exists (select from open_staff_accesses a join tickets t on t.id = a.ticket_id
        where a.panel_id = panels.id and a.admin_id = ${staff.id} and ${staffAnswers('t', staff)})`,
    },
  },
  present: (eb) => eb('panels.deleted_at', 'is', null),
  account: 'client_id',
  accountOf: { project_id: 'projects' },
  keys: {
    group: 'panels',
    within: 'project',
    inProject: (project) => sql`panels.project_id = ${project}`,
    // A link gives all rights of the owner, and a program must not learn who else has access.
    never: ['connect', 'activity', 'audit', 'reach'],
  },
  columns: {
    user_type: (eb, actor) =>
      eb.case().when('panels.client_id', '=', actor.id).then(sql.lit(0)).else(sql.lit(1)).end(),
    plan_code: () =>
      sql`coalesce((select p.code from plans p where p.id = panels.plan_id), panels.plan_code)`,
    plan_change: (_, actor) => lastPlanChange(actor),
    planned_plan: () => plannedPlan,
    status_reason: (_, actor) => statusReason(actor),
    reasons: (_, actor) => panelReasons(actor),
    offers:
      () => sql`(select coalesce(jsonb_agg(word), '[]') from panel_engines e, unnest(array['series', 'audit']) word
      where e.id = panels.panel_engine_id and e.capabilities -> word = 'true')`,
    progress: () => sql`case when panels.status = 'provisioning' then panels.progress end`,
    login_url: (_, actor) =>
      actor.staff
        ? sql`null`
        : sql`(select panels.login_url from panel_engines e
            where e.id = panels.panel_engine_id and e.capabilities -> 'sso' = 'false')`,
    servers_count: count('server'),
    clusters_count: count('cluster'),
    domains_count: count('domain', domainOfPanel),
  },
  may: {
    update: notWhileDeleting,
    delete: notWhileDeleting,
    sync: notWhileDeleting,
    quotePlan: notWhileDeleting,
    changePlan: notWhileDeleting,
    connect: notWhileDeleting,
  },
  proposed: proposePanel,
  // A panel belongs to the owner of its workspace, also when a guest adds it.
  fill: async (context) => ({
    ...(await newPanel(context)),
    client_id: context.related.project?.client_id,
    status: 'provisioning',
  }),
  relationships: {
    project: 'project_id',
    client: 'client_id',
    servers: { foreignKey: 'panel_id' },
    clusters: { foreignKey: 'panel_id' },
    domains: { foreignKey: 'panel_id' },
  },
  filters: {
    client_id: 'client_id',
    project_id: 'project_id',
    status: 'status',
    search: (eb, value) => contains(eb.ref('panels.name'), value),
  },
  order: 'createdAt',
  constraints: {
    panels_name_taken: { field: 'name', refusal: reason('panel_name_taken') },
    panel_of_owner: { field: 'project', refusal: reason('panel_owner_fixed') },
  },
  created: async (context, row) => {
    await panelCreated(context, row)
    await assertMoneyAhead(context, row.client_id, 0)
    await panelAdded(context, row)
    await noteAct(context, { kind: 'panel-added', owner: row.client_id, about: row.name, panel: row.id })
  },
  updated: async (context, row, before) => {
    await panelUpdated(context, row, before)
    await panelMoved(context, row, before)
    await noteChanges(context, row, before)
  },
  remove: async (context, row) => {
    await removePanel(context, row)
    await noteAct(context, { kind: 'panel-deleted', owner: row.client_id, about: row.name, panel: row.id })
  },
  actions: {
    sync: requestSync,
    retryProvision: async (context, { row }) => {
      const shown = await retryProvision(context, { row })
      await assertMoneyAhead(context, row.client_id, 0)
      return shown
    },
    plan: planOfPanel,
    activity: activityOfPanel,
    audit: outside(readAudit),
    reach: reachOfPanel,
    quotePlan: outside(quoteChange),
    changePlan,
    connect: outside(connectPanel),
  },
})

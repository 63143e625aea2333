import { panelActs } from '@portico/contract/resources/panel-activity-verbs.ts'
import type { panels } from '@portico/contract/resources/panels.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context, RowOf } from '#platform/context.ts'

type Activity = typeof panels.actions.activity
type Answer = z.input<Activity['output']>
type Act = Answer['acts'][number]
type Panel = RowOf<'panels'>

const pageSize = 25

/**
 * Every act about a panel `p` from the account log and the sign-ins to it. The log is kept for a year, so the
 * creation of an older panel, and a suspension from before it was logged, follow from the panel itself.
 */
const acts = sql`
  select 'e' || e.id as id, e.kind, e.at, e.actor_client_id as client_id, e.actor_key as key, null::int8 as admin_id, e.details ->> 'from' as from, case e.kind when 'panel-renamed' then e.about when 'panel-stopped' then e.details ->> 'reason' else e.details ->> 'to' end as to
  from p join auth_events e on e.panel_id = p.id where e.kind in (${sql.join(panelActs.map((kind) => sql.lit(kind)))})
  union all
  select 's' || s.id, 'panel-connected', s.asked_at, s.client_id, null, s.admin_id, null, null
  from p join sso_grants s on s.panel_id = p.id where s.expires_at is not null
  union all
  select 'a', 'panel-added', p.created_at, null, null, null, null, null
  from p where not exists (select from auth_events e where e.panel_id = p.id and e.kind = 'panel-added')
  union all
  select 'u', 'panel-suspended', p.suspended_at, null, null, null, null, null
  from p where p.suspended_at is not null
    and not exists (select from auth_events e where e.panel_id = p.id and e.kind in ('panel-suspended', 'panel-stopped') and e.at >= p.suspended_at)`

/** The activity of a panel and its connections, newest first. The owner reads everything; guests do not read what others did. */
export async function activityOfPanel(
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  { row, input }: { readonly row: Panel; readonly input: z.output<Activity['input']> },
): Promise<Answer> {
  const owner = actor.id === row.client_id
  const before = input.before ?? null
  const { rows } = await sql<Act>`
    with p as (select id, client_id, created_at, suspended_at from panels where id = ${row.id}),
      acts as (${acts}),
      seen as (select * from acts where ${owner} or kind <> 'panel-connected' or client_id = ${actor.id})
    select s.id, s.kind, s.at, case
        when s.admin_id is not null or s.kind = 'panel-stopped' then jsonb_build_object('kind', 'support', 'name', null)
        when s.key is not null then jsonb_build_object('kind', 'key', 'name', case when ${owner} then s.key end)
        when c.id = ${actor.id} then jsonb_build_object('kind', 'you', 'name', null)
        when c.id = ${row.client_id} then jsonb_build_object('kind', 'owner', 'name', btrim(c.first_name || ' ' || c.last_name))
        when c.id is not null then jsonb_build_object('kind', 'guest',
          'name', case when ${owner} then btrim(c.first_name || ' ' || c.last_name) end)
      end as by,
      case when ${owner} or s.kind <> 'panel-moved' then s.from end as from,
      case when ${owner} or s.kind not in ('panel-moved', 'panel-stopped') then s.to end as to
    from seen s left join clients c on c.id = s.client_id
    where ${before}::text is null or (s.at, s.id) < (select at, id from seen where id = ${before})
    order by s.at desc, s.id desc limit ${pageSize + 1}`.execute(tx)
  return { acts: rows.slice(0, pageSize), more: rows.length > pageSize }
}

/** The number of people who accepted an invitation that opens the panel now. */
export async function reachOfPanel(
  { tx, now }: Pick<Context, 'tx' | 'now'>,
  { row }: { readonly row: Panel },
): Promise<{ people: number }> {
  const { rows } = await sql<{ people: number }>`
    select count(distinct v.guest_id)::int as people
    from shared_panels v join share_permissions s on s.id = v.permission_id
    where v.panel_id = ${row.id} and v.guest_id is not null
      and (s.expires_at is null or s.expires_at > ${now.toISOString()})`.execute(tx)
  return { people: rows[0]?.people ?? 0 }
}

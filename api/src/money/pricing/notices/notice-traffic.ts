import { sql } from 'kysely'
import { billingAddresses } from '#notifications/billing-addresses.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import { alertStaff, resolveOthers } from '#platform/alerts.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import type { Vault } from '#platform/vault.ts'
import { trafficThisMonth } from '#workspaces/plans/panel-plan.ts'

const panelsAtOnce = 2000
const alertKind = 'plan_traffic_used'

type Noticed = {
  readonly panel_id: number
  readonly panel: string
  readonly plan: string
  readonly plan_code: string
  readonly percent: 80 | 100
  readonly used: number
  readonly allowed: number
  readonly email: string
  readonly name: string
  readonly language: string
  readonly billing_emails: string | null
}

/** The next panels whose plan limits the traffic of a month. */
async function nextPanels(db: Database, after: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from panels p
    join plan_limits l on l.plan_id = p.plan_id and l.what = 'traffic_gb_month'
    where p.id > ${after} and p.deleted_at is null and p.status not in ('deleting', 'deleted')
    order by p.id limit ${panelsAtOnce}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Records which shares of their traffic these panels have reached this UTC month, and returns the highest of each that was
 * not recorded before.
 */
async function newlyReached(tx: Database, panels: readonly number[]): Promise<Noticed[]> {
  const { rows } = await sql<Noticed>`
    with used as (
      select p.id, p.name, p.client_id, p.plan_id, l.amount as allowed, u.gb, m.month
      from (select date_trunc('month', clock_today()::timestamp)::date as month) m
      cross join panels p
      join plan_limits l on l.plan_id = p.plan_id and l.what = 'traffic_gb_month'
      cross join lateral (select ${trafficThisMonth(sql.ref('p.id'))} as gb) u
      where p.id = any(${[...panels]}::int8[])
    ), noticed as (
      insert into plan_traffic_notices (panel_id, plan_id, month, percent)
      select u.id, u.plan_id, u.month, t.percent from used u, unnest(array[80, 100]) t (percent)
      where u.gb > 0 and u.gb >= u.allowed * t.percent / 100.0 order by 1, 4
      on conflict do nothing returning panel_id, percent
    )
    select u.id as panel_id, u.name as panel, case l.code when 'ro' then f.name_ro else f.name_en end as plan, f.code as plan_code,
      max(n.percent)::int as percent, floor(u.gb)::float8 as used, u.allowed::float8 as allowed,
      c.email::text as email, c.first_name as name, l.code as language, e.billing_emails
    from noticed n join used u on u.id = n.panel_id join plans f on f.id = u.plan_id join clients c on c.id = u.client_id
      join languages l on l.id = c.language_id left join client_entities e on e.client_id = c.id
    group by u.id, u.name, l.code, f.name_ro, f.name_en, f.code, u.gb, u.allowed, c.email, c.first_name, e.billing_emails
    order by u.id`.execute(tx)
  return rows
}

async function notice(tx: Database, vault: Vault, reached: Noticed): Promise<void> {
  const { panel_id, panel, plan, plan_code, percent, used, allowed, email, name, language } = reached
  for (const to of billingAddresses(email, reached.billing_emails)) {
    const letter = { kind: 'plan-traffic', name, panel, plan, percent, used, allowed } as const
    await queueMail({ tx, vault }, { to, language, letter })
  }
  if (percent === 100)
    await alertStaff(tx, `panel ${panel_id}`, alertKind, { plan: plan_code, allowed, used })
}

/** Resolves the alerts of panels whose traffic was used up in an earlier month or under another plan. */
async function resolveEarlier(tx: Database): Promise<void> {
  const { rows } = await sql<{ about: string }>`
    select 'panel ' || n.panel_id as about from plan_traffic_notices n join panels p on p.id = n.panel_id
    where n.month = date_trunc('month', clock_today()::timestamp)::date and n.percent = 100 and p.plan_id = n.plan_id
      and p.deleted_at is null`.execute(tx)
  await resolveOthers(
    tx,
    alertKind,
    rows.map(({ about }) => about),
  )
}

/**
 * Writes to the owner and the billing addresses of each panel that has used 80 or 100 percent of its plan's traffic this
 * month, once for each share; staff are alerted at 100.
 */
export async function noticeTraffic({
  pool,
  vault,
}: {
  readonly pool: Pool
  readonly vault: Vault
}): Promise<void> {
  const db = pool.kysely
  for (let panels = await nextPanels(db, 0); panels.length > 0; ) {
    await db.transaction().execute(async (tx) => {
      for (const reached of await newlyReached(tx, panels)) await notice(tx, vault, reached)
    })
    panels = await nextPanels(db, panels.at(-1) ?? 0)
  }
  await db.transaction().execute(resolveEarlier)
}

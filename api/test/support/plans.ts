import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

/** Plans at a price a month in the standard list, from long ago, under codes of their own. */
export async function makePlans(
  db: Database,
  prices: Readonly<Record<string, string>>,
): Promise<Record<string, number>> {
  const { rows } = await sql<{ code: string; id: number }>`with made as (
      insert into plans (code, name_en, name_ro, kind)
      select code, initcap(code), initcap(code) || ' Plus', 'web_hosting' from jsonb_object_keys(${JSON.stringify(prices)}::jsonb) code
      returning id, code
    ), priced as (
      insert into plan_prices (price_list_id, plan_id, valid, monthly)
      select l.id, made.id, '[2020-01-01,)', (${JSON.stringify(prices)}::jsonb ->> made.code)::numeric
      from made, price_lists l where l.code = 'standard'
    )
    select code, id from made`.execute(db)
  return Object.fromEntries(rows.map(({ code, id }) => [code, id]))
}

/** Plans as `makePlans` makes them, offered, and made by the first engine as its plan `standard`. */
export async function makeOffered(
  db: Database,
  prices: Readonly<Record<string, string>>,
  { regions = [] }: { regions?: readonly string[] } = {},
): Promise<Record<string, number>> {
  const made = await makePlans(db, prices)
  const ids = Object.values(made)
  await sql`insert into plan_engines (plan_id, panel_engine_id, engine_plan, regions)
    select plan, default_panel_engine(), 'standard', ${[...regions]}::text[] from unnest(${ids}::int8[]) plan`.execute(
    db,
  )
  await sql`update panel_engines set capabilities = jsonb_set(capabilities, '{plans}',
    (capabilities -> 'plans') - 'standard' || '["standard"]') where is_default`.execute(db)
  await sql`update plans set state = 'offered' where id = any(${ids}::int8[])`.execute(db)
  return made
}

/** What a draft of a plan says besides its code. */
export const planDetails = {
  name_en: 'Matrix',
  name_ro: 'Matrice',
  description_en: '',
  description_ro: '',
  kind: 'other',
  needs_domain: false,
  limits: {
    servers: null,
    clusters: null,
    domains: null,
    mailboxes: null,
    disk_gb: null,
    traffic_gb_month: null,
  },
  fees: [],
  included: [],
  engines: [],
}

/** The input of each verb about plans, in the permission matrix. */
export const planInputs = {
  previewPlans: () => ({ text: '{}' }),
  publishPlans: () => ({ text: '{}', state: '' }),
  addDraft: () => ({ ...planDetails, code: 'matrix' }),
  editDraft: () => planDetails,
}

/** Does something to a panel at a moment of the business clock. */
export const at = (
  db: Database,
  moment: string,
  work: (tx: Database) => Promise<unknown>,
): Promise<unknown> =>
  db.transaction().execute(async (tx) => {
    await sql`update clock set ahead = ${moment}::timestamptz - now()`.execute(tx)
    return work(tx)
  })

/** A panel's history of plans: the code, the period, and whether it is charged. */
export async function historyOf(db: Database, panel: number): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', p.code, to_char(lower(h.during) at time zone 'utc', 'DD.HH24:MI:SS'),
      to_char(upper(h.during) at time zone 'utc', 'DD.HH24:MI:SS'), case when not h.charged then 'free' end) as line
    from panel_plans h join plans p on p.id = h.plan_id where h.panel_id = ${panel} order by lower(h.during)`.execute(
    db,
  )
  return rows.map(({ line }) => line)
}

/** The costs of a panel's days: the day, the resource, the meter, the quantity and the amount. */
export async function costsOf(db: Database, panel: number): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', to_char(u.usage_on, 'DD'), u.resource_ref, m.code, trim_scale(l.quantity), l.amount) as line
    from usage_lines l join usages u on u.id = l.usage_id join meters m on m.id = l.meter_id
    where u.panel_id = ${panel} order by 1`.execute(db)
  return rows.map(({ line }) => line)
}

/**
 * A retired plan of a panel, and a price list of its client's own with a price of the plan and of a meter; the default list
 * prices the plan too.
 */
export async function makePanelPlan(
  db: Database,
  { client, panel }: { client: number; panel: number },
): Promise<Record<'plans' | 'panel-plans' | 'price-lists' | 'plan-prices' | 'prices', number>> {
  const { [`plan-${client}`]: plan = 0 } = await makePlans(db, { [`plan-${client}`]: '8.00' })
  await sql`insert into plan_limits (plan_id, what, amount) values (${plan}, 'domains', 3)`.execute(db)
  await sql`update plans set state = 'retired' where id = ${plan}`.execute(db)
  await sql`update panels set plan_id = ${plan} where id = ${panel}`.execute(db)
  const { rows } = await sql<{ list: number; fee: number; price: number; history: number }>`with list as (
      insert into price_lists (code, currency) values (${`own-${client}`}, 'USD') returning id
    ), assigned as (
      insert into client_price_lists (client_id, price_list_id, valid) select ${client}, id, '[2020-01-01,)' from list
    ), fee as (
      insert into plan_prices (price_list_id, plan_id, valid, monthly) select id, ${plan}, '[2020-01-01,)', 7 from list returning id
    ), price as (
      insert into prices (price_list_id, plan_id, meter_id, valid, unit_price, included_per_day)
      select list.id, ${plan}, meters.id, '[2020-01-01,)', 0.01, 5 from list, meters where meters.code = 'traffic_gb' returning id
    )
    select list.id as list, fee.id as fee, price.id as price,
      (select id from panel_plans where panel_id = ${panel}) as history from list, fee, price`.execute(db)
  const [made] = rows
  if (made === undefined) throw new Error('Nothing was made.')
  const { list, fee, price, history } = made
  return { plans: plan, 'panel-plans': history, 'price-lists': list, 'plan-prices': fee, prices: price }
}

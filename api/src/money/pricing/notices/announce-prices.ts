import { sql } from 'kysely'
import { billingAddresses } from '#notifications/billing-addresses.ts'
import type { DearerFee, DearerMeter } from '#notifications/letters/plans/plan-letter.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import type { Vault } from '#platform/vault.ts'

const clientsAtOnce = 500

type Announced = {
  readonly email: string
  readonly name: string
  readonly language: string
  readonly billing_emails: string | null
  readonly on: string
  readonly fees: readonly DearerFee[]
  readonly meters: readonly DearerMeter[]
}

/**
 * Records the dearer prices to come that apply to panels of these clients, and returns those that were not recorded before,
 * by client and day. A price is dearer than the one that applies the day before, which may be a special price that ends, or of
 * a list of the account's own.
 */
async function newlyDearer(tx: Database, clients: readonly number[]): Promise<Announced[]> {
  const { rows } = await sql<Announced>`
    with held as (
      select n.client_id, n.name, n.plan_id, cur.code as currency from panels n
      join clients c on c.id = n.client_id join currencies cur on cur.id = c.currency_id
      where n.client_id = any(${[...clients]}::int8[]) and n.deleted_at is null and n.status not in ('deleting', 'deleted')
    ), relisted as (
      select o.client_id, d.day from client_price_lists o, unnest(array[lower(o.valid), upper(o.valid)]) d (day)
      where o.client_id = any(${[...clients]}::int8[]) and d.day > clock_today()
    ), ends as materialized (
      select plan_id, null as meter_id, upper(valid) as day from plan_prices where upper(valid) > clock_today()
      union select null, meter_id, upper(valid) from prices where upper(valid) > clock_today()
    ), fees as (
      select h.client_id, x.id, t.day as starts_on, x.plan_id, h.currency, b.monthly as was, x.monthly as becomes,
        jsonb_agg(h.name order by h.name) as panels
      from held h
      join plan_prices x on x.plan_id = h.plan_id
      cross join lateral (select lower(x.valid) as day union select e.day from ends e where e.plan_id = x.plan_id
        union select r.day from relisted r where r.client_id = h.client_id) t
      cross join lateral plan_price(h.client_id, h.currency, h.plan_id, t.day) a
      cross join lateral plan_price(h.client_id, h.currency, h.plan_id, t.day - 1) b
      where t.day > clock_today() and a.id = x.id and x.monthly > b.monthly
      group by 1, 2, 3, 4, 5, 6, 7
    ), rates as (
      select distinct on (h.client_id, x.id) h.client_id, x.id, t.day as starts_on, x.plan_id, h.currency, m.code as meter,
        m.unit, b.unit_price as was, x.unit_price as becomes
      from held h
      join prices x on coalesce(x.plan_id = h.plan_id, x.plan_id is null)
      join meters m on m.id = x.meter_id
      cross join lateral (select lower(x.valid) as day union select e.day from ends e where e.meter_id = x.meter_id
        union select r.day from relisted r where r.client_id = h.client_id) t
      cross join lateral usage_price(h.client_id, h.currency, x.meter_id, x.resource_kind, t.day, h.plan_id) a
      cross join lateral usage_price(h.client_id, h.currency, x.meter_id, x.resource_kind, t.day - 1, h.plan_id) b
      where t.day > clock_today() and a.id = x.id and (x.included_per_day < b.included_per_day or x.unit_price > b.unit_price
        or ((x.unit_price is null or b.unit_price is null) and (x.unit_price, x.tiers) is distinct from (b.unit_price, b.tiers)))
      order by h.client_id, x.id, t.day
    ), noticed as (
      insert into price_notices (client_id, plan_price_id, price_id)
      select client_id, id, null from fees union all select client_id, null, id from rates order by 1, 2, 3
      on conflict do nothing returning client_id, plan_price_id, price_id
    ), fresh as (
      select f.client_id, f.starts_on, jsonb_build_object('plan', case l.code when 'ro' then p.name_ro else p.name_en end,
          'panels', f.panels, 'currency', f.currency, 'was', f.was::text, 'becomes', f.becomes::text) as fee, null as rate
      from noticed n join fees f on f.client_id = n.client_id and f.id = n.plan_price_id
        join plans p on p.id = f.plan_id join clients c on c.id = f.client_id join languages l on l.id = c.language_id
      union all
      select r.client_id, r.starts_on, null, jsonb_build_object('meter', r.meter, 'unit', r.unit, 'currency', r.currency,
          'plan', case l.code when 'ro' then p.name_ro else p.name_en end,
          'was', trim_scale(r.was)::text, 'becomes', trim_scale(r.becomes)::text)
      from noticed n join rates r on r.client_id = n.client_id and r.id = n.price_id
        left join plans p on p.id = r.plan_id join clients c on c.id = r.client_id join languages l on l.id = c.language_id
    )
    select c.email::text as email, c.first_name as name, l.code as language, e.billing_emails, f.starts_on::text as on,
      coalesce(jsonb_agg(f.fee order by f.fee ->> 'plan') filter (where f.fee is not null), '[]') as fees,
      coalesce(jsonb_agg(f.rate order by f.rate ->> 'meter', f.rate ->> 'plan') filter (where f.rate is not null), '[]') as meters
    from fresh f join clients c on c.id = f.client_id join languages l on l.id = c.language_id
      left join client_entities e on e.client_id = c.id
    group by c.id, c.email, c.first_name, l.code, e.billing_emails, f.starts_on order by c.id, f.starts_on`.execute(
    tx,
  )
  return rows
}

/** The next clients with panels, while a price other than today's is to come. */
async function nextClients(db: Database, after: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct client_id as id from panels where client_id > ${after} and deleted_at is null
      and (exists (select from plan_prices where greatest(lower(valid), upper(valid)) > clock_today())
        or exists (select from prices where greatest(lower(valid), upper(valid)) > clock_today())
        or exists (select from client_price_lists o where o.client_id = panels.client_id
          and greatest(lower(o.valid), upper(o.valid)) > clock_today()))
    order by client_id limit ${clientsAtOnce}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Writes to each account about dearer prices to come of what its panels have, to the owner and the billing addresses: one
 * letter for each day on which prices rise, and once about each price.
 */
export async function announcePrices({
  pool,
  vault,
}: {
  readonly pool: Pool
  readonly vault: Vault
}): Promise<void> {
  for (let clients = await nextClients(pool.kysely, 0); clients.length > 0; ) {
    await pool.kysely.transaction().execute(async (tx) => {
      for (const { email, billing_emails, language, ...about } of await newlyDearer(tx, clients))
        for (const to of billingAddresses(email, billing_emails))
          await queueMail({ tx, vault }, { to, language, letter: { kind: 'prices-rise', ...about } })
    })
    clients = await nextClients(pool.kysely, clients.at(-1) ?? 0)
  }
}

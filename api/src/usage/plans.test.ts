import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { businessTime } from '#test/support/money.ts'
import { at, costsOf, historyOf, makePlans } from '#test/support/plans.ts'
import { chargeDueDays, rateUsage } from './charging.ts'
import { feedPlans } from './plan-feed.ts'
import { markForRerating, previewRerating } from './rerate.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const plans = await makePlans(db, { start: '7.20', web: '8.00', large: '72.00' })
let ana: Account
let panel = 0

/** A panel that its engine has not made yet, on the tenth of March, a month of 744 hours. */
beforeEach(async () => {
  await businessTime(pool, '2026-03-10T10:00:00Z')
  await sql`update billing_policies set suspended_fee = 'stops'`.execute(db)
  await sql`update plan_watermark set through = null`.execute(db)
  ana = await makeAccount(pool, { projects: 1, panels: 0 })
  const { rows } = await sql<{ id: number }>`insert into panels (client_id, project_id, name, plan_id)
    values (${ana.id}, ${ana.projects[0]}, 'Panel', ${plans.web}) returning id`.execute(db)
  panel = rows[0]?.id ?? 0
})

const becomes = (status: string, moment: string) =>
  at(db, moment, (tx) => sql`update panels set status = ${status} where id = ${panel}`.execute(tx))
const takes = (plan: string, moment: string) =>
  at(db, moment, (tx) => sql`update panels set plan_id = ${plans[plan]} where id = ${panel}`.execute(tx))
async function used(day: string, resource: string, meter: string, quantity: string) {
  await sql`insert into usage_meter_days (usage_on, panel_id, resource_ref, meter_id, quantity, events)
    select ${day}, ${panel}, ${resource}, id, ${quantity}::numeric, 1 from meters where code = ${meter}
    on conflict (usage_on, panel_id, resource_ref, meter_id) do update set quantity = excluded.quantity, dirty = true`.execute(
    db,
  )
}

test('a month of 28 to 31 days costs exactly its price, whole or in parts', async () => {
  const { rows } = await sql<{ wrong: number; months: number }>`
    select count(*) filter (where whole <> price or parts <> price)::int as wrong, count(*)::int as months
    from generate_series('2027-01-01'::timestamp, '2028-12-01', interval '1 month') m,
      unnest('{0,0.01,8,9.99,123.45,9999.99}'::numeric[]) price,
      lateral (select sum(plan_fee(price, d::date, 16777215)) as whole,
        sum(plan_fee(price, d::date, 5592405) + plan_fee(price, d::date, 11184810) + plan_fee(price, d::date, 0)) as parts
        from generate_series(m, m + interval '1 month' - interval '1 day', interval '1 day') d) x`.execute(db)
  expect(rows).toEqual([{ wrong: 0, months: 144 }])
})

test("a plan costs from the engine's creation of the panel to its deletion, by the started hour", async () => {
  await becomes('error', '2026-03-10T10:10:00Z')
  await becomes('provisioning', '2026-03-10T10:20:00Z')
  expect(await historyOf(db, panel)).toEqual([])
  await becomes('active', '2026-03-10T11:59:59Z')
  await rateUsage(db)
  expect(await costsOf(db, panel)).toEqual(['10 plan/web plan_hours 1 0.010753'])
  await becomes('degraded', '2026-03-10T12:30:00Z')
  await becomes('deleting', '2026-03-10T14:00:00Z')
  await becomes('error', '2026-03-10T15:00:00Z')
  await becomes('deleting', '2026-03-10T16:00:00Z')
  await becomes('deleted', '2026-03-10T17:00:00Z')
  expect(await historyOf(db, panel)).toEqual(['web 10.11:59:59 10.14:00:00'])
  await businessTime(pool, '2026-03-12T00:30:00Z')
  await feedPlans(db)
  await rateUsage(db)
  expect(await costsOf(db, panel)).toEqual(['10 plan/web plan_hours 3 0.032258'])
})

test('a suspended panel costs no fee, or goes on by the policy of the day on which it was suspended', async () => {
  await becomes('active', '2026-03-10T11:00:00Z')
  await becomes('suspended', '2026-03-10T12:00:00Z')
  await sql`update billing_policies set suspended_fee = 'goes_on'`.execute(db)
  await takes('large', '2026-03-10T13:00:00Z')
  await becomes('active', '2026-03-10T14:00:00Z')
  await becomes('suspended', '2026-03-10T15:00:00Z')
  await becomes('active', '2026-03-10T16:00:00Z')
  expect(await historyOf(db, panel)).toEqual([
    'web 10.11:00:00 10.12:00:00',
    'web 10.12:00:00 10.13:00:00 free',
    'large 10.13:00:00 10.14:00:00 free',
    'large 10.14:00:00',
  ])
})

test('an hour of two plans is the dearer once, and of two changes at one instant the second counts', async () => {
  await becomes('active', '2026-03-10T11:00:00Z')
  await takes('large', '2026-03-10T12:10:00Z')
  await takes('web', '2026-03-10T12:10:01Z')
  await takes('large', '2026-03-10T13:30:00Z')
  await takes('start', '2026-03-10T13:30:00Z')
  await rateUsage(db)
  expect(await historyOf(db, panel)).toEqual([
    'web 10.11:00:00 10.12:10:00',
    'large 10.12:10:00 10.12:10:01',
    'web 10.12:10:01 10.13:30:00',
    'start 10.13:30:00',
  ])
  expect((await costsOf(db, panel)).map((line) => line.split(' ').slice(1, 4).join(' '))).toEqual([
    'plan/large plan_hours 1',
    'plan/web plan_hours 2',
  ])
})

test('an included quantity counts once per panel; without a plan, once per resource', async () => {
  await sql`insert into prices (price_list_id, plan_id, meter_id, valid, unit_price, included_per_day)
    select l.id, ${plans.large}, m.id, '[2020-01-01,)', 1, 10 from price_lists l, meters m
    where l.code = 'standard' and m.code = 'traffic_gb' on conflict do nothing`.execute(db)
  await takes('large', '2026-03-10T10:30:00Z')
  await becomes('active', '2026-03-10T11:00:00Z')
  await used('2026-03-10', 'server/a', 'traffic_gb', '7')
  await used('2026-03-10', 'server/b', 'traffic_gb', '5')
  await rateUsage(db)
  const traffic = async () =>
    (await costsOf(db, panel)).filter((line) => line.includes('traffic')).map((line) => line.slice(3))
  expect(await traffic()).toEqual(['server/a traffic_gb 7 0.000000', 'server/b traffic_gb 5 2.000000'])
  // Only the first of them changes, and the other follows.
  await used('2026-03-10', 'server/a', 'traffic_gb', '9')
  await rateUsage(db)
  expect(await traffic()).toEqual(['server/a traffic_gb 9 0.000000', 'server/b traffic_gb 5 4.000000'])
  // Most hours of the day are another plan's now, which has no price of its own.
  await takes('web', '2026-03-10T12:00:00Z')
  await rateUsage(db)
  expect(await traffic()).toEqual(['server/a traffic_gb 9 0.081000', 'server/b traffic_gb 5 0.045000'])
})

test('rating blocks no writes: hours that change meanwhile are rated again, even to the same number', async () => {
  await becomes('active', '2026-03-10T11:00:00Z')
  await becomes('deleting', '2026-03-10T12:00:00Z')
  await rateUsage(db)
  await sql`update usage_meter_days set dirty = true where panel_id = ${panel}`.execute(db)
  const holder = await db.startTransaction().execute()
  await sql`select 1 from usage_client_days where client_id = ${ana.id} for update`.execute(holder)
  const rating = sql`select usage_rate(5000)`.execute(db)
  await waitsForLock()
  await sql`update panel_plans set during = '[2026-03-10 13:00Z,2026-03-10 14:00Z)' where panel_id = ${panel}`.execute(
    db,
  )
  await holder.commit().execute()
  await rating
  const dirty = sql<{ dirty: boolean }>`select dirty from usage_meter_days where panel_id = ${panel}`
  expect((await dirty.execute(db)).rows).toEqual([{ dirty: true }])
  await rateUsage(db)
  expect((await dirty.execute(db)).rows).toEqual([{ dirty: false }])
})

/** Until a statement of this database waits for a lock. */
async function waitsForLock(): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock'`.execute(db)
    if (rows.length > 0) return
  }
}

test('a day is charged when the hours of its plans are counted, and not before', async () => {
  await becomes('active', '2026-03-10T11:00:00Z')
  await feedPlans(db)
  await rateUsage(db)
  await sql`insert into engine_watermarks (panel_engine_id, through) select id, '2026-03-12T00:00Z' from panel_engines
    on conflict (panel_engine_id) do update set through = excluded.through`.execute(db)
  await businessTime(pool, '2026-03-11T00:05:00Z')
  await rateUsage(db)
  const charged = async () => {
    await chargeDueDays(db, async () => undefined)
    const { rows } = await sql<{ charge: string }>`select concat_ws(' ', usage_on, amount) as charge
      from usage_charges where client_id = ${ana.id}`.execute(db)
    return rows.map(({ charge }) => charge)
  }
  expect(await charged()).toEqual([])
  await feedPlans(db)
  await rateUsage(db)
  // The hours from 228 to 240 of 744, at 8 a month.
  expect(await charged()).toEqual(['2026-03-10 0.139785'])
})

test('re-rated after a price change, a month costs the same as with the new price from the start', async () => {
  await becomes('active', '2026-03-10T11:00:00Z')
  await takes('start', '2026-03-10T12:30:00Z')
  await businessTime(pool, '2026-03-11T02:30:00Z')
  await feedPlans(db)
  await rateUsage(db)
  const asked = { from: '2026-03-10', to: '2026-03-11' }
  const before = await costsOf(db, panel)
  const previewed = async () =>
    (await previewRerating(db, asked)).filter(({ client_id }) => client_id === ana.id)
  expect(await previewed()).toEqual([])
  // Now the hour of both is the other's.
  await sql`update plan_prices set monthly = 74.40 where plan_id = ${plans.start}`.execute(db)
  try {
    expect(await previewed()).toEqual([
      { client_id: ana.id, currency: 'USD', sums: 3, was: '0.156990', becomes: '1.510753' },
    ])
    expect(await costsOf(db, panel)).toEqual(before)
    await markForRerating(db, asked)
    await rateUsage(db)
    expect(await costsOf(db, panel)).toEqual([
      '10 plan/start plan_hours 12 1.200000',
      '10 plan/web plan_hours 1 0.010753',
      '11 plan/start plan_hours 3 0.300000',
    ])
  } finally {
    await sql`update plan_prices set monthly = 7.20 where plan_id = ${plans.start}`.execute(db)
  }
})

test('a commit that leaves what is offered without a price is refused with all that lacks', async () => {
  const offer = () =>
    db.transaction().execute(async (tx) => {
      await sql`insert into price_lists (code, currency, is_default) values ('lei', 'RON', true)`.execute(tx)
      await sql`insert into prices (price_list_id, meter_id, valid, unit_price) select l.id, m.id, '[2026-01-01,)', 1
        from price_lists l, meters m where l.code = 'lei' and m.code not in ('traffic_gb', 'plan_hours')`.execute(
        tx,
      )
      await sql`update plans set state = 'offered' where code = 'web'`.execute(tx)
    })
  const refusal: unknown = await offer().catch((error: unknown) => error)
  expect(refusal).toMatchObject({ constraint: 'price_missing' })
  const { detail } = refusal as { detail: string } // The line above has shown what it is.
  const lacking: { plan: string }[] = JSON.parse(detail)
  // Panels of the tests before use the other plans.
  expect(lacking.filter(({ plan }) => plan === 'web')).toEqual([
    { currency: 'RON', plan: 'web', what: 'fee' },
    { currency: 'RON', plan: 'web', what: 'traffic_gb' },
  ])
})

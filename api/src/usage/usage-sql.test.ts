import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { businessTime, movedBalance } from '#test/support/money.ts'
import { lateDays } from './judged-events.ts'
import { noteIn } from './note-sentences.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const day = '2026-03-10'
const nextDay = '2026-03-11'
let ana: Account
let panel = 0

beforeEach(async () => {
  await businessTime(pool, `${nextDay}T12:00:00Z`)
  ana = await makeAccount(pool, { projects: 2, panels: 1 })
  panel = ana.panels[0] ?? 0
})

async function one<T>(query: ReturnType<typeof sql<T>>): Promise<T> {
  const { rows } = await query.execute(db)
  if (!rows[0]) throw new Error('There is no row.')
  return rows[0]
}

test('two engines that begin a new day at once create its partition once', async () => {
  const create = sql<{ made: number }>`select usage_partitions(array['2031-01-01']::date[]) as made`
  const first = await db.startTransaction().execute()
  try {
    expect((await create.execute(first)).rows).toEqual([{ made: 1 }])
    const second = create.execute(db)
    await untilBlocked(pool)
    await first.commit().execute()
    expect((await second).rows).toEqual([{ made: 0 }])
  } finally {
    if (!first.isCommitted) await first.rollback().execute()
  }
})

test('the uncharged use has the days that late use may arrive for, and none before', async () => {
  const setUse = async (daysAgo: number, amount: number) => {
    await sql`insert into usage_client_days (client_id, usage_on, usages, rated_amount, due)
      values (${ana.id}, clock_today() - ${daysAgo}::int, 1, ${amount}, true)`.execute(db)
  }
  await setUse(lateDays, 1)
  await setUse(lateDays + 1, 10)
  expect(await one(sql`select uncharged_use(${ana.id}, clock_today()) as sum`)).toEqual({ sum: '1.000000' })
})

/** Adds to what a resource used, as ingest does. */
async function used(
  meter: string,
  quantity: string,
  { on = day, resource = 'server/server1', at = panel } = {},
) {
  await sql`insert into usage_meter_days as d (usage_on, panel_id, resource_ref, meter_id, quantity, events)
    select ${on}, ${at}, ${resource}, id, ${quantity}::numeric, 1 from meters where code = ${meter}
    on conflict (usage_on, panel_id, resource_ref, meter_id)
      do update set quantity = d.quantity + excluded.quantity, events = d.events + 1, dirty = true`.execute(
    db,
  )
}

const rate = () => one(sql<{ rated: number; unpriced: number }>`select rated, unpriced from usage_rate(5000)`)
const charge = async (on = day) =>
  (await one(sql<{ amount: string }>`select charge_client_day(${ana.id}, ${on}) as amount`)).amount
const usageOf = (resource = 'server/server1') =>
  one(sql<{ id: number; rated_amount: string; charged_amount: string; status: string; unpriced: boolean }>`
    select id, rated_amount, charged_amount, status, unpriced from usages
    where panel_id = ${panel} and resource_ref = ${resource} and usage_on = ${day}`)
const held = async () =>
  Object.values(
    await one(
      sql<
        Record<string, string>
      >`select account_balance, credit_balance from account_balances where client_id = ${ana.id}`,
    ),
  )
const notes = async () =>
  (
    await sql<{ kind: string; note_en: string }>`select kind, ${noteIn('en')} as note_en from usage_notes
      where client_id = ${ana.id} order by id`.execute(db)
  ).rows.map(({ kind, note_en }) => `${kind}: ${note_en}`)

const tiers = JSON.stringify([
  { up_to: '100', unit_price: '0.02' },
  { up_to: '1000', unit_price: '0.01' },
  { unit_price: '0.005' },
])

test.each([
  ['by the unit', '10', '0', '0.0029', null, '0.029000'],
  ['nothing', '0', '0', '0.0029', null, '0.000000'],
  ['half a millionth is rounded up', '1', '0', '0.0000005', null, '0.000001'],
  ['less than half is rounded down', '1', '0', '0.0000004999', null, '0.000000'],
  ['what is included is free', '10', '10', '1', null, '0.000000'],
  ['beyond what is included', '10.5', '10', '1', null, '0.500000'],
  ['a correction takes back at most what there was', '-5', '0', '1', null, '0.000000'],
  ['the largest quantity', '1000000000', '0', '0.0000000001', null, '0.100000'],
  ['within the first tier', '40', '0', null, tiers, '0.800000'],
  ['at the end of a tier', '100', '0', null, tiers, '2.000000'],
  ['over two tiers', '101', '0', null, tiers, '2.010000'],
  ['over all tiers', '1500', '0', null, tiers, '13.500000'],
  ['tiers begin after what is included', '140', '100', null, tiers, '0.800000'],
  ['a correction through tiers', '-1', '0', null, tiers, '0.000000'],
])('the cost: %s', async (_, quantity, included, price, byTiers, amount) => {
  const { rows } = await sql<{
    amount: string
  }>`select usage_amount(${quantity}::numeric, ${included}::numeric,
    ${price}::numeric, ${byTiers}::jsonb) as amount`.execute(db)
  expect(rows).toEqual([{ amount }])
})

test.each([
  [
    'tiers that go down',
    `[{"up_to": "5", "unit_price": "1"}, {"up_to": "4", "unit_price": "1"}, {"unit_price": "1"}]`,
  ],
  ['a last tier that ends', `[{"up_to": "5", "unit_price": "1"}]`],
  ['a tier without a price', `[{"up_to": "5"}, {"unit_price": "1"}]`],
  ['a tier below zero', `[{"unit_price": "-1"}]`],
  ['no tier', '[]'],
])('refuses %s', async (_, given) => {
  await expect(
    sql`insert into prices (price_list_id, meter_id, valid, tiers) select id, 1, '[2000-01-01,2001-01-01)', ${given}::jsonb
      from price_lists limit 1`.execute(db),
  ).rejects.toThrow(/prices_tiers_check/)
})

test.each([
  ['below zero', '-1', null, /prices_unit_price_check/],
  ['neither of a unit nor of tiers', null, null, /prices_by_unit_or_tiers/],
  ['of a unit and of tiers', '1', tiers, /prices_by_unit_or_tiers/],
])('refuses a price %s', async (_, price, byTiers, constraint) => {
  await expect(
    sql`insert into prices (price_list_id, meter_id, valid, unit_price, tiers)
      select id, 1, '[2000-01-01,2001-01-01)', ${price}::numeric, ${byTiers}::jsonb from price_lists limit 1`.execute(
      db,
    ),
  ).rejects.toThrow(constraint)
})

test('two prices cannot count on the same day', async () => {
  const price = (valid: string) =>
    sql`insert into prices (price_list_id, meter_id, valid, unit_price) select l.id, m.id, ${valid}::daterange, 1
      from price_lists l, meters m where l.code = 'standard' and m.code = 'cpu_hours'`.execute(db)
  await expect(price('[2026-01-01,2026-02-01)')).rejects.toThrow(/prices_do_not_overlap/)
  await price('[2019-01-01,2020-01-01)')
})

test('a price ends where the next one begins', async () => {
  const { rows } = await sql<{ price: string; valid: string }>`with ended as (
      update prices p set valid = daterange(lower(p.valid), '2031-01-01') from price_lists l, meters m
      where l.id = p.price_list_id and m.id = p.meter_id and l.code = 'standard' and m.code = 'cpu_hours'
        and p.resource_kind = '' and upper_inf(p.valid) returning p.price_list_id, p.meter_id)
    insert into prices (price_list_id, meter_id, valid, unit_price)
      select price_list_id, meter_id, '[2031-01-01,)', 0.0035 from ended returning unit_price as price, valid::text`.execute(
    db,
  )
  expect(rows).toEqual([{ price: '0.0035000000', valid: '[2031-01-01,)' }])
})

test('a day is rated as it comes, and charged once', async () => {
  await used('cpu_hours', '100')
  await used('ram_gb_hours', '50.5')
  expect(await rate()).toEqual({ rated: 2, unpriced: 0 })
  expect(await usageOf()).toMatchObject({
    rated_amount: '0.295050',
    charged_amount: '0.000000',
    status: 'open',
  })
  await used('cpu_hours', '10')
  await rate()
  expect(await rate()).toEqual({ rated: 0, unpriced: 0 })
  expect(await usageOf()).toMatchObject({ rated_amount: '0.324050' })
  const [balance, credit] = await held()
  expect(await charge()).toBe('0.324050')
  expect(await charge()).toBe('0')
  expect(await usageOf()).toMatchObject({ charged_amount: '0.324050', status: 'charged' })
  expect(await held()).toEqual([balance, (Number(credit) - 0.32405).toFixed(6)])
})

test('credit is spent first, and what is taken back returns there up to what the day took', async () => {
  await movedBalance(pool, ana.id, '100', day)
  await used('traffic_gb', '2000')
  await rate()
  const [balance = '', credit] = await held()
  expect([credit, await charge()]).toEqual(['10.000000', '18.000000'])
  expect(await held()).toEqual([(Number(balance) - 8).toFixed(6), '0.000000'])
  await used('traffic_gb', '-1500')
  await rate()
  expect(await charge()).toBe('-13.500000')
  expect(await held()).toEqual([(Number(balance) - 4.5 + 10 - 10).toFixed(6), '10.000000'])
  expect(await notes()).toEqual([
    'correction: 13.500000 USD less by data that came after the day was charged.',
  ])
})

test('late usage is posted separately, on the day that it reaches the ledger', async () => {
  await used('cpu_hours', '100')
  await rate()
  await charge()
  await used('cpu_hours', '10')
  await rate()
  expect(await usageOf()).toMatchObject({ status: 'open' })
  expect([await charge(), await charge()]).toEqual(['0.029000', '0'])
  const { rows } =
    await sql`select c.seq, c.amount, t.effective_on::text as on, t.idempotency_key as key from usage_charges c
    join ledger_transactions t on t.id = c.transaction_id where c.client_id = ${ana.id} order by c.seq`.execute(
      db,
    )
  expect(rows).toEqual([
    { seq: 1, amount: '0.290000', on: day, key: `usage:${ana.id}:${day}:1` },
    { seq: 2, amount: '0.029000', on: nextDay, key: `usage:${ana.id}:${day}:2` },
  ])
  expect(await notes()).toEqual(['late_data: 0.029000 USD more by data that came after the day was charged.'])
})

test('a meter without a price is marked and costs nothing until the price is there', async () => {
  await sql`insert into meters (code, unit) values (${`gpu_${ana.id}`}, 'h')`.execute(db)
  await used(`gpu_${ana.id}`, '3')
  await used('cpu_hours', '100')
  expect(await rate()).toEqual({ rated: 2, unpriced: 1 })
  expect(await usageOf()).toMatchObject({ rated_amount: '0.290000', unpriced: true })
  const { rows } = await sql`select l.amount from usage_lines l join meters m on m.id = l.meter_id
    where m.code = ${`gpu_${ana.id}`}`.execute(db)
  expect(rows).toEqual([{ amount: null }])
  await sql`insert into prices (price_list_id, meter_id, valid, unit_price) select l.id, m.id, '[2026-01-01,)', 2
    from price_lists l, meters m where l.code = 'standard' and m.code = ${`gpu_${ana.id}`}`.execute(db)
  expect(await rate()).toEqual({ rated: 1, unpriced: 0 })
  expect(await usageOf()).toMatchObject({ rated_amount: '6.290000', unpriced: false })
})

test('an amount that no column holds is left to the operator, and the others are rated', async () => {
  await sql`insert into meters (code, unit) values (${`big_${ana.id}`}, 'h')`.execute(db)
  await sql`insert into prices (price_list_id, meter_id, valid, unit_price) select l.id, m.id, '[2026-01-01,)', 9999
    from price_lists l, meters m where l.code = 'standard' and m.code = ${`big_${ana.id}`}`.execute(db)
  await used(`big_${ana.id}`, '1000000000')
  await used('cpu_hours', '100')
  expect(await rate()).toEqual({ rated: 2, unpriced: 1 })
  expect(await usageOf()).toMatchObject({ rated_amount: '0.290000', unpriced: true })
})

test("a client's own list comes first, a kind's own price before that of any kind, the default list where they say nothing", async () => {
  const { id } = await one(
    sql<{
      id: number
    }>`insert into price_lists (code, currency) values (${`own-${ana.id}`}, 'USD') returning id`,
  )
  await sql`insert into prices (price_list_id, meter_id, resource_kind, valid, unit_price)
    select ${id}, m.id, k, '[2026-01-01,)', p from meters m, (values ('', 1), ('server', 2)) v (k, p)
    where m.code = 'cpu_hours'`.execute(db)
  await sql`insert into client_price_lists values (${ana.id}, ${id}, '[2026-03-10,2026-03-11)')`.execute(db)
  await used('cpu_hours', '1')
  await used('ram_gb_hours', '100')
  await used('cpu_hours', '1', { resource: 'cluster/cluster1' })
  await rate()
  expect([(await usageOf()).rated_amount, (await usageOf('cluster/cluster1')).rated_amount]).toEqual([
    '2.010000',
    '1.000000',
  ])
  await used('cpu_hours', '1', { on: nextDay })
  await rate()
  const { rows } =
    await sql`select rated_amount from usages where usage_on = ${nextDay} and panel_id = ${panel}`.execute(db)
  expect(rows).toEqual([{ rated_amount: '0.002900' }])
})

test('sums by panel and by day agree with the rows, and the log with the books', async () => {
  await used('cpu_hours', '100')
  await used('cpu_hours', '7', { resource: 'server/server2' })
  await used('mailbox_days', '4', { at: ana.panels[1] ?? 0, resource: 'domain/domain1' })
  await rate()
  await charge()
  await used('cpu_hours', '-3', { resource: 'server/server2' })
  await used('mailbox_days', '1', { at: ana.panels[1] ?? 0, on: nextDay })
  await rate()
  await charge()
  const sums = async (table: string) =>
    (
      await sql`select usage_on::text, sum(${sql.raw(table === 'usages' ? '1' : 'usages')})::int as usages,
        sum(rated_amount) as rated, sum(charged_amount) as charged from ${sql.table(table)} where client_id = ${ana.id}
        group by usage_on order by usage_on`.execute(db)
    ).rows
  expect(await sums('usage_panel_days')).toEqual(await sums('usages'))
  expect(await sums('usage_client_days')).toEqual(await sums('usages'))
  expect((await sql`select * from billing_log_differences`.execute(db)).rows).toEqual([])
  const { rows } = await sql`select kind, period, project_id, date::text, deposit, payment from billing_logs
    where client_id = ${ana.id} and kind = 'usage' order by project_id`.execute(db)
  expect(rows).toEqual([
    {
      kind: 'usage',
      period: '2026-03',
      project_id: ana.projects[0],
      date: nextDay,
      deposit: null,
      payment: '0.301600',
    },
    {
      kind: 'usage',
      period: '2026-03',
      project_id: ana.projects[1],
      date: day,
      deposit: null,
      payment: '0.012000',
    },
  ])
  const { balance_after } = await one(sql<{
    balance_after: string
  }>`select balance_after from billing_log_rows
    where client_id = ${ana.id} order by date desc, id desc limit 1`)
  expect(Number(balance_after)).toBeCloseTo(
    (await held()).reduce((sum, each) => sum + Number(each), 0),
    6,
  )
})

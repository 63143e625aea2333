import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { only, TestEngine, testVault } from '#test/support/engine.ts'
import { businessTime, movedBalance } from '#test/support/money.ts'
import { runPanelJobs } from '#test/support/panel-jobs.ts'
import { at, makePlans } from '#test/support/plans.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'

// The date before the click is the date after it. March has 31 days, so 31 a month is one a day.

const engine = new TestEngine()
const engines = only(engine)
const portal = await testPortal({ engines })
const { pool } = portal
const db = pool.kysely
await makePlans(db, { start: '31.00', big: '62.00' })
await sql`insert into plan_engines (plan_id, panel_engine_id, engine_plan)
  select id, default_panel_engine(), 'e-' || code from plans`.execute(db)
await sql`update plans set state = 'offered'`.execute(db)
await sql`update panel_engines set contract = '1.1', capabilities = capabilities
  || '{"change_plan": true, "plans": ["e-start", "e-big"]}' where is_default`.execute(db)
// Traffic costs more with the bigger plan, of which some is included.
await sql`insert into prices (price_list_id, plan_id, meter_id, valid, unit_price, included_per_day)
  select l.id, p.id, m.id, '[2020-01-01,)', case p.code when 'big' then 0.5 else 0.1 end, case p.code when 'big' then 3 else 0 end
  from price_lists l, plans p, meters m where l.code = 'standard' and m.code = 'traffic_gb'`.execute(db)

let ana: Account
let owner: Visitor
const time = { now: new Date() }
const outside = { pool, clock: { now: () => time.now }, vault: testVault, engines }

beforeEach(async () => {
  await businessTime(pool, '2026-03-10T12:30:00Z')
  engine.plan = 'e-start'
  time.now = systemClock.now()
  // A whole number of days, which the first hour of a panel makes one fewer.
  const opening = { balance: '30', credit: '0', on: '2026-01-01' }
  ana = await makeAccount(pool, { projects: 1, panels: 0, opening })
  owner = portal.as(ana)
})

type Both = { before: unknown; after: unknown }
const asked = async (path: string, payload: object) =>
  (await owner.get(`${base}/${path}?payload=${encodeURIComponent(JSON.stringify(payload))}`)).json as {
    daily_use: Both
    exhaustion_date: Both
  }
const profile = async () => (await owner.get(`${base}/billing-profiles`)).list[0]?.attributes
const lasting = async () => {
  const { daily_use, exhaustion_date } = (await profile()) ?? {}
  return { daily_use, exhaustion_date }
}
const part = (
  { daily_use, exhaustion_date }: Record<'daily_use' | 'exhaustion_date', Both>,
  of: keyof Both,
) => ({
  daily_use: daily_use[of],
  exhaustion_date: exhaustion_date[of],
})

let named = 0

async function addPanel(plan: string): Promise<string> {
  const relationships = { project: { data: { type: 'projects', id: String(ana.projects[0]) } } }
  const attributes = { name: `panel ${++named}`, plan_code: plan }
  const made = await owner.post(`${base}/panels`, { data: { type: 'panels', attributes, relationships } })
  expect(made.status).toBe(201)
  return made.one.id
}

const rate = () => sql`select usage_rate(5000)`.execute(db)

async function meters(panel: string, days: readonly string[]): Promise<void> {
  await sql`insert into usage_meter_days (usage_on, panel_id, resource_ref, meter_id, quantity, events)
    select day, ${panel}, 'server/a', m.id, 4, 1 from unnest(${days}::date[]) day, meters m where m.code = 'traffic_gb'`.execute(
    db,
  )
  await rate()
}

test('of a new panel: its quote, the what-if and the profile once it runs agree, to the hour', async () => {
  const quote = await asked('plans/-actions/quote', { plan: 'start', client_id: ana.id })
  expect(part(quote, 'before')).toEqual(await lasting())
  expect(part(quote, 'after')).toEqual({ daily_use: 1, exhaustion_date: '2026-04-08' })
  const whatIf = await asked(`billing-profiles/${ana.id}/-actions/forecast`, { plan: 'start' })
  expect(whatIf).toMatchObject(part(quote, 'after'))
  await addPanel('start')
  expect(await profile()).toMatchObject({ daily_use: 1, fee_daily: 1, daily_use_basis_days: 0 })
  await runPanelJobs(outside)
  await rate()
  expect(await lasting()).toEqual(part(quote, 'after'))
})

test('of a panel among others with metered usage', async () => {
  const first = await addPanel('start')
  await runPanelJobs(outside)
  await businessTime(pool, '2026-03-12T12:30:00Z')
  await sql`select plan_feed(array[${first}::int8], '2026-03-10', '2026-03-12', clock_now())`.execute(db)
  await meters(first, ['2026-03-10', '2026-03-11'])
  // The fees of two days are not part of the mean, which is of what was metered.
  expect(await profile()).toMatchObject({ daily_use: 1.4, fee_daily: 1, daily_use_basis_days: 2 })
  const quote = await asked('plans/-actions/quote', { plan: 'big', client_id: ana.id })
  expect(quote.daily_use).toEqual({ before: 1.4, after: 3.4 })
  await addPanel('big')
  await runPanelJobs(outside)
  await rate()
  expect(await lasting()).toEqual(part(quote, 'after'))
})

test('of a dearer plan: its quote and the profile agree at once, with the metered use at its prices', async () => {
  const panel = await addPanel('start')
  await runPanelJobs(outside)
  await businessTime(pool, '2026-03-20T12:30:00Z')
  await sql`select plan_feed(array[${panel}::int8], '2026-03-10', '2026-03-20', clock_now())`.execute(db)
  await meters(
    panel,
    ['13', '14', '15', '16', '17', '18', '19'].map((day) => `2026-03-${day}`),
  )
  await movedBalance(pool, ana.id, '50', '2026-03-02')
  expect(await profile()).toMatchObject({ daily_use: 1.4, fee_daily: 1, daily_use_basis_days: 7 })
  const quote = await asked(`panels/${panel}/-actions/quotePlan`, { plan: 'big' })
  // Two a day, and one gigabyte of four that is not included.
  expect(quote.daily_use).toEqual({ before: 1.4, after: 2.5 })
  const expects = { monthly: 62, currency: 'USD' }
  const changed = await owner.post(`${base}/panels/${panel}/-actions/changePlan`, { plan: 'big', expects })
  expect(changed.status).toBe(200)
  expect(await profile()).toMatchObject({ fee_daily: 2 })
  engine.plan = 'e-big'
  time.now = new Date(Date.now() + 1000)
  await runPanelJobs(outside)
  await rate()
  expect((await owner.get(`${base}/panels/${panel}`)).one.attributes).toMatchObject({
    plan_code: 'big',
    plan_change: null,
  })
  expect(await lasting()).toEqual(part(quote, 'after'))
  // And back again, within the same week.
  const back = await asked(`panels/${panel}/-actions/quotePlan`, { plan: 'start' })
  expect(back.daily_use).toEqual({ before: 2.5, after: 1.4 })
})

test('a fee ends with its panel, and does not go on for a week', async () => {
  const panel = await addPanel('big')
  await runPanelJobs(outside)
  await at(db, '2026-03-14T12:30:00Z', (tx) =>
    sql`select plan_feed(array[${panel}::int8], '2026-03-10', '2026-03-14', clock_now())`.execute(tx),
  )
  await rate()
  expect(await profile()).toMatchObject({ daily_use: 2, fee_daily: 2, daily_use_basis_days: 4 })
  const { rows } = await sql`select usage_on, rated_amount::float8 as rated, fee_amount::float8 as fee
    from usage_client_days where client_id = ${ana.id} and usage_on = '2026-03-12'`.execute(db)
  expect(rows).toEqual([{ usage_on: '2026-03-12', rated: 2, fee: 2 }])
  expect((await owner.delete(`${base}/panels/${panel}`)).status).toBe(202)
  expect(await profile()).toMatchObject({ daily_use: 0, fee_daily: 0, exhaustion_date: null })
})

test('a suspended panel costs no fee, unless the policy says so', async () => {
  const panel = Number(await addPanel('start'))
  await runPanelJobs(outside)
  await sql`update panels set status = 'suspended' where id = ${panel}`.execute(db)
  expect(await profile()).toMatchObject({ fee_daily: 0 })
  await sql`update panels set status = 'active' where id = ${panel}`.execute(db)
  await sql`update billing_policies set suspended_fee = 'goes_on'`.execute(db)
  await sql`update panels set status = 'suspended' where id = ${panel}`.execute(db)
  expect(await profile()).toMatchObject({ fee_daily: 1 })
  await sql`update billing_policies set suspended_fee = 'stops'`.execute(db)
})

test('a plan that is not offered has no forecast', async () => {
  const url = `${base}/billing-profiles/${ana.id}/-actions/forecast?payload[plan]=gold`
  const answer = await owner.get(url)
  expect([answer.status, answer.errors[0]?.code, answer.errors[0]?.source]).toEqual([
    422,
    'plan_not_offered',
    { parameter: 'payload.plan' },
  ])
})

test('the portal logged no bug', () => {
  expect(portal.bugs).toEqual([])
})

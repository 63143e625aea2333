import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { TestEngine, testVault } from '#test/support/engine.ts'
import { movedBalance } from '#test/support/money.ts'
import { runPanelJobs } from '#test/support/panel-jobs.ts'
import { person } from '#test/support/people.ts'
import { historyOf, makePlans } from '#test/support/plans.ts'
import { testPortal } from '#test/support/portal.ts'
import { syncPanel } from '#workspaces/engines/panel-engines.ts'

// The outcomes of a change of plan at the engine, in the ledger, the log and the notifications.

let engine = new TestEngine()
const engines = { open: () => engine }
const portal = await testPortal({ engines })
const { pool } = portal
const db = pool.kysely
const time = { now: new Date() }
const outside = { pool, clock: { now: () => time.now }, vault: testVault, engines }
const plans = await makePlans(db, { old: '3.00', 'web-3': '8.00' })
await sql`insert into plan_engines (plan_id, panel_engine_id, engine_plan)
  select id, default_panel_engine(), 'e-' || code from plans`.execute(db)
await sql`update plans set state = 'offered'`.execute(db)
await sql`update panel_engines set contract = '1.1', capabilities = capabilities
  || '{"change_plan": true, "plans": ["e-old", "e-web-3"], "kinds": []}' where is_default`.execute(db)
const ana = await person(pool, 'ana@example.com')
await sql`update clients set currency_id = (select id from currencies where code = 'USD') where id = ${ana.id}`.execute(
  db,
)
await movedBalance(pool, ana.id, '100', '2026-03-01')
const owner = portal.as(ana)

let panel = 0
let named = 0

beforeEach(async () => {
  engine = new TestEngine()
  engine.plan = 'e-old'
  time.now = new Date()
  await sql`update staff_alerts set resolved_at = now()`.execute(db)
  await sql`update clock set ahead = '2026-03-10T12:30:00Z'::timestamptz - now()`.execute(db)
  const { rows } = await sql<{
    id: number
  }>`insert into panels (client_id, project_id, name, status, external_id, plan_code, plan_id)
    select ${ana.id}, p.id, ${`panel ${++named}`}, 'active', ${`ext-${named}`}, 'e-old', ${plans.old}
    from projects p where p.client_id = ${ana.id} limit 1 returning id`.execute(db)
  panel = rows[0]?.id ?? 0
  await sql`update clock set ahead = '2026-03-10T15:30:00Z'::timestamptz - now()`.execute(db)
  const answer = await owner.post(`${base}/panels/${panel}/-actions/changePlan`, {
    plan: 'web-3',
    expects: { monthly: 8, currency: 'USD' },
  })
  expect(answer.status).toBe(200)
  time.now = new Date(Date.now() + 1000)
})

const shown = async () => (await owner.get(`${base}/panels/${panel}`)).one.attributes
const history = async () => (await historyOf(db, panel)).map((line) => line.replace(/:30:\d\d/g, ''))
const fees = async () => {
  const { rows } = await sql<{ line: string }>`select concat_ws(' ', resource_ref, quantity::int) as line
    from usage_meter_days where panel_id = ${panel} and slots <> 0 order by 1`.execute(db)
  return rows.map(({ line }) => line)
}
const bell = async () => {
  const { list } = await owner.get(`${base}/notifications`)
  return list
    .filter(({ attributes }) => attributes?.about_id === panel)
    .map(({ attributes }) => `${attributes?.kind} ${JSON.stringify(attributes?.params)}`)
}
const log = async () => {
  const { rows } = await sql<{
    line: string
  }>`select concat_ws(' ', kind, details::text) as line from auth_events
    where about = ${`panel ${named}`} order by id`.execute(db)
  return rows.map(({ line }) => line)
}
const alerts = async () => {
  const { rows } = await sql`select kind, about, detail from staff_alerts where resolved_at is null`.execute(
    db,
  )
  return rows
}

// In the language of the account, which is Romanian.
const names = '{"to": "Web-3 Plus", "from": "Old Plus"}'
const noticeParams = () => JSON.stringify({ plan: 'Web-3 Plus', panel: `panel ${named}` })

async function expectChanged() {
  expect(await shown()).toMatchObject({ plan_code: 'web-3', plan_change: null })
  expect(await history()).toEqual(['old 10.12 10.15', 'web-3 10.15'])
  // The hour of the change is the dearer plan's.
  expect(await fees()).toEqual(['plan/old 3', 'plan/web-3 1'])
  expect(await bell()).toEqual([`plan_changed ${noticeParams()}`])
  expect(await log()).toEqual([`panel-plan-asked ${names}`, `panel-plan-changed ${names}`])
}

async function expectKept(reason: string, more: object = {}) {
  expect(await shown()).toMatchObject({
    plan_code: 'old',
    plan_change: { plan_code: 'web-3', reason, ...more },
  })
  expect(await history()).toEqual(['old 10.12'])
  // Its first hour; the next ones come with the job of each hour.
  expect(await fees()).toEqual(['plan/old 1'])
  expect(await bell()).toEqual([`plan_not_changed ${noticeParams()}`])
  expect(await log()).toEqual([`panel-plan-asked ${names}`, `panel-plan-refused ${names}`])
}

async function expectWaiting() {
  expect(await shown()).toMatchObject({ plan_code: 'old', plan_change: { state: 'waiting' } })
  expect([await history(), await bell()]).toEqual([['old 10.12'], []])
}

const asked = () => engine.asked.filter((call) => call.startsWith('plan '))
const later = (ms: number) => {
  time.now = new Date(time.now.getTime() + ms)
}
const dayMs = 86_400_000

test('on the yes of the engine the panel has the plan, and the history, fee, log and bell say so', async () => {
  expect(await runPanelJobs(outside)).toEqual(['panel.plan'])
  await expectChanged()
  expect(await runPanelJobs(outside)).toEqual([])
  expect(asked()).toHaveLength(1)
})

test.each([
  ['limit_exceeded', 'plan_limit_exceeded', [{ limit: 'servers', allowed: 1, used: 3 }]],
  ['suspended', 'panel_suspended', []],
  ['no_such_plan', 'plan_refused', []],
  ['<script>', 'plan_refused', []],
])('an engine that refuses with %s leaves the old plan and the reason', async (code, reason, exceeded) => {
  engine.planAnswer = { state: 'refused', code, reason: 'x', exceeded }
  await runPanelJobs(outside)
  await expectKept(reason, { state: 'refused', exceeded })
  expect(await runPanelJobs(outside)).toEqual([])
})

test('a slow engine is asked under one id until its panel shows the plan, which counts from then', async () => {
  engine.planAnswer = { state: 'waiting' }
  await runPanelJobs(outside)
  await expectWaiting()
  later(60_000)
  engine.plan = 'e-web-3'
  expect(await runPanelJobs(outside)).toEqual(['panel.plan'])
  await expectChanged()
  expect(new Set(asked()).size).toBe(1)
})

test('an answer that is lost after the engine did it is asked for again, and counts once', async () => {
  engine.failures.push(new Error('lost'))
  await runPanelJobs(outside)
  await expectWaiting()
  await runPanelJobs(outside)
  await expectChanged()
  expect(new Set(asked()).size).toBe(1)
})

test('an engine that did it and then refuses its repetition is believed by what its panel shows', async () => {
  engine.failures.push(new Error('lost'))
  await runPanelJobs(outside)
  engine.plan = 'e-web-3'
  engine.planAnswer = { state: 'refused', code: 'no_such_plan', reason: 'x', exceeded: [] }
  await runPanelJobs(outside)
  await expectChanged()
})

test('an engine that refuses and cannot be read is asked again, because it may have the plan', async () => {
  engine.planAnswer = { state: 'refused', code: 'no_such_plan', reason: 'x', exceeded: [] }
  engine.meanwhile = async () => {
    if (engine.asked.at(-1)?.startsWith('read')) throw new Error('away')
  }
  await runPanelJobs(outside)
  await expectWaiting()
  engine.meanwhile = async () => undefined
  await runPanelJobs(outside)
  await expectKept('plan_refused')
})

test('after a day without an answer a last reading decides: the old plan stays', async () => {
  later(dayMs)
  await runPanelJobs(outside)
  await expectKept('engine_unavailable', { state: 'failed' })
  expect(asked()).toEqual([])
})

test('after a day without an answer a last reading decides: the panel has the new plan', async () => {
  later(dayMs)
  engine.plan = 'e-web-3'
  await runPanelJobs(outside)
  await expectChanged()
})

test('an engine that is still away after a day decides nothing until it can be read', async () => {
  later(dayMs)
  engine.failures.push(new Error('away'))
  await runPanelJobs(outside)
  await expectWaiting()
  await runPanelJobs(outside)
  await expectKept('engine_unavailable')
})

test('a usual reading that shows the wished plan confirms it; one from before the wish does not', async () => {
  engine.plan = 'e-web-3'
  later(-3_600_000)
  await syncPanel(outside, panel)
  await expectWaiting()
  later(3_600_000)
  await syncPanel(outside, panel)
  await expectChanged()
  await runPanelJobs(outside)
  expect(asked()).toEqual([])
})

test('two processes that confirm at once write one change', async () => {
  engine.plan = 'e-web-3'
  await Promise.all([runPanelJobs(outside), syncPanel(outside, panel), syncPanel(outside, panel)])
  await expectChanged()
})

test('a change that fails half-way leaves nothing of itself, and is made whole by the next try', async () => {
  await sql`alter table notifications add constraint none check (kind <> 'plan_changed') not valid`.execute(
    db,
  )
  await expect(runPanelJobs(outside)).resolves.toEqual(['panel.plan'])
  await expectWaiting()
  expect(await fees()).toEqual(['plan/old 1'])
  await sql`alter table notifications drop constraint none`.execute(db)
  await runPanelJobs(outside)
  await expectChanged()
})

test('a panel that is deleted while its change waits gets no plan, and no message of it', async () => {
  expect((await owner.delete(`${base}/panels/${panel}`)).status).toBe(202)
  await runPanelJobs(outside)
  expect(asked()).toEqual([])
  expect([await history(), await bell()]).toEqual([['old 10.12 10.15'], []])
  const { rows } = await sql`select state, reason from panel_plan_changes where panel_id = ${panel}`.execute(
    db,
  )
  expect(rows).toEqual([{ state: 'failed', reason: 'panel_deleted' }])
})

test('an unrequested plan is a staff alert and never a price, until the engine corrects it', async () => {
  await runPanelJobs(outside)
  engine.plan = 'e-gold'
  later(1000)
  await syncPanel(outside, panel)
  const differs = { kind: 'engine_plan_differs', about: `panel ${panel}` }
  expect(await alerts()).toEqual([{ ...differs, detail: { engine: 'e-gold', portal: 'e-web-3' } }])
  await expectChanged()
  engine.plan = 'e-web-3'
  later(1000)
  await syncPanel(outside, panel)
  expect(await alerts()).toEqual([])
})

test('a reading from before the confirmation, and one that names no plan, raise no alert', async () => {
  const before = new Date(time.now.getTime() - 500)
  await runPanelJobs(outside)
  const confirmed = time.now
  time.now = before
  await syncPanel(outside, panel)
  time.now = new Date(confirmed.getTime() + 1000)
  engine.plan = null
  await syncPanel(outside, panel)
  expect(await alerts()).toEqual([])
})

test('the portal logged no bug', () => {
  expect(portal.bugs).toEqual([])
})

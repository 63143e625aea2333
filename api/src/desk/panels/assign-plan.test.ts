import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { only, TestEngine } from '#test/support/engine.ts'
import { lettersTo } from '#test/support/mail.ts'
import { businessTime } from '#test/support/money.ts'
import { makePlans } from '#test/support/plans.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { beginDueAssignments } from '#workspaces/plans/assigned-plans.ts'

const portal = await testPortal({ engines: only(new TestEngine()) })
const { pool } = portal
const db = pool.kysely
const plans = await makePlans(db, { small: '3.10', 'web-3': '8.00', tiny: '1.00' })
await sql`insert into plan_engines (plan_id, panel_engine_id, engine_plan)
  select id, default_panel_engine(), 'e-' || code from plans`.execute(db)
await sql`insert into plan_limits (plan_id, what, amount) select id, 'servers', 1 from plans where code = 'tiny'`.execute(
  db,
)
await sql`update plans set state = 'offered'`.execute(db)
await sql`update panel_engines set contract = '1.1', capabilities = capabilities ||
  '{"change_plan": true, "plans": ["e-small", "e-web-3", "e-tiny"]}' where is_default`.execute(db)
const billing = portal.staff(await makeAdmin(pool, 'billing'))
let ana: Account
let panel = 0

beforeEach(async () => {
  await sql`update plan_assignments set ended_at = now() where ended_at is null`.execute(db)
  await sql`update panel_plan_changes set ended_at = '2026-01-01' where state in ('failed', 'refused')`.execute(
    db,
  )
  await businessTime(pool, '2026-11-20T10:00:00Z')
  ana = await makeAccount(pool, { projects: 1, panels: 1 })
  panel = ana.panels[0] ?? 0
  await sql`update panels set plan_id = ${plans.small}, plan_code = 'e-small' where id = ${panel}`.execute(db)
})
afterEach(() => {
  expect(portal.bugs.splice(0)).toEqual([])
})

const at = (verb: string, id = ana.id) => `${base}/desk-clients/${id}/-actions/${verb}`
const priced = (monthly: number) => ({ monthly, currency: 'USD' })
const web3 = { plan: 'web-3', from: '2026-12-20', expects: priced(8) }
const assign = (more: object = {}, who: Visitor = billing, id = ana.id) =>
  who.post(at('assignPlan', id), { data: { panel_id: panel, ...web3, ...more } })
const preview = (plan: string, who: Visitor = billing) =>
  who.get(`${at('previewPlan')}?payload[panel_id]=${panel}&payload[plan]=${plan}`)
const begin = () => beginDueAssignments({ pool, clock: systemClock })
const changes = async () =>
  (
    await sql`select p.code, c.monthly, c.state, c.actor ->> 'kind' as by from panel_plan_changes c
      join plans p on p.id = c.plan_id where panel_id = ${panel} order by c.id`.execute(db)
  ).rows
const open = async () =>
  (
    await sql`select p.code, a.starts_on from plan_assignments a join plans p on p.id = a.plan_id
      where a.panel_id = ${panel} and a.ended_at is null`.execute(db)
  ).rows
const planned = async (who: Visitor) =>
  (await who.get(`${base}/panels/${panel}`)).one.attributes?.planned_plan
const web3Planned = { plan_code: 'web-3', starts_on: '2026-12-20', problem: null }
const support = portal.staff(await makeAdmin(pool))

/** The clients whose panels wait for a plan; the page of support counts the panels as their list does. */
const waiting = async () => {
  const clients = await support.get(`${base}/desk-clients?filter[plan_waits]=true`)
  const { needs } = (await support.get(`${base}/desk-home/-actions/needs`)).json as {
    needs: { need: string; count: number; since: string }[]
  }
  const line = needs.find(({ need }) => need === 'plans_waiting')
  const panels = await support.get(`${base}/desk-panels?filter[plan_waits]=true`)
  expect(line?.count ?? 0).toBe(panels.page.total)
  return { ids: clients.list.map(({ id }) => Number(id)), since: line?.since }
}
const dayAfter = '2026-12-20T10:00:00Z'

test('a dearer plan begins after the notice of dearer prices, of which the client is told at once', async () => {
  expect((await preview('web-3')).json).toEqual({
    currency: 'USD',
    monthly: { before: 3.1, after: 8 },
    earliest: '2026-12-20',
    latest: '2027-11-20',
    planned: null,
  })
  for (const from of ['2026-12-19', '2027-11-21'])
    expect((await assign({ from })).faults).toEqual(['422 plan_day_out_of_range /data/from'])
  expect((await assign()).json).toEqual({ plan: 'web-3', from: '2026-12-20' })
  expect(await lettersTo(pool, ana.email)).toMatchObject([
    {
      kind: 'plan-assigned',
      plan: expect.stringMatching(/^Web-3/),
      on: '2026-12-20',
      reason: 'A test asks for it',
      price: { monthly: '8.00', currency: 'USD' },
    },
  ])
  await begin()
  expect(await changes()).toEqual([])
  expect(await planned(portal.as(ana))).toMatchObject(web3Planned)
  expect(await planned(support)).toMatchObject(web3Planned)
  expect(await waiting()).toEqual({ ids: [] })
  await businessTime(pool, dayAfter)
  await begin()
  await begin()
  expect(await planned(portal.as(ana))).toBeNull()
  expect(await changes()).toEqual([{ code: 'web-3', monthly: '8.00', state: 'waiting', by: 'staff' }])
  expect(await open()).toEqual([])
  const { rows } = await sql`select verb, client_id from staff_actions where client_id = ${ana.id}`.execute(
    db,
  )
  expect(rows).toEqual([{ verb: 'assignPlan', client_id: ana.id }])
})

test('a cheaper plan begins today, and its engine is asked at once', async () => {
  await sql`update panels set plan_id = ${plans['web-3']}, plan_code = 'e-web-3' where id = ${panel}`.execute(
    db,
  )
  expect((await preview('small')).json).toMatchObject({ earliest: '2026-11-20' })
  const today = { plan: 'small', from: '2026-11-20', expects: priced(3.1) }
  expect((await assign(today)).status).toBe(200)
  expect(await changes()).toEqual([{ code: 'small', monthly: '3.10', state: 'waiting', by: 'staff' }])
  expect((await assign(today)).faults).toEqual(['409 plan_change_waiting'])
})

test('what is planned is replaced by another day, and ended by the plan that the panel has', async () => {
  await assign()
  await assign({ from: '2026-12-25' })
  expect(await open()).toEqual([{ code: 'web-3', starts_on: '2026-12-25' }])
  expect((await preview('web-3')).json).toMatchObject({
    planned: { plan: 'web-3', starts_on: '2026-12-25' },
  })
  expect((await assign({ plan: 'small', from: '2026-11-20', expects: priced(3.1) })).status).toBe(200)
  expect(await open()).toEqual([])
  expect((await assign({ plan: 'small', from: '2026-11-20', expects: priced(3.1) })).faults).toEqual([
    '422 plan_same /data/plan',
  ])
  await businessTime(pool, dayAfter)
  await begin()
  expect(await changes()).toEqual([])
})

test('a panel that cannot have its plan on the day gets it later, and one that is deleted never', async () => {
  await assign()
  await businessTime(pool, dayAfter)
  await sql`update panels set status = 'suspended' where id = ${panel}`.execute(db)
  await begin()
  expect(await open()).toHaveLength(1)
  await sql`update plans set state = 'retired' where code = 'web-3'`.execute(db)
  await sql`update panels set status = 'active' where id = ${panel}`.execute(db)
  await begin()
  expect(await changes()).toEqual([])
  await sql`update plans set state = 'offered' where code = 'web-3'`.execute(db)
  await begin()
  expect(await changes()).toHaveLength(1)

  await sql`update panel_plan_changes set state = 'failed', reason = 'engine_unavailable', ended_at = now()
    where panel_id = ${panel}`.execute(db)
  expect((await assign({ from: '2027-01-19' })).status).toBe(200)
  await businessTime(pool, '2027-01-19T10:00:00Z')
  await sql`update panels set status = 'deleting' where id = ${panel}`.execute(db)
  await begin()
  expect(await open()).toEqual([])
  expect(await changes()).toHaveLength(1)
})

test('other roles, people, panels, prices and plans are refused', async () => {
  for (const [who, status] of [
    [portal.staff(await makeAdmin(pool)), 403],
    [portal.staff(await makeAdmin(pool, 'readonly')), 403],
    [portal.as(ana), 404],
    [portal.nobody, 404],
  ] as const) {
    expect((await assign({}, who)).status).toBe(status)
    expect((await preview('web-3', who)).status).toBe(status)
  }
  const other = await makeAccount(pool, { projects: 1, panels: 1 })
  expect((await assign({}, billing, 999_999)).status).toBe(404)
  expect((await assign({}, billing, other.id)).faults).toEqual(['422 client_panel_unknown /data/panel_id'])
  expect((await assign({ plan: 'none' })).faults).toEqual(['422 plan_not_offered /data/plan'])
  expect((await assign({ plan: 'tiny', from: '2026-11-20', expects: priced(1) })).faults).toEqual([
    '422 plan_limit_exceeded /data/plan',
  ])
  expect((await assign({ expects: priced(7.99) })).faults).toEqual(['409 price_changed'])
  expect((await assign({ from: 'soon' })).status).toBe(422)
  const old = portal.staff(await makeAdmin(pool, 'billing'), 'an hour ago')
  expect((await assign({}, old)).faults).toEqual(['403 recent_sign_in_required'])
  expect(await open()).toEqual([])
  expect(await lettersTo(pool, ana.email)).toEqual([])
})

test('what keeps a panel from its plan on the day is shown to staff and the owner until the plan begins', async () => {
  const set = (change: ReturnType<typeof sql>) => change.execute(db)
  await assign()
  await businessTime(pool, dayAfter)
  const keeps: [string, ReturnType<typeof sql>, ReturnType<typeof sql>][] = [
    [
      'plan_of_suspended',
      sql`update panels set status = 'suspended' where id = ${panel}`,
      sql`update panels set status = 'active' where id = ${panel}`,
    ],
    [
      'panel_not_ready',
      sql`update panels set status = 'error' where id = ${panel}`,
      sql`update panels set status = 'active' where id = ${panel}`,
    ],
    [
      'plan_not_offered',
      sql`update plans set state = 'retired' where code = 'web-3'`,
      sql`update plans set state = 'offered' where code = 'web-3'`,
    ],
    [
      'plan_change_unsupported',
      sql`update panel_engines set capabilities = capabilities || '{"change_plan": false}' where is_default`,
      sql`update panel_engines set capabilities = capabilities || '{"change_plan": true}' where is_default`,
    ],
    [
      'plan_not_on_engine',
      sql`update plan_engines set engine_plan = 'e-gone' where plan_id = ${plans['web-3']}`,
      sql`update plan_engines set engine_plan = 'e-web-3' where plan_id = ${plans['web-3']}`,
    ],
    [
      'plan_needs_domain',
      sql`update plans set needs_domain = true where code = 'web-3'`,
      sql`update plans set needs_domain = false where code = 'web-3'`,
    ],
    [
      'plan_change_waiting',
      sql`insert into panel_plan_changes (panel_id, plan_id, engine_plan, monthly, currency, actor, asked_at)
        values (${panel}, ${plans.tiny}, 'e-tiny', 1, 'USD', '{"kind": "client"}', clock_now())`,
      sql`update panel_plan_changes set state = 'failed', reason = 'engine_unavailable', ended_at = clock_now()
        where panel_id = ${panel} and state = 'waiting'`,
    ],
  ]
  for (const [problem, prevent, allow] of keeps) {
    await set(prevent)
    await begin()
    expect(await planned(portal.as(ana))).toMatchObject({ ...web3Planned, problem })
    expect(await planned(billing)).toMatchObject({ problem })
    const { ids, since } = await waiting()
    expect(ids).toEqual([ana.id])
    expect(Date.parse(since ?? '')).toBeGreaterThan(0)
    await set(allow)
  }
  await set(
    sql`update plan_assignments set plan_id = ${plans.tiny} where panel_id = ${panel} and ended_at is null`,
  )
  await begin()
  expect(await planned(billing)).toMatchObject({ plan_code: 'tiny', problem: 'plan_limit_exceeded' })
  await set(
    sql`update plan_assignments set plan_id = ${plans['web-3']} where panel_id = ${panel} and ended_at is null`,
  )
  await begin()
  expect(await planned(billing)).toBeNull()
  expect(await waiting()).toEqual({ ids: [] })
})

test('a plan of staff that the engine did not give is shown for a week, unless another is asked for', async () => {
  const end = (days: number, by = 'staff') =>
    sql`
    insert into panel_plan_changes (panel_id, plan_id, engine_plan, monthly, currency, actor, asked_at, state, reason, ended_at)
    values (${panel}, ${plans['web-3']}, 'e-web-3', 8, 'USD', jsonb_build_object('kind', ${by}::text), clock_now(), 'refused',
      'plan_refused', clock_now() - make_interval(days => ${days}))`.execute(db)
  await end(8)
  expect(await waiting()).toEqual({ ids: [] })
  await end(6)
  expect((await waiting()).ids).toEqual([ana.id])
  await end(0, 'client')
  expect(await waiting()).toEqual({ ids: [] })
})

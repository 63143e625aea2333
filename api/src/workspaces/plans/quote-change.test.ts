import type { panels } from '@portico/contract/resources/panels.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { makeAccount } from '#test/support/account.ts'
import { makeKey } from '#test/support/api-key.ts'
import { makeBuyer, makeOperator } from '#test/support/documents.ts'
import { only, TestEngine } from '#test/support/engine.ts'
import { businessTime, movedBalance } from '#test/support/money.ts'
import { at, makePlans } from '#test/support/plans.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { custom, entry } from '#test/support/share.ts'

const engine = new TestEngine()
const portal = await testPortal({ engines: only(engine) })
const { pool } = portal
const db = pool.kysely
await makeOperator(pool)
const plans = await makePlans(db, { old: '3.10', 'web-3': '9.30', small: '1.00' })
await sql`insert into plan_engines (plan_id, panel_engine_id, engine_plan)
  select id, default_panel_engine(), 'e-' || code from plans`.execute(db)
await sql`insert into plan_limits (plan_id, what, amount) values (${plans.small}, 'servers', 1), (${plans.small}, 'traffic_gb_month', 0)`.execute(
  db,
)
await sql`update plans set state = 'offered'`.execute(db)
await sql`update panel_engines set contract = '1.1', capabilities = capabilities
  || '{"change_plan": true, "check": true, "plans": ["e-old", "e-web-3", "e-small"]}' where is_default`.execute(
  db,
)
const ana = await makeAccount(pool, { projects: 1, panels: 1 })
await makeBuyer(pool, ana, { company: false })
const [panel = 0] = ana.panels
const [project = 0] = ana.projects
const owner = portal.as(ana)
const helper = await makeAccount(pool, { projects: 1, panels: 0 })
const rights = { add_panels: 'allowed' } as const
await portal.share(ana, helper, { ...rights, ...custom(entry(project, rights)) })

type Quote = z.output<typeof panels.actions.quotePlan.output>

async function quote(visitor: Visitor = owner, plan = 'web-3', headers = {}) {
  const url = `${base}/panels/${panel}/-actions/quotePlan?payload[plan]=${plan}`
  const answer = await visitor.get(url, headers)
  return { answer, ...(answer.json as Quote) } // Refused ones have none of it, and only their errors are looked at.
}

beforeEach(async () => {
  engine.verdict = { ok: true }
  engine.failures.length = 0
  engine.asked.length = 0
  await businessTime(pool, '2026-03-10T12:30:00Z')
  await sql`delete from panel_plan_changes`.execute(db)
  await sql`delete from panel_plans`.execute(db)
  await sql`update panels set status = 'active', plan_id = ${plans.old} where id = ${panel}`.execute(db)
})

test('a quote says both prices to the hour, VAT, and until when the balance lasts with each', async () => {
  const quoted = await quote()
  expect(quoted).toMatchObject({
    plan: 'web-3',
    currency: 'USD',
    monthly: { before: 3.1, after: 9.3 },
    daily: { before: 0.1, after: 0.3 },
    hourly: { before: 0.004167, after: 0.0125 },
    // 21 days and the 12 hours from noon on.
    rest_of_month: { before: 2.15, after: 6.45 },
    vat: { treatment: 'domestic', country: 'RO', rate: 21, amount: 1.95, gross: 11.25 },
    exceeded: [],
    can: true,
    obstacles: [],
  })
  expect((quoted.daily_use?.after ?? 0) - (quoted.daily_use?.before ?? 0)).toBeCloseTo(0.2, 6)
  expect(engine.asked).toEqual([`check ext-${project}-1`])
  const { rows } = await sql`select from panel_plan_changes`.execute(db)
  expect(rows).toEqual([])
})

test('the quote for the rest of the month equals the cost of its hours after the change', async () => {
  const { rest_of_month } = await quote()
  await sql`update panels set plan_id = ${plans['web-3']} where id = ${panel}`.execute(db)
  const { rows } = await sql<{ cost: string }>`select sum(plan_fee(9.30, h.day, h.held))::text as cost
    from plan_hours(array[${panel}::int8], '2026-03-10', '2026-03-31', '2026-04-01') h where h.plan_id = ${plans['web-3']}`.execute(
    db,
  )
  expect(Number(rows[0]?.cost)).toBe(rest_of_month?.after)
})

test('the hour of a change is the dearer plan’s in the rest of the month before another change too', async () => {
  const assign = (plan: string, moment: string) =>
    at(db, moment, (tx) => sql`update panels set plan_id = ${plans[plan]} where id = ${panel}`.execute(tx))
  await assign('web-3', '2026-03-10T12:35:00Z')
  await assign('old', '2026-03-10T12:40:00Z')
  await businessTime(pool, '2026-03-10T12:50:00Z')
  // 21 days, the eleven hours after noon, and the hour of noon at the price of Web 3.
  expect((await quote(owner, 'small')).rest_of_month?.before).toBeCloseTo(2.1 + 11 * 0.0041667 + 0.0125, 5)
})

test('the daily use after the change has the use of the last days at the prices of the plan', async () => {
  await movedBalance(pool, ana.id, '50', '2026-03-02')
  await sql`insert into prices (price_list_id, plan_id, meter_id, valid, unit_price, included_per_day)
    select l.id, ${plans['web-3']}, m.id, '[2020-01-01,)', 0.5, 3 from price_lists l, meters m
    where l.code = 'standard' and m.code = 'traffic_gb'`.execute(db)
  // Two resources of four a day each: the plan includes three of the eight.
  await sql`insert into usage_meter_days (usage_on, panel_id, resource_ref, meter_id, quantity, events)
    select day::date, ${panel}, ref, m.id, 4, 1 from generate_series('2026-03-03'::timestamp, '2026-03-09', '1 day') day,
      unnest(array['server/a', 'server/b']) ref, meters m where m.code = 'traffic_gb'`.execute(db)
  await sql`select usage_rate(5000)`.execute(db)
  const { daily_use, exhaustion_date } = await quote()
  const { rows } = await sql<{
    price: string
  }>`select unit_price::text as price from usage_price(${ana.id}, 'USD',
    (select id from meters where code = 'traffic_gb'), 'server', '2026-03-09', ${plans.old})`.execute(db)
  const before = 8 * Number(rows[0]?.price)
  const more = 0.2 + 5 * 0.5 - before
  expect((daily_use?.after ?? 0) - (daily_use?.before ?? 0)).toBeCloseTo(more, 6)
  expect((exhaustion_date?.after ?? '') < (exhaustion_date?.before ?? '9999')).toBe(true)
})

test('a panel without a plan is quoted from nothing', async () => {
  await sql`update panels set plan_id = null where id = ${panel}`.execute(db)
  expect(await quote()).toMatchObject({
    monthly: { before: 0, after: 9.3 },
    rest_of_month: { before: 0 },
    can: true,
  })
})

test('limits that are exceeded are named, by what the portal knows and by what the engine says', async () => {
  engine.verdict = {
    ok: false,
    code: 'limit_exceeded',
    exceeded: [
      { limit: 'servers', allowed: 1, used: 4 },
      { limit: 'memory_gb', allowed: 2, used: 9 },
    ],
  }
  const quoted = await quote(owner, 'small')
  expect(quoted.exceeded).toEqual([
    { limit: 'servers', allowed: 1, used: 3 },
    { limit: 'memory_gb', allowed: 2, used: 9 },
  ])
  expect([quoted.can, quoted.obstacles]).toEqual([
    false,
    [
      { code: 'plan_limit_exceeded', detail: 'Servers: 3 in use, and the plan allows 1.' },
      { code: 'plan_limit_exceeded', detail: 'memory_gb: 9 in use, and the plan allows 2.' },
    ],
  ])
})

test('a guest is told which limits are exceeded, but not how many domains and mailboxes there are', async () => {
  const domains = { limit: 'domains', allowed: 5, used: 9 }
  const servers = { limit: 'servers', allowed: 1, used: 3 }
  engine.verdict = { ok: false, code: 'limit_exceeded', exceeded: [domains, servers] }
  expect((await quote()).exceeded).toEqual([domains, servers])
  const { exceeded, obstacles } = await quote(portal.as(helper))
  expect(exceeded).toEqual([servers])
  expect(obstacles.map(({ detail }) => detail)).toEqual([
    'Domains: more in use than the plan allows (5).',
    'Servers: 3 in use, and the plan allows 1.',
  ])
  await sql`insert into panel_plan_changes (panel_id, plan_id, engine_plan, currency, actor, state, reason, exceeded, asked_at, ended_at)
    values (${panel}, ${plans.small}, 'e-small', 'USD', '{}', 'refused', 'plan_limit_exceeded',
      ${JSON.stringify([domains, servers])}, now(), now())`.execute(db)
  const refused = async (visitor: Visitor) =>
    (await visitor.get(`${base}/panels/${panel}`)).one.attributes?.plan_change
  expect(await refused(owner)).toMatchObject({ exceeded: [domains, servers] })
  expect(await refused(portal.as(helper))).toMatchObject({ exceeded: [servers] })
})

test('an engine that says no for a reason of its own is reported in our words, in both languages', async () => {
  engine.verdict = { ok: false, code: 'own_word', message: '<b>no</b>' }
  for (const [language, detail] of [
    ['en', 'The hosting platform does not allow this plan for the panel.'],
    ['ro', 'Platforma de găzduire nu permite acest plan pentru panou.'],
  ]) {
    const quoted = await quote(owner, 'web-3', { 'accept-language': language ?? '' })
    expect([quoted.can, quoted.obstacles]).toEqual([false, [{ code: 'plan_refused', detail }]])
  }
})

test('an engine that does not answer has no objection', async () => {
  engine.failures.push(new Error('away'))
  expect(await quote()).toMatchObject({ can: true, obstacles: [] })
})

test.each([
  ['suspended', `status = 'suspended'`, 'plan_of_suspended'],
  ['not ready', `status = 'error'`, 'panel_not_ready'],
  ['of this plan', `plan_id = ${plans['web-3']}`, 'plan_same'],
])(
  'a panel that is %s is quoted with the obstacle, and its engine is not asked',
  async (_what, state, code) => {
    await sql`update panels set ${sql.raw(state)} where id = ${panel}`.execute(db)
    const quoted = await quote()
    expect([quoted.answer.status, quoted.can, quoted.obstacles.map((one) => one.code)]).toEqual([
      200,
      false,
      [code],
    ])
    expect(engine.asked).toEqual([])
  },
)

test('a plan that is not offered is refused', async () => {
  expect((await quote(owner, 'gold')).answer.errors).toMatchObject([
    { status: '422', code: 'plan_not_offered', source: { parameter: 'payload.plan' } },
  ])
})

test('without access to the billing, prices of the account’s own and the balance stay hidden', async () => {
  const key = portal.key((await makeKey(pool, { client: ana.id, scopes: ['panels:read'] })).id)
  const unknown = { vat: null, daily_use: null, exhaustion_date: null }
  for (const visitor of [portal.as(helper), key])
    expect(await quote(visitor)).toMatchObject({
      monthly: { before: 3.1, after: 9.3 },
      ...unknown,
      can: true,
    })
  await sql`with list as (insert into price_lists (code, currency) values ('own', 'USD') returning id),
    assigned as (insert into client_price_lists (client_id, price_list_id, valid) select ${ana.id}, id, '[2020-01-01,)' from list)
    insert into plan_prices (price_list_id, plan_id, valid, monthly) select id, ${plans['web-3']}, '[2020-01-01,)', 4.65 from list`.execute(
    db,
  )
  const none = { monthly: null, daily: null, hourly: null, rest_of_month: null }
  for (const visitor of [portal.as(helper), key])
    expect(await quote(visitor)).toMatchObject({ ...none, ...unknown, can: true })
  expect(await quote()).toMatchObject({ monthly: { before: 3.1, after: 4.65 } })
  // The rest of the month would show prices that are agreed from a later day on.
  await sql`update client_price_lists set valid = '[2026-03-12,)' where client_id = ${ana.id}`.execute(db)
  for (const visitor of [portal.as(helper), key])
    expect(await quote(visitor)).toMatchObject({ ...none, ...unknown, can: true })
})

test('the portal logged no bug', () => {
  expect(portal.bugs).toEqual([])
})

import { usages } from '@portico/contract/resources/usages.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { type Account, makeAccount } from '#test/support/account.ts'
import { businessTime } from '#test/support/money.ts'
import { makePlans } from '#test/support/plans.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { addDailyUse, type DailyUse, priceFrom } from '#test/support/usage.ts'
import { rateUsage } from '#usage/charging.ts'
import { feedDays } from '#usage/plan-feed.ts'

const portal = await testPortal()
const { pool } = portal
// Half of the tenth of May is over, as hours are counted.
await businessTime(pool, '2026-05-10T11:30:00Z')

/** 1000 hours of a processor are 2.90 a day, 10 000 hours of a gigabyte 1.00, and 2.00 from the sixteenth of March. */
await priceFrom(pool, 'ram_gb_hours', '2026-03-16', '0.0002')
const cpu = (panel: number, resource: string, from: string, to: string, quantity = 1000): DailyUse => ({
  panel,
  resource,
  meter: 'cpu_hours',
  from,
  to,
  quantity,
})

async function made(panels = 1): Promise<Account> {
  return makeAccount(pool, { projects: 1, panels, opening: null })
}

const path = (payload: object) =>
  `${base}/usages/-actions/explain?payload=${encodeURIComponent(JSON.stringify(payload))}`

type Explanation = z.output<typeof usages.actions.explain.output>

async function explained(payload: object, visitor: Account): Promise<Explanation> {
  return usages.actions.explain.output.parse((await portal.as(visitor).get(path(payload))).json)
}

/** Each part as a line: the kind, the amount, and the panel or resource. */
const lines = ({ parts }: Explanation) =>
  parts.map(({ kind, amount, panel_id, resource, since, meter, count }) =>
    [kind, amount, resource ?? panel_id ?? meter, since, count === 1 ? undefined : count]
      .filter(Boolean)
      .join(' '),
  )

test('a longer month with a new server, one that ended, more use and a new price is split into these', async () => {
  const ana = await made()
  const [panel = 0] = ana.panels
  await addDailyUse(pool, [
    cpu(panel, 'server/same', '2026-02-01', '2026-03-31'),
    { ...cpu(panel, 'server/same', '2026-02-01', '2026-03-31', 10_000), meter: 'ram_gb_hours' },
    cpu(panel, 'server/added', '2026-03-11', '2026-03-31'),
    cpu(panel, 'server/gone', '2026-02-01', '2026-02-10'),
    cpu(panel, 'server/more', '2026-02-01', '2026-02-28'),
    cpu(panel, 'server/more', '2026-03-01', '2026-03-31', 1500),
  ])
  await rateUsage(pool.kysely)
  const march = await explained({ month: '2026-03' }, ana)
  expect(march).toMatchObject({
    currency: 'USD',
    from: '2026-03-01',
    to: '2026-03-31',
    before_from: '2026-02-01',
    before_to: '2026-02-28',
    before: 219.4,
    now: 332.65,
    difference: 113.25,
    reason: null,
  })
  expect(lines(march)).toEqual([
    'new 60.9 server/added 2026-03-11',
    'quantity 44.95 server/more',
    'ended -29 server/gone 2026-02-10',
    // Three days more of 2.90, 2.90 and 1.00.
    'days 20.4',
    'price 16 ram_gb_hours',
  ])
  expect(march.parts[0]).toMatchObject({
    panel_id: panel,
    panel: expect.stringMatching(/^Panel 1/),
    resource_name: null,
  })
  // The other direction: April is a day shorter, and the price is higher on all of its days.
  await addDailyUse(pool, [
    cpu(panel, 'server/same', '2026-04-01', '2026-04-30'),
    { ...cpu(panel, 'server/same', '2026-04-01', '2026-04-30', 10_000), meter: 'ram_gb_hours' },
  ])
  await rateUsage(pool.kysely)
  const april = await explained({ month: '2026-04' }, ana)
  expect([april.difference, ...lines(april)]).toEqual([
    -185.65,
    'ended -134.85 server/more 2026-03-31',
    'ended -60.9 server/added 2026-03-31',
    // Half of March had the lower price: fifteen days of 1.00.
    'price 15 ram_gb_hours',
    'days -4.9',
  ])
})

test('a panel that began or ended within a month is one part, with the days that it was there', async () => {
  const ana = await made(2)
  const [late = 0, early = 0] = ana.panels
  await addDailyUse(pool, [
    cpu(late, 'server/1', '2026-02-15', '2026-03-31'),
    cpu(late, 'server/2', '2026-02-15', '2026-03-31'),
    cpu(early, 'server/1', '2026-01-01', '2026-03-10'),
  ])
  await rateUsage(pool.kysely)
  expect(lines(await explained({ month: '2026-03' }, ana))).toEqual([
    // Days of February: 81.20 for 28, 2 × 40.60 for 14.
    `new 89.9 ${late} 2026-02-15`,
    `ended -60.9 ${early} 2026-03-10`,
    'days 17.4',
  ])
})

test('use on some days only is no sign that a resource is new or ended', async () => {
  const ana = await made()
  const [panel = 0] = ana.panels
  await addDailyUse(pool, [
    cpu(panel, 'server/1', '2026-02-03', '2026-02-03'),
    cpu(panel, 'server/1', '2026-02-20', '2026-02-20'),
    cpu(panel, 'server/1', '2026-03-05', '2026-03-05'),
    // Was there, paused, and came back.
    cpu(panel, 'server/2', '2026-01-15', '2026-01-20'),
    cpu(panel, 'server/2', '2026-02-15', '2026-03-31'),
  ])
  await rateUsage(pool.kysely)
  expect(lines(await explained({ month: '2026-03' }, ana))).toEqual([
    'quantity 44.95 server/2',
    'days 4.97',
    'quantity -3.52 server/1',
  ])
})

test('a change of plan and a new price of a plan are parts with their plans, and a whole month costs its fee', async () => {
  const ana = await made(3)
  const [moved = 0, dearer = 0, begun = 0] = ana.panels
  const { small = 0, large = 0 } = await makePlans(pool.kysely, { small: '8.00', large: '16.00' })
  await sql`update plan_prices set valid = '[2020-01-01,2026-03-01)' where plan_id = ${small}`.execute(
    pool.kysely,
  )
  await sql`insert into plan_prices (price_list_id, plan_id, valid, monthly)
    select id, ${small}, '[2026-03-01,)', 9 from price_lists where code = 'standard'`.execute(pool.kysely)
  await sql`insert into panel_plans (panel_id, plan_id, during) values
    (${moved}, ${small}, '[2026-01-01,2026-03-01)'), (${moved}, ${large}, '[2026-03-01,)'),
    (${dearer}, ${small}, '[2026-01-01,)'), (${begun}, ${large}, '[2026-02-15 06:00+00,)')`.execute(
    pool.kysely,
  )
  await feedDays(pool.kysely, { from: '2026-01-01', to: '2026-04-30' })
  await rateUsage(pool.kysely)
  const march = await explained({ month: '2026-03' }, ana)
  expect([march.difference, ...lines(march)]).toEqual([
    17.14,
    `new 8.14 ${begun} 2026-02-15`,
    `plan 8 ${moved}`,
    'price 1 plan_hours',
  ])
  const named = (code: string) => ({ name_en: code, name_ro: `${code} Plus` })
  expect(march.parts[1]).toMatchObject({ plan: named('Large'), plan_before: named('Small') })
  expect(march.parts[2]).toMatchObject({ plan: named('Small'), plan_before: null })
  // A fee is of a month, however long that is, so April costs the same.
  expect(await explained({ month: '2026-04' }, ana)).toMatchObject({
    now: 41,
    before: 41,
    difference: 0,
    parts: [],
  })
})

test('the present month is compared with the same days of the one before, and today is counted by its hours', async () => {
  const ana = await made()
  const [panel = 0] = ana.panels
  await addDailyUse(pool, [
    cpu(panel, 'server/1', '2026-04-01', '2026-05-09'),
    cpu(panel, 'server/1', '2026-05-10', '2026-05-10', 500),
    // Came after the days of April that are compared.
    cpu(panel, 'server/2', '2026-04-20', '2026-05-09'),
    cpu(panel, 'server/2', '2026-05-10', '2026-05-10', 500),
  ])
  await rateUsage(pool.kysely)
  const may = await explained({}, ana)
  expect(may).toMatchObject({
    from: '2026-05-01',
    to: '2026-05-10',
    before_from: '2026-04-01',
    before_to: '2026-04-10',
  })
  expect([may.before, may.now, may.difference, ...lines(may)]).toEqual([
    29,
    55.1,
    26.1,
    'new 27.55 server/2 2026-04-20',
    'days -1.45',
  ])
  // The last days of a longer month have no same days before; those of May are compared once it is over.
  await businessTime(pool, '2026-07-31T23:59:00Z')
  expect(await explained({}, ana)).toMatchObject({
    to: '2026-07-31',
    before_from: '2026-06-01',
    before_to: '2026-06-30',
  })
  expect(await explained({ month: '2026-05' }, ana)).toMatchObject({
    to: '2026-05-31',
    before_to: '2026-04-30',
  })
  await businessTime(pool, '2026-05-10T11:30:00Z')
})

test('of hundreds of resources the five largest stand alone, and the others are one part', async () => {
  const ana = await made()
  const [panel = 0] = ana.panels
  await addDailyUse(pool, [
    cpu(panel, 'server/old', '2026-02-01', '2026-03-31'),
    ...Array.from({ length: 300 }, (_, at) =>
      cpu(panel, `server/${at}`, '2026-03-10', '2026-03-10', 1000 + at),
    ),
  ])
  await rateUsage(pool.kysely)
  const march = await explained({ month: '2026-03' }, ana)
  expect(lines(march).slice(0, 5)).toEqual([
    'days 8.7',
    'new 3.77 server/299 2026-03-10',
    // 3.7642, which takes one of the missing cents.
    'new 3.77 server/298 2026-03-10',
    'new 3.76 server/297 2026-03-10',
    'new 3.76 server/296 2026-03-10',
  ])
  expect(march.parts[5]).toMatchObject({ kind: 'others', count: 296, panel_id: null, resource: null })
  const cents = march.parts.map(({ amount }) => Math.round(amount * 100))
  expect(cents.reduce((sum, one) => sum + one, 0)).toBe(Math.round((march.difference ?? 0) * 100))
})

test('a first month has nothing to compare with, nor has a month in another currency', async () => {
  const ana = await made()
  const [panel = 0] = ana.panels
  expect(await explained({ month: '2026-03' }, ana)).toMatchObject({
    now: 0,
    difference: null,
    reason: 'first',
  })
  await addDailyUse(pool, [cpu(panel, 'server/1', '2026-02-01', '2026-03-31')])
  await rateUsage(pool.kysely)
  expect(await explained({ month: '2026-02' }, ana)).toMatchObject({
    now: 81.2,
    before: 0,
    difference: null,
    reason: 'first',
    parts: [],
  })
  await sql`update usages set currency = 'EUR' where client_id = ${ana.id} and usage_on < '2026-03-01'`.execute(
    pool.kysely,
  )
  expect(await explained({ month: '2026-03' }, ana)).toMatchObject({
    now: null,
    before: null,
    difference: null,
    reason: 'currency',
    parts: [],
  })
})

test('an explanation of a workspace, a panel or a resource is of its usage alone', async () => {
  const ana = await makeAccount(pool, { projects: 2, panels: 1, opening: null })
  const [here = 0, there = 0] = ana.panels
  await addDailyUse(
    pool,
    [here, there].flatMap((panel) => [
      cpu(panel, 'server/1', '2026-02-01', '2026-02-28'),
      cpu(panel, 'server/1', '2026-03-01', '2026-03-28', panel === here ? 1100 : 1200),
      cpu(panel, 'server/2', '2026-03-01', '2026-03-28', 200),
    ]),
  )
  await rateUsage(pool.kysely)
  const month = '2026-03'
  const differences = async (narrowing: object) => (await explained({ month, ...narrowing }, ana)).difference
  expect(await differences({})).toBe(56.84)
  expect(await differences({ project_id: ana.projects[0] })).toBe(24.36)
  expect(await differences({ panel_id: there })).toBe(32.48)
  expect(await differences({ resource: `${there}/server/1` })).toBe(16.24)
  expect(await differences({ resource: 'server/1' })).toBe(24.36)
  // A resource that is new has nothing before it.
  expect(await differences({ resource: 'server/2' })).toBeNull()
  expect(await differences({ resource: `${there}/server/1`, panel_id: here })).toBeNull()
})

test('who may not see the usage of an account gets no explanation of it', async () => {
  const owner = await made()
  const [panel = 0] = owner.panels
  await addDailyUse(pool, [
    cpu(panel, 'server/1', '2026-02-01', '2026-02-28'),
    cpu(panel, 'server/1', '2026-03-01', '2026-03-31', 2000),
  ])
  await rateUsage(pool.kysely)
  const [biller, user, stranger] = [await made(0), await made(0), await made(0)]
  await portal.share(owner, biller, { billing: 'allowed', my_workspaces: 'denied' })
  await portal.share(owner, user, { workspace_resources: 'all' })
  const asked = { month: '2026-03', client_id: owner.id }
  const own = await explained({ month: '2026-03' }, owner)
  expect(own).toMatchObject({ difference: 98.6, parts: [{ kind: 'quantity' }, { kind: 'days' }] })
  expect(await explained(asked, biller)).toEqual(own)
  const hidden = { now: 0, before: 0, difference: null, reason: 'first', parts: [] }
  for (const who of [user, stranger]) {
    expect(await explained(asked, who)).toMatchObject(hidden)
    // Nor by the name of something in it.
    expect(await explained({ month: '2026-03', panel_id: panel }, who)).toMatchObject(hidden)
    expect(await explained({ month: '2026-03', project_id: owner.projects[0] }, who)).toMatchObject(hidden)
  }
  expect(await explained({ ...asked, client_id: 1_000_000 }, owner)).toMatchObject(hidden)
  expect((await portal.nobody.get(path(asked))).status).toBe(401)
  expect((await portal.as(owner).call('POST', path(asked))).status).toBe(405)
  const staff = async (role: 'billing' | 'support', payload: object) =>
    portal.staff(await makeAdmin(pool, role)).get(path(payload))
  expect((await staff('billing', asked)).json).toEqual(own)
  expect((await staff('support', asked)).status).toBe(404)
  const support = portal.staff(await makeAdmin(pool, 'support'))
  await support.get(`${base}/desk-clients/${owner.id}`)
  expect((await support.get(path(asked))).json).toEqual(own)
  expect((await staff('billing', {})).faults).toEqual(['400 usage_client_missing payload.client_id'])
  expect((await staff('billing', { client_id: 1_000_000 })).status).toBe(404)
})

test.each([
  [{ month: '2026-13' }, 'value_invalid'],
  [{ month: '0000-01' }, 'value_invalid'],
  [{ month: '2026-06' }, 'usage_month_ahead'],
  [{ panel_id: 'x' }, 'value_not_number'],
  [{ resource: '' }, 'characters_missing'],
])('a month that cannot be explained is refused: %j', async (payload, code) => {
  const ana = await made(0)
  const answer = await portal.as(ana).get(path(payload))
  expect(answer.json).toMatchObject({ errors: [{ status: '400', code }] })
  expect(portal.bugs).toEqual([])
})

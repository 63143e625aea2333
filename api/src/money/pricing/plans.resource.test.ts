import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { makePanelPlan, makePlans } from '#test/support/plans.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const ana = await makeAccount(portal.pool, { projects: 1, panels: 2 })
const stranger = await makeAccount(portal.pool, { projects: 1, panels: 1 })
const [panel = 0] = ana.panels
const its = await makePanelPlan(db, { client: ana.id, panel })
await makePanelPlan(db, { client: stranger.id, panel: stranger.panels[0] ?? 0 })
const made = await makePlans(db, { 'web-3': '8.00', secret: '99.00' })
await sql`update plans set state = 'offered' where code = 'web-3'`.execute(db)
await sql`insert into price_lists (code, currency, is_default) values ('euro', 'EUR', false)`.execute(db)

const codes = async (visitor: Visitor, query = '') =>
  (await visitor.get(`${base}/plans?sort=code${query}`)).list.map(({ attributes }) => attributes?.code)
const fees = async (visitor: Visitor, query = '') =>
  (await visitor.get(`${base}/plan-prices?sort=monthly${query}`)).list.map(
    ({ attributes }) => `${attributes?.plan_id} ${attributes?.monthly}`,
  )
const lists = async (visitor: Visitor, query = '') =>
  (await visitor.get(`${base}/price-lists?sort=code${query}`)).list.map(({ attributes }) => attributes?.code)

test('a client sees the plans that are offered and that of a panel, with both prices of it', async () => {
  expect(await codes(portal.as(ana))).toEqual([`plan-${ana.id}`, 'web-3'])
  expect(await fees(portal.as(ana))).toEqual([
    `${its.plans} 7`,
    ...[`${its.plans} 8`, `${made['web-3']} 8`].sort((a, b) => (a < b ? -1 : 1)),
  ])
  const answer = await portal.as(ana).get(`${base}/plans/${its.plans}?include=planPrices.priceList`)
  expect(answer.one.attributes).toMatchObject({
    state: 'retired',
    limits: { domains: 3, servers: null, disk_gb: null },
  })
  expect(answer.included.map(({ type }) => type).sort()).toEqual([
    'plan-prices',
    'plan-prices',
    'price-lists',
    'price-lists',
  ])
})

test('a guest who reads the billing alone reads the name of each plan whose price they read', async () => {
  const [clerk, helper] = [
    await makeAccount(portal.pool, { projects: 0 }),
    await makeAccount(portal.pool, { projects: 0 }),
  ]
  await portal.share(ana, clerk, { billing: 'allowed', my_workspaces: 'denied' })
  await portal.share(ana, helper, { tickets: 'allowed', my_workspaces: 'denied' })
  expect(await fees(portal.as(clerk), `&filter[plan_id]=${its.plans}`)).toEqual([
    `${its.plans} 7`,
    `${its.plans} 8`,
  ])
  expect(await codes(portal.as(clerk))).toEqual([`plan-${ana.id}`, 'web-3'])
  expect(await codes(portal.as(clerk), `&filter[client_id]=${ana.id}`)).toEqual([`plan-${ana.id}`])
  expect(await codes(portal.as(clerk), `&filter[client_id]=${stranger.id}`)).toEqual([])
  // Without the billing neither is read.
  expect(await codes(portal.as(helper))).toEqual(['web-3'])
  expect(await codes(portal.as(helper), `&filter[client_id]=${ana.id}`)).toEqual([])
  expect(await fees(portal.as(helper), `&filter[plan_id]=${its.plans}`)).toEqual([])
})

test('a client who has had a plan still sees it, also when the panel is deleted, as it is on their bills', async () => {
  await sql`update panels set plan_id = ${made['web-3']} where id = ${panel}`.execute(db)
  expect(await codes(portal.as(ana))).toContain(`plan-${ana.id}`)
  const history = await portal.as(ana).get(`${base}/panel-plans?filter[panel_id]=${panel}&include=plan`)
  expect(history.list.map(({ attributes }) => attributes?.plan_id)).toEqual([made['web-3'], its.plans])
  await sql`update panels set status = 'deleted', deleted_at = now() where id = ${panel}`.execute(db)
  expect(await codes(portal.as(ana))).toEqual([`plan-${ana.id}`, 'web-3'])
  expect((await portal.as(ana).get(`${base}/panel-plans`)).page.total).toBe(0)
})

test('a client who asks for the prices of another account, a draft or another currency finds none', async () => {
  const foreign = portal.as(stranger)
  expect(await codes(foreign)).toEqual([`plan-${stranger.id}`, 'web-3'])
  expect(await lists(foreign)).toEqual([`own-${stranger.id}`, 'standard'])
  expect(await lists(foreign, `&filter[client_id]=${ana.id}`)).toEqual([])
  expect(await fees(foreign, `&filter[client_id]=${ana.id}`)).toEqual([])
  expect(await fees(foreign, `&filter[plan_id]=${made.secret}`)).toEqual([])
  for (const path of [`plans/${made.secret}`, `price-lists/${its['price-lists']}`, `prices/${its.prices}`])
    expect((await foreign.get(`${base}/${path}`)).status).toBe(404)
})

test('a price list that is assigned from a day to come, or was until yesterday, is not read', async () => {
  await sql`update client_price_lists set valid = daterange(clock_today() + 1, null) where client_id = ${stranger.id}`.execute(
    db,
  )
  expect(await lists(portal.as(stranger))).toEqual(['standard'])
  await sql`update client_price_lists set valid = daterange(null, clock_today()) where client_id = ${stranger.id}`.execute(
    db,
  )
  expect(await lists(portal.as(stranger))).toEqual(['standard'])
})

test('a client reads the price that begins on a day to come, and can ask for those of a day', async () => {
  await db.transaction().execute(async (tx) => {
    await sql`update plan_prices set valid = daterange('2020-01-01', clock_today() + 40) where plan_id = ${made['web-3']}`.execute(
      tx,
    )
    await sql`insert into plan_prices (price_list_id, plan_id, valid, monthly)
      select id, ${made['web-3']}, daterange(clock_today() + 40, null), 9.5 from price_lists where code = 'standard'`.execute(
      tx,
    )
  })
  const { rows } = await sql<{ today: string; later: string }>`select clock_today()::text as today,
    (clock_today() + 40)::text as later`.execute(db)
  const [days] = rows
  const of = `&filter[plan_id]=${made['web-3']}`
  expect(await fees(portal.as(ana), of)).toEqual([`${made['web-3']} 8`, `${made['web-3']} 9.5`])
  expect(await fees(portal.as(ana), `${of}&filter[on]=${days?.today}`)).toEqual([`${made['web-3']} 8`])
  expect(await fees(portal.as(ana), `${of}&filter[on]=${days?.later}`)).toEqual([`${made['web-3']} 9.5`])
})

test.each(['support', 'billing', 'admin', 'readonly'])('%s staff read every plan and list', async (role) => {
  const staff = portal.staff(await makeAdmin(portal.pool, role))
  expect(await codes(staff)).toEqual([`plan-${ana.id}`, `plan-${stranger.id}`, 'secret', 'web-3'].sort())
  expect(await lists(staff, '&filter[currency]=EUR')).toEqual(['euro'])
  expect(await lists(staff, `&filter[client_id]=${ana.id}`)).toEqual([`own-${ana.id}`, 'standard'])
  expect((await staff.get(`${base}/prices?filter[price_list_id]=${its['price-lists']}`)).page.total).toBe(1)
})

test('the portal logged no bug', () => {
  expect(portal.bugs).toEqual([])
})

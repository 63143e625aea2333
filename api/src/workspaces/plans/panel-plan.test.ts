import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { makeKey } from '#test/support/api-key.ts'
import { businessTime } from '#test/support/money.ts'
import { makePlans } from '#test/support/plans.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const people = () => makeAccount(portal.pool, { projects: 1, panels: 0 })
const ana = await makeAccount(portal.pool, { projects: 1, panels: 2 })
const [helper, adder, clerk, stranger] = [await people(), await people(), await people(), await people()]
const [panel = 0, without = 0] = ana.panels
const { 'web-3': plan = 0 } = await makePlans(db, { 'web-3': '8.00' })
await sql`insert into plan_limits (plan_id, what, amount) select ${plan}, what, amount
  from (values ('servers', 5), ('mailboxes', 24), ('disk_gb', 480), ('domains', 3), ('traffic_gb_month', 500)) l (what, amount)`.execute(
  db,
)
await sql`update plans set state = 'retired' where id = ${plan}`.execute(db)
await sql`update panels set plan_id = ${plan} where id = ${panel}`.execute(db)
await sql`with list as (insert into price_lists (code, currency) values ('agreed', 'USD') returning id),
  given as (insert into client_price_lists (client_id, price_list_id, valid) select ${ana.id}, id, '[2020-01-01,)' from list)
  insert into plan_prices (price_list_id, plan_id, valid, monthly) select id, ${plan}, '[2020-01-01,)', 7 from list`.execute(
  db,
)
await sql`insert into usage_meter_days (usage_on, panel_id, resource_ref, meter_id, quantity, events)
  select day::date, ${panel}, 'server/1', m.id, 10.25, 1 from meters m, unnest(array['2026-02-28', '2026-03-01', '2026-03-10']) day
  where m.code = 'traffic_gb'`.execute(db)
await portal.share(ana, helper, { workspace_resources: 'all' })
await portal.share(ana, adder, { workspace_resources: 'all', add_panels: 'allowed' })
await portal.share(ana, clerk, { workspace_resources: 'all', billing: 'allowed' })

beforeEach(() => businessTime(portal.pool, '2026-03-10T12:00:00Z'))

async function planOf(visitor: Visitor, id = panel) {
  const { status, json } = await visitor.get(`${base}/panels/${id}/-actions/plan`)
  return { status, plan: (json as { plan?: Record<string, unknown> | null }).plan }
}
const limits = (used: Record<string, number | null>) =>
  expect.arrayContaining(
    Object.entries({ servers: 5, mailboxes: 24, disk_gb: 480, domains: 3, traffic_gb_month: 500 }).map(
      ([limit, allowed]) => ({ limit, allowed, used: used[limit] ?? null }),
    ),
  )

test('the owner reads the plan of a panel, its price of their own list, and the use of its limits', async () => {
  const used = { servers: 3, mailboxes: 6, disk_gb: 240, domains: 3, traffic_gb_month: 20.5 }
  expect(await planOf(portal.as(ana))).toEqual({
    status: 200,
    plan: {
      code: 'web-3',
      name_en: 'Web-3',
      name_ro: 'Web-3 Plus',
      price: { monthly: 7, currency: 'USD' },
      limits: limits(used),
    },
  })
  expect(await planOf(portal.as(ana), without)).toEqual({ status: 200, plan: null })
})

test('guests read what they may know: no agreed price without the billing, no domains that they may not see', async () => {
  const seen = { servers: 3, disk_gb: 240 }
  for (const guest of [helper, adder])
    expect((await planOf(portal.as(guest))).plan).toMatchObject({ price: null, limits: limits(seen) })
  expect((await planOf(portal.as(clerk))).plan).toMatchObject({
    price: { monthly: 7, currency: 'USD' },
    limits: limits({ ...seen, traffic_gb_month: 20.5 }),
  })
  // Without an agreed price, who may add panels knows the public one.
  await sql`update client_price_lists set valid = daterange(null, '2026-01-01') where client_id = ${ana.id}`.execute(
    db,
  )
  expect((await planOf(portal.as(adder))).plan?.price).toEqual({ monthly: 8, currency: 'USD' })
  expect((await planOf(portal.as(helper))).plan?.price).toBeNull()
})

test('a stranger finds no panel, and a key without billing reads no traffic', async () => {
  expect((await planOf(portal.as(stranger))).status).toBe(404)
  const key = portal.key((await makeKey(portal.pool, { client: ana.id, scopes: ['panels:read'] })).id)
  expect((await planOf(key)).plan).toMatchObject({
    limits: limits({ servers: 3, mailboxes: 6, disk_gb: 240, domains: 3 }),
  })
})

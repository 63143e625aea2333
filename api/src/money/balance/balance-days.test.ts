import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { businessTime, movedBalance, used } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'

const portal = await testPortal()
const { pool } = portal
await businessTime(pool, '2026-03-10T12:00:00Z')
const make = () => makeAccount(pool, { projects: 1, panels: 1 })
const [ana, clerk, helper, stranger] = [await make(), await make(), await make(), await make()]
await sql`update clients set created_at = '2026-01-01' where id = ${ana.id}`.execute(pool.kysely)
await movedBalance(pool, ana.id, '17.654322', '2026-03-04')
await used(pool.kysely, ana, ['2026-03-03', '2026-03-06'], '2')
await portal.share(ana, clerk, { billing: 'allowed' })
await portal.share(ana, helper, { workspace_resources: 'all' })

const history = (visitor: Visitor) => visitor.get(`${base}/billing-profiles/${ana.id}/-actions/history`)
type Days = { days: { on: string; held: number }[] }

test('the balance of each day follows from the moves after it, and ends with the present one', async () => {
  const { status, json } = await history(portal.as(ana))
  const { days } = json as Days // The answer was checked against the contract.
  const held = (on: string) => days.find((day) => day.on === on)?.held
  expect([status, days.length, days[0]?.on, days.at(-1)?.on]).toEqual([200, 60, '2026-01-10', '2026-03-10'])
  expect(['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'].map(held)).toEqual([
    22.345678, 20.345678, 38, 38, 36,
  ])
  const { account_balance, credit_balance } = (await portal.as(ana).get(`${base}/billing-profiles/${ana.id}`))
    .one.attributes as { account_balance: number; credit_balance: number }
  expect(held('2026-03-10')).toBeCloseTo(account_balance + credit_balance, 6)
})

test('a new account has no days from before it existed', async () => {
  await sql`update clients set created_at = '2026-03-08' where id = ${stranger.id}`.execute(pool.kysely)
  const { json } = await portal.as(stranger).get(`${base}/billing-profiles/${stranger.id}/-actions/history`)
  expect((json as Days).days.map(({ on }) => on)).toEqual(['2026-03-08', '2026-03-09', '2026-03-10'])
})

test('only readers of the billing read it', async () => {
  expect((await history(portal.as(clerk))).status).toBe(200)
  for (const who of [helper, stranger]) expect((await history(portal.as(who))).status).toBe(404)
  expect((await history(portal.nobody)).status).toBe(401)
})

import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { testVault } from '#test/support/mail.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { belongTo, MeteringEngine, usageEvent } from '#test/support/usage.ts'
import { rateUsage } from '#usage/charging.ts'
import { registerEngine } from '#workspaces/engines/registry.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const { app } = await testApp(pool, { env: { rateLimitScale: 1000 } })
const fresh = { code: 'alpha', name: 'Alpha', baseUrl: 'https://alpha.example.com', isDefault: false }
const alpha = new MeteringEngine(app, 'alpha', await registerEngine({ db, vault: testVault }, fresh))
const { panels } = await makeAccount(pool, { projects: 1, panels: 2 })
const [known = 0, unknown = 0] = panels
await belongTo(pool, 'alpha', [known])
const admin = portal.staff(await makeAdmin(pool, 'admin'))
const { list: engines } = await admin.get(`${base}/desk-engines`)
const url = `${base}/desk-engines/${engines.find(({ attributes }) => attributes?.code === 'alpha')?.id}`

beforeEach(async () => {
  await businessTime(pool, '2026-03-11T12:00:00Z')
  for (const table of ['keyed_usage_events', 'usage_meter_days', 'usage_rejections'])
    await sql`delete from ${sql.table(table)}`.execute(db)
  await belongTo(pool, 'simulated', [unknown])
})
afterEach(() => {
  expect(portal.bugs.splice(0)).toEqual([])
})

const take = (who: Visitor = admin) => who.post(`${url}/-actions/takeAgain`, { data: {} })
const causes = async (who: Visitor = admin) => (await who.get(`${url}/-actions/rejections`)).json
const counted = async () =>
  (
    await sql<{ line: string }>`select concat_ws(' ', panel_id, quantity::float8, events) as line
      from usage_meter_days order by 1`.execute(db)
  ).rows.map(({ line }) => line)

test('usage of a panel that was unknown is taken again once, and the rest stays rejected', async () => {
  const late = usageEvent(unknown, { data: { start: '2026-01-04T10:00:00Z', end: '2026-01-04T11:00:00Z' } })
  const early = usageEvent(unknown, { data: { start: '2026-03-11T13:00:00Z', end: '2026-03-11T14:00:00Z' } })
  const odd = usageEvent(unknown, { data: { meter: 'phlogiston' } })
  const twice = usageEvent(unknown)
  await alpha.send([twice, usageEvent(unknown), late, early, odd, usageEvent(known)])
  await alpha.send([twice])
  expect((await admin.get(url)).one.attributes).toMatchObject({ rejected: 5 })
  expect(await causes()).toMatchObject({
    causes: [
      { code: 'unknown_panel', events: 3, would_take: 0 },
      { code: 'too_new', events: 1, would_take: 0 },
      { code: 'too_old', events: 1, would_take: 0, example: JSON.stringify(late) },
    ],
  })
  expect((await take()).faults).toEqual(['409 usage_none_takeable'])

  await belongTo(pool, 'alpha', [unknown])
  await businessTime(pool, '2026-03-11T14:30:00Z')
  expect(await causes()).toMatchObject({
    causes: [
      { code: 'unknown_panel', events: 3, would_take: 2 },
      { code: 'too_new', would_take: 1 },
      { code: 'too_old', would_take: 0 },
    ],
  })
  expect((await take()).json).toEqual({ taken: 3, before: 0 })
  expect(await counted()).toEqual([`${known} 2 1`, `${unknown} 2 1`, `${unknown} 4 2`])
  expect((await take()).faults).toEqual(['409 usage_none_takeable'])
  expect((await admin.get(url)).one.attributes).toMatchObject({ rejected: 2 })
  await rateUsage(db)
  const { rows } = await sql`select count(*)::int as days from usages where panel_id = ${unknown}`.execute(db)
  expect(rows).toEqual([{ days: 2 }])
  const { rows: log } = await sql`select verb, reason from staff_actions where verb = 'takeAgain'`.execute(db)
  expect(log).toEqual([{ verb: 'takeAgain', reason: 'A test asks for it' }])
})

test('what the engine sent again itself is forgotten, and counted no second time', async () => {
  const sent = usageEvent(unknown)
  await alpha.send([sent])
  await belongTo(pool, 'alpha', [unknown])
  expect(await alpha.send([sent])).toMatchObject({ accepted: 1 })
  expect((await take()).json).toEqual({ taken: 0, before: 1 })
  expect(await counted()).toEqual([`${unknown} 2 1`])
})

test('two administrators at once take each event once', async () => {
  await alpha.send(Array.from({ length: 20 }, () => usageEvent(unknown)))
  await belongTo(pool, 'alpha', [unknown])
  const answers = await Promise.all([take(), take()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await counted()).toEqual([`${unknown} 40 20`])
})

test('an event that was cut is not taken', async () => {
  await alpha.send([{ ...usageEvent(unknown), note: 'x'.repeat(3000) }])
  await belongTo(pool, 'alpha', [unknown])
  expect(await causes()).toMatchObject({ causes: [{ code: 'unknown_panel', events: 1, would_take: 0 }] })
  expect((await take()).faults).toEqual(['409 usage_none_takeable'])
})

test('other roles read what was rejected, or nothing, and only administrators take it', async () => {
  await alpha.send([usageEvent(unknown)])
  await belongTo(pool, 'alpha', [unknown])
  const ana = await makeAccount(pool, { projects: 0, panels: 0 })
  for (const [who, reads, takes] of [
    [portal.staff(await makeAdmin(pool)), 200, 403],
    [portal.staff(await makeAdmin(pool, 'readonly')), 200, 403],
    [portal.staff(await makeAdmin(pool, 'billing')), 404, 404],
    [portal.as(ana), 404, 404],
    [portal.nobody, 404, 404],
  ] as const) {
    expect((await who.get(`${url}/-actions/rejections`)).status).toBe(reads)
    expect((await take(who)).status).toBe(takes)
  }
  expect((await admin.post(`${base}/desk-engines/999999/-actions/takeAgain`, { data: {} })).status).toBe(404)
  expect((await admin.post(`${url}/-actions/takeAgain`, { data: { code: 1 } })).status).toBe(422)
  const old = portal.staff(await makeAdmin(pool, 'admin'), 'an hour ago')
  expect((await take(old)).faults).toEqual(['403 recent_sign_in_required'])
  await admin.post(`${url}/-actions/disable`, { data: {} })
  expect((await take()).faults).toEqual(['409 engine_disabled'])
  await admin.post(`${url}/-actions/enable`, { data: {} })
  expect((await take()).json).toEqual({ taken: 1, before: 0 })
})

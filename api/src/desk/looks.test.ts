import { dayMs } from '@portico/contract/time.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import type { Answer } from '#test/support/answer.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { pruneSearches } from './find.ts'
import { pruneLooks } from './looks.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const admin = portal.staff((await makeMember(portal.pool, 'admin')).admin)
const clients: number[] = []

beforeEach(() => {
  portal.clock.time = new Date(at)
})
beforeAll(async () => {
  for (let n = 0; n < 62; n++) clients.push((await makeAccount(portal.pool, { projects: 0, panels: 0 })).id)
})
afterEach(() => {
  expect(portal.bugs.splice(0)).toEqual([])
})

/** Within one hour of today. */
const at = `${new Date().toISOString().slice(0, 10)}T10:30:00Z`
/** What a member has opened in this hour. */
const opened = (by: number, count: number) =>
  sql`insert into staff_looks (admin_id, hour, client_id) select ${by}, date_trunc('hour', ${at}::timestamptz, 'utc'), c.id
    from unnest(${clients.slice(0, count)}::int8[]) c (id)`.execute(db)

test('support open sixty clients in an hour; for more they sign in again, and administrators are alerted once', async () => {
  const { admin: id } = await makeMember(portal.pool, 'support')
  const before = portal.staff(id, 'an hour ago')
  await opened(id, 59)
  const look = (n: number, who = before) => who.get(`${base}/desk-clients/${clients[n]}`)
  expect((await look(58)).status).toBe(200)
  const { rows: none } = await sql`select from staff_alerts where kind = 'staff_looks'`.execute(db)
  expect(none).toEqual([])
  expect((await look(59)).status).toBe(200)
  expect((await look(60)).faults).toEqual(['403 staff_looks_most'])
  // Those of this hour stay open, and what does not exist counts for nothing.
  expect((await look(3)).status).toBe(200)
  expect((await before.get(`${base}/desk-clients/999999999`)).status).toBe(404)
  expect((await look(60, portal.staff(id))).status).toBe(200)
  const { rows } = await sql<{
    about: string
    detail: object
  }>`select about, detail from staff_alerts where kind = 'staff_looks'`.execute(db)
  expect(rows).toMatchObject([{ about: `support (${id})`, detail: { hour: 61, day: 61 } }])
  const { one } = await admin.get(`${base}/desk-staff/${id}`)
  expect(one.attributes?.clients_opened).toBe(61)
})

test.each([
  ['support', 300],
  ['billing', 600],
  ['admin', 300],
  ['readonly', 300],
] as const)(
  '%s open %i clients in a day, spread over hours; for more they sign in again',
  async (role, most) => {
    const { admin: id } = await makeMember(portal.pool, role)
    const before = portal.staff(id, 'an hour ago')
    const look = (n: number, who = before) => who.get(`${base}/desk-clients/${clients[n]}`)
    const alerts = () =>
      sql<{ detail: object }>`select detail from staff_alerts where kind = 'staff_looks'
      and about = ${`${role} (${id})`}`.execute(db)
    // Other clients, fifty in each hour before this one; yesterday's count for nothing.
    const others = await sql<{
      id: number
    }>`insert into clients (email, first_name, last_name, currency_id, language_id)
    select 'look-' || ${id}::text || '-' || n || '@example.com', 'A', 'B', c.currency_id, c.language_id
    from generate_series(1, ${most}::int) n, clients c where c.id = ${clients[0]} returning id`.execute(db)
    const ids = others.rows.map((row) => row.id)
    const spread = (count: number, days: number) =>
      sql`insert into staff_looks (admin_id, hour, client_id)
      select ${id}, date_trunc('hour', ${at}::timestamptz, 'utc') - interval '1 hour' * (1 + n % 10) - interval '1 day' * ${days}::int, x
      from unnest(${ids}::int8[]) with ordinality u (x, n) where n <= ${count}`.execute(db)
    await spread(most, 1)
    await spread(most - 2, 0)
    expect((await look(0)).status).toBe(200)
    expect((await alerts()).rows).toEqual([])
    expect((await look(1)).status).toBe(200)
    expect((await alerts()).rows).toMatchObject([{ detail: { hour: 2, day: most } }])
    const refused = await look(2)
    expect(refused.faults).toEqual(['403 staff_looks_most'])
    expect(refused.errors[0]?.detail).toContain(String(most))
    // Those of this day stay open, and a new sign-in opens more.
    expect((await look(1)).status).toBe(200)
    expect((await look(2, portal.staff(id))).status).toBe(200)
    expect((await alerts()).rows).toHaveLength(1)
    portal.clock.time = new Date(Date.parse(at) + dayMs)
    expect((await look(3)).status).toBe(200)
  },
)

test('looks are counted for each person, and only of members of staff', async () => {
  const { admin: id } = await makeMember(portal.pool, 'readonly')
  const reader = portal.staff(id, 'an hour ago')
  await Promise.all(clients.slice(0, 20).map((client) => reader.get(`${base}/desk-clients/${client}`)))
  await reader.get(`${base}/desk-clients/${clients[0]}`)
  const { rows } = await sql<{
    clients: number
    looks: number
  }>`select count(*)::int as clients, sum(looks)::int as looks
    from staff_looks where admin_id = ${id}`.execute(db)
  expect(rows).toEqual([{ clients: 20, looks: 21 }])
  await portal.as({ id: clients[0] ?? 0 }).get(`${base}/desk-clients/${clients[0]}`)
  const { rows: all } = await sql<{
    people: number
  }>`select count(distinct admin_id)::int as people from staff_looks
    where client_id = ${clients[19]}`.execute(db)
  expect(all[0]?.people).toBeGreaterThan(0)
})

test('a search is answered sixty times in a minute, counted for all replicas in the database', async () => {
  portal.clock.time = new Date('2026-11-20T10:00:30Z')
  const { admin: id } = await makeMember(portal.pool, 'support')
  // A browser gives no reason for what it only reads.
  const without = { 'portico-reason': '' }
  const find = () => portal.staff(id).get(`${base}/desk-home/-actions/find?payload[search]=nobody`, without)
  const answers: Answer[] = []
  // Ten at once, because more would wait for a connection longer than a slow machine lets them.
  while (answers.length < 70) answers.push(...(await Promise.all(Array.from({ length: 10 }, find))))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
  const refused = answers.find(({ status }) => status === 429)
  expect([refused?.errors[0]?.code, refused?.headers['retry-after']]).toEqual(['rate_limited', '30'])
  portal.clock.time = new Date('2026-11-20T10:01:00Z')
  expect((await find()).status).toBe(200)
  const counted = () =>
    db.selectFrom('staff_searches').select('searches').where('admin_id', '=', id).orderBy('minute').execute()
  expect(await counted()).toEqual([{ searches: 60 }, { searches: 1 }])
  // What another replica counted.
  await sql`update staff_searches set searches = 59 where admin_id = ${id} and searches = 1`.execute(db)
  expect([(await find()).status, (await find()).status]).toEqual([200, 429])
  await pruneSearches(db, new Date('2026-11-21T10:00:30Z'))
  expect(await counted()).toEqual([{ searches: 60 }])
})

const listedBefore = (by: number, rows: number, hoursAgo = 0) =>
  sql`insert into staff_listings (admin_id, hour, listed)
    values (${by}, date_trunc('hour', ${at}::timestamptz, 'utc') - interval '1 hour' * ${hoursAgo}::int, ${rows})`.execute(
    db,
  )
const listedBy = async (by: number) => {
  const { rows } = await sql<{
    n: number
  }>`select sum(listed)::int as n from staff_listings where admin_id = ${by}`.execute(db)
  return rows[0]?.n ?? 0
}

test.each([
  ['an hour', 4995, 0],
  ['a day', 19_995, 3],
] as const)(
  'support list five thousand clients in an hour and twenty thousand in a day; for more they sign in again: %s',
  async (_, before, hoursAgo) => {
    const { admin: id } = await makeMember(portal.pool, 'support')
    const list = (who = portal.staff(id, 'an hour ago')) => who.get(`${base}/desk-clients?page[size]=10`)
    const alerts = async () =>
      (
        await sql`select from staff_alerts where kind = 'staff_looks_listed' and about = ${`support (${id})`}`.execute(
          db,
        )
      ).rows.length
    await listedBefore(id, 30_000, 24)
    await listedBefore(id, before - 10, hoursAgo)
    expect((await list()).list).toHaveLength(10)
    expect([await listedBy(id), await alerts()]).toEqual([30_000 + before, 0])
    expect((await list()).status).toBe(200)
    expect(await alerts()).toBe(1)
    const refused = await list()
    expect(refused.faults).toEqual(['403 staff_listed_most'])
    expect(refused.text).not.toContain('@')
    // What is refused is not counted; a client's page, and a search for what is not there, are limits of their own.
    expect(await listedBy(id)).toBe(30_000 + before + 10)
    expect((await list(portal.staff(id))).status).toBe(200)
    expect([await listedBy(id), await alerts()]).toEqual([30_000 + before + 20, 1])
  },
)

test('a search counts for the clients that it answers, and a list of notes for those that it includes', async () => {
  const { admin: id } = await makeMember(portal.pool, 'support')
  const support = portal.staff(id, 'an hour ago')
  await support.get(`${base}/desk-home/-actions/find?payload[search]=person`)
  expect(await listedBy(id)).toBe(5)
  await sql`insert into client_notes (client_id, admin_id, body) select x, ${id}, 'Called'
    from unnest(${clients.slice(0, 3)}::int8[]) x`.execute(db)
  await support.get(`${base}/client-notes`)
  expect(await listedBy(id)).toBe(5)
  expect((await support.get(`${base}/client-notes?include=client`)).status).toBe(200)
  expect(await listedBy(id)).toBe(8)
  await listedBefore(id, 20_000, 1)
  expect((await support.get(`${base}/desk-home/-actions/find?payload[search]=person`)).faults).toEqual([
    '403 staff_listed_most',
  ])
})

test.each(['billing', 'admin', 'readonly'] as const)('%s list everybody without a count', async (role) => {
  const { admin: id } = await makeMember(portal.pool, role)
  await listedBefore(id, 50_000)
  const who = portal.staff(id, 'an hour ago')
  expect((await who.get(`${base}/desk-clients?page[size]=10`)).list).toHaveLength(10)
  expect((await who.get(`${base}/desk-home/-actions/find?payload[search]=person`)).status).toBe(200)
  expect(await listedBy(id)).toBe(50_000)
})

test('lists of support at the same moment are counted each', async () => {
  const { admin: id } = await makeMember(portal.pool, 'support')
  const support = portal.staff(id, 'an hour ago')
  await Promise.all(Array.from({ length: 8 }, () => support.get(`${base}/desk-clients?page[size]=5`)))
  expect(await listedBy(id)).toBe(40)
})

test('looks and views of more than a year ago are deleted, and later ones stay', async () => {
  const { admin: id } = await makeMember(portal.pool, 'support')
  const ago = (days: number) => new Date(Date.parse(at) - days * dayMs).toISOString()
  for (const days of [500, 399, 0])
    await sql`insert into staff_looks (admin_id, hour, client_id) values (${id}, ${ago(days)}, ${clients[0]})`.execute(
      db,
    )
  for (const days of [500, 399])
    await sql`insert into client_views (token_hash, client_id, admin_id, session_id, opened_at, until, ended_at)
      values (${Buffer.from(`view ${days}`)}, ${clients[0]}, ${id}, gen_random_uuid(), ${ago(days)},
        ${ago(days)}::timestamptz + interval '30 minutes', ${ago(days)})`.execute(db)
  await listedBefore(id, 1, 500 * 24)
  await listedBefore(id, 2, 399 * 24)
  await pruneLooks(db, new Date(at))
  expect(await listedBy(id)).toBe(2)
  const views = await db.selectFrom('client_views').select('opened_at').where('admin_id', '=', id).execute()
  expect(views.map(({ opened_at }) => Date.parse(opened_at))).toEqual([Date.parse(ago(399))])
  const left = await db.selectFrom('staff_looks').select('hour').where('admin_id', '=', id).execute()
  expect(left.map(({ hour }) => Date.parse(hour)).sort()).toEqual([Date.parse(ago(399)), Date.parse(at)])
})

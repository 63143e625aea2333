import { announcements } from '@portico/contract/resources/announcements.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { readBrand, readBrandVersion } from '#platform/brand/brand.ts'
import { makeAccount } from '#test/support/account.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const url = `${base}/announcements`
const admin = portal.staff(await makeAdmin(pool, 'admin'))
const ana = await makeAccount(pool, { projects: 1, panels: 1 })
const ion = await makeAccount(pool, { projects: 1, panels: 0 })

beforeEach(async () => {
  await sql`delete from announcements`.execute(db)
  await businessTime(pool, '2026-11-20T10:00:00Z')
})

const words = {
  title_en: 'Maintenance tonight',
  title_ro: 'Mentenanță la noapte',
  body_en: 'Servers restart at 2.',
  body_ro: 'Serverele repornesc la 2.',
  starts_at: '2026-11-20T09:00:00.000Z',
  ends_at: '2026-11-21T09:00:00.000Z',
  audience: 'all',
  of: null,
}
const announce = (who: Visitor, more: object = {}) =>
  who.post(`${url}/-actions/announce`, { data: { ...words, ...more } })
const faults = async (who: Visitor, more: object = {}) =>
  (await announce(who, more)).errors.map(
    ({ status, code, source }) => `${status} ${code} ${source?.pointer?.replace(/.*\//, '')}`,
  )
const seen = async (who: Visitor) => {
  const { json } = await who.get(`${url}/-actions/current`)
  return announcements.actions.current.output.parse(json).announcements.map(({ title_en }) => title_en)
}

test('everybody reads an announcement from its beginning to its end, and pages are marked meanwhile', async () => {
  expect((await announce(admin, { starts_at: '2026-11-20T11:00:00.000Z' })).status).toBe(200)
  const before = await readBrandVersion(db)
  expect([await seen(portal.nobody), (await readBrand(db)).hasNews]).toEqual([[], false])
  await businessTime(pool, '2026-11-20T11:00:00Z')
  expect([await seen(portal.nobody), await seen(portal.as(ana))]).toEqual([
    ['Maintenance tonight'],
    ['Maintenance tonight'],
  ])
  expect([(await readBrand(db)).hasNews, (await readBrandVersion(db)) === before]).toEqual([true, false])
  await businessTime(pool, '2026-11-21T09:00:00Z')
  expect([await seen(portal.nobody), (await readBrand(db)).hasNews]).toEqual([[], false])
})

test('one for an engine or a plan is read by accounts with such panels alone', async () => {
  const { rows } = await sql<{ engine: string }>`select e.code as engine from panels p
    join panel_engines e on e.id = p.panel_engine_id where p.client_id = ${ana.id}`.execute(db)
  expect(await faults(admin, { audience: 'engine', of: rows[0]?.engine })).toEqual([])
  expect([await seen(portal.as(ana)), await seen(portal.as(ion)), await seen(portal.nobody)]).toEqual([
    ['Maintenance tonight'],
    [],
    [],
  ])
  expect(await faults(admin, { audience: 'plan', of: 'none' })).toEqual(['422 announcement_audience of'])
})

test('an announcement is ended once, also before it begins, and the log has the reason', async () => {
  await announce(admin, { starts_at: '2026-11-20T20:00:00.000Z', ends_at: null })
  const [row] = (await admin.get(url)).list
  const end = () => admin.post(`${url}/${row?.id}/-actions/end`, { data: {} })
  expect((await end()).status).toBe(200)
  expect((await end()).errors.map(({ code }) => code)).toEqual(['announcement_over'])
  await businessTime(pool, '2026-11-20T21:00:00Z')
  expect(await seen(portal.nobody)).toEqual([])
  const log = await admin.get(`${base}/staff-actions?filter[verb]=announce`)
  expect(log.list[0]?.attributes).toMatchObject({ reason: 'A test asks for it' })
})

test.each([
  [{ title_ro: ' ' }, '422 value_required title_ro'],
  [{ ends_at: '2026-11-20T09:30:00.000Z' }, '422 announcement_end ends_at'],
  [{ starts_at: '2026-11-22T00:00:00.000Z' }, '422 announcement_end ends_at'],
  [{ body_en: 'x'.repeat(1001) }, '422 characters_most body_en'],
])('%j is refused', async (more, fault) => {
  expect(await faults(admin, more)).toEqual([fault])
})

test('only administrators announce and read the list', async () => {
  expect((await announce(portal.as(ana))).status).toBe(403)
  expect((await portal.as(ana).get(url)).list).toEqual([])
  for (const role of ['support', 'billing', 'readonly'] as const)
    expect((await announce(portal.staff(await makeAdmin(pool, role)))).status).toBe(403)
})

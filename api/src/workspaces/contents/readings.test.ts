import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { TestEngine } from '#test/support/engine.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'

let engine = new TestEngine()
// With one connection, holding it during an engine call would block every other request.
const portal = await testPortal({ engines: { open: () => engine }, poolSize: 1 })
const db = portal.pool.kysely
const ana = await makeAccount(portal.pool, { projects: 1, panels: 1 })
const guest = await makeAccount(portal.pool, { projects: 0 })
const narrow = await makeAccount(portal.pool, { projects: 0 })
const closed = await makeAccount(portal.pool, { projects: 0 })
await portal.share(ana, guest, { account_access: 'all', domain_access: 'all' })
await portal.share(ana, narrow, { account_access: 'all', domain_access: 'none' })
await portal.share(ana, closed, { account_access: 'none' })
const [panel = 0] = ana.panels

const idOf = async (type: 'servers' | 'clusters') =>
  (await portal.as(ana).get(`/api/v1/${type}?filter[panel_id]=${panel}`)).list[0]?.id

const values = Array<number | null>(288).fill(1.5)
const series = {
  start: '2026-03-01T10:00:00Z',
  step_seconds: 300 as const,
  cpu_percent: values,
  memory_gb: values,
  disk_gb: values,
  out_mb: values.with(0, null),
}

const offering = async (more: object) => {
  const capabilities = JSON.stringify({ ...(await engine.health()).capabilities, ...more })
  await db.updateTable('panel_engines').set({ capabilities }).execute()
  engine.asked.length = 0
}

beforeEach(async () => {
  engine = new TestEngine()
  engine.series = series
  await offering({ series: true, audit: true })
})

afterEach(() => {
  expect(portal.bugs.splice(0)).toEqual([])
})

const seriesFor = async (who: { readonly id: number }, type: 'servers' | 'clusters' = 'servers') =>
  portal.as(who).get(`/api/v1/${type}/${await idOf(type)}/-actions/series`)
const auditFor = (who: { readonly id: number }, query = '') =>
  portal.as(who).get(`/api/v1/panels/${panel}/-actions/audit${query}`)

test('everyone who sees a server or cluster reads its last day, and keeps it for a minute', async () => {
  for (const who of [ana, guest, closed])
    for (const type of ['servers', 'clusters'] as const) {
      const answer = await seriesFor(who, type)
      expect([answer.status, answer.json]).toEqual([200, series])
      expect(answer.header('cache-control')).toBe('private, max-age=60')
    }
  expect(engine.asked.filter((one) => one.startsWith('series'))).toHaveLength(6)
  const stranger = await makeAccount(portal.pool, { projects: 0 })
  expect((await seriesFor(stranger)).status).toBe(404)
})

test('an engine that offers neither is not asked, and one that does not answer is a 502', async () => {
  await offering({})
  expect((await seriesFor(ana)).faults).toEqual(['409 engine_without_readings'])
  expect((await auditFor(ana)).faults).toEqual(['409 engine_without_readings'])
  expect(engine.asked).toEqual([])
  const shown = await portal.as(ana).get(`/api/v1/panels/${panel}`)
  expect(shown.one.attributes?.offers).toEqual([])
  await offering({ series: true, audit: true })
  expect((await portal.as(ana).get(`/api/v1/panels/${panel}`)).one.attributes?.offers).toEqual([
    'series',
    'audit',
  ])
  engine.failures.push(new Error('connect ECONNREFUSED with details'))
  const lost = await seriesFor(ana)
  expect([lost.faults, lost.text.includes('ECONNREFUSED')]).toEqual([['502 engine_unavailable'], false])
  engine.failures.push(new Error('connect ECONNREFUSED with details'))
  expect((await auditFor(ana)).faults).toEqual(['502 engine_unavailable'])
  engine.series = undefined
  expect((await seriesFor(ana)).faults).toEqual(['409 engine_without_readings'])
})

const act = (id: string, subject: string | null, kind: 'owner' | 'guest' | 'key' | 'staff' | 'system') => ({
  id,
  at: '2026-03-01T10:00:00Z',
  actor: { subject, kind },
  label: `label of ${id}`,
  action: 'changed',
  target: 'shop.example.com',
  ip: '192.0.2.7',
})

const all = () => ({
  items: [
    act('a1', `client-${ana.id}`, 'owner'),
    act('a2', `client-${guest.id}`, 'guest'),
    act('a3', `client-${narrow.id}`, 'guest'),
    act('a4', `client-${ana.id}`, 'key'),
    act('a5', 'staff-1', 'staff'),
    act('a6', null, 'system'),
  ],
  next: 'more',
})

const read = async (who: { readonly id: number }) => {
  const { items } = (await auditFor(who)).json as {
    items: { by: { kind: string; name: string | null }; target: string | null; ip: string | null }[]
  }
  return {
    by: items.map(({ by: { kind, name } }) => [kind, name].filter(Boolean).join(': ')),
    told: [...new Set(items.map(({ target, ip }) => `${target} ${ip}`))],
  }
}

test('the owner reads who did what in a panel, and from where', async () => {
  engine.audit = all()
  expect(await read(ana)).toEqual({
    by: ['you', 'guest: label of a2', 'guest: label of a3', 'key: label of a4', 'support', 'system'],
    told: ['shop.example.com 192.0.2.7'],
  })
  expect((await auditFor(ana)).json).toMatchObject({ next: 'more' })
  await auditFor(ana, '?payload[cursor]=more')
  expect(engine.asked.at(-1)).toMatch(/^audit .* more$/)
})

test('guests read no addresses and no names of others, and what was done to a domain only if they see all', async () => {
  engine.audit = all()
  const by = ['owner: label of a1', 'you', 'guest', 'key', 'support', 'system']
  expect(await read(guest)).toEqual({ by, told: ['shop.example.com null'] })
  expect(await read(narrow)).toEqual({
    by: ['owner: label of a1', 'guest', 'you', 'key', 'support', 'system'],
    told: ['null null'],
  })
  expect((await auditFor(closed)).faults).toEqual(['403 panel_accounts_not_allowed'])
})

test('staff, programs and strangers read no audit, and a panel without an engine’s id is not ready', async () => {
  const { admin } = await makeMember(portal.pool, 'admin')
  expect((await portal.staff(admin).get(`/api/v1/panels/${panel}/-actions/audit`)).status).toBe(403)
  const stranger = await makeAccount(portal.pool, { projects: 0 })
  expect((await auditFor(stranger)).status).toBe(404)
  expect((await portal.nobody.get(`/api/v1/panels/${panel}/-actions/audit`)).status).toBe(401)
  const [row] = await db.selectFrom('panels').select('external_id').where('id', '=', panel).execute()
  const set = (external_id: string | null) =>
    db.updateTable('panels').set({ external_id }).where('id', '=', panel).execute()
  await set(null)
  expect((await auditFor(ana)).faults).toEqual(['409 panel_not_ready'])
  await set(row?.external_id ?? null)
})

import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { makeAccount } from '#test/support/account.ts'
import { server, TestEngine, testVault } from '#test/support/engine.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { syncPanel } from '#workspaces/engines/panel-engines.ts'
import type { EngineResource } from './engines/panel-engine.ts'

let engine = new TestEngine()
const engines = { open: () => engine }
const portal = await testPortal({ engines })
const db = portal.pool.kysely
const outside = { pool: portal.pool, clock: systemClock, vault: testVault, engines }
const since = '2026-03-01T10:00:00Z'

let ana = await makeAccount(portal.pool, { projects: 1, panels: 1 })
const panelId = () => ana.panels[0] ?? 0

beforeEach(async () => {
  engine = new TestEngine()
  engine.offers = { kinds: ['server', 'domain'] }
  ana = await makeAccount(portal.pool, { projects: 1, panels: 1 })
  await db
    .updateTable('panel_engines')
    .set({ capabilities: JSON.stringify({ ...(await engine.health()).capabilities }) })
    .execute()
})

afterEach(() => {
  expect(portal.bugs.splice(0)).toEqual([])
})

const spec = { mailboxes: 1, tls_expires_on: '2030-01-31' }

function domain(externalId: string, more: object = {}): EngineResource<'domain'> {
  const common = { kind: 'domain', externalId, name: `${externalId}.test`, status: 'running' } as const
  return { ...common, region: null, spec: { ...spec, ...more } }
}

async function read(resources: EngineResource[], reasons: TestEngine['reasons'] = []) {
  engine.resources = resources
  engine.reasons = reasons
  await syncPanel(outside, panelId())
}

const reasonsFor = async (who: { readonly id: number }) =>
  (await portal.as(who).get(`/api/v1/panels/${panelId()}`)).one.attributes?.reasons

test('the owner reads why, of what and since when, and never the words that the engine has for staff', async () => {
  const load = { code: 'load', since, text: 'vm-104 on host-7 is starved' } as const
  await read(
    [{ ...server('1'), reasons: [load] }],
    [
      { ...load, resource: 'server/1' },
      { code: 'maintenance', since: '2026-03-02T10:00:00Z', resource: null, text: 'host-7 moves' },
      { code: 'other', since: '2026-03-03T10:00:00Z', resource: 'server/of-nobody' },
    ],
  )
  expect(await reasonsFor(ana)).toEqual([
    { code: 'load', since, resource: 'web-1', text: null },
    { code: 'maintenance', since: '2026-03-02T10:00:00Z', resource: null, text: null },
    { code: 'other', since: '2026-03-03T10:00:00Z', resource: null, text: null },
  ])
  const rows = await portal.as(ana).get(`/api/v1/servers?filter[panel_id]=${panelId()}`)
  expect(rows.list[0]?.attributes?.reasons).toEqual([{ code: 'load', since }])
  expect(rows.text).not.toContain('host-7')
})

test('staff read the words of the engine, and no names of what is in the panel', async () => {
  const { admin } = await makeMember(portal.pool, 'support')
  await read([{ ...server('1'), reasons: [{ code: 'load', since, text: 'starved' }] }])
  const answer = await portal.staff(admin).get(`/api/v1/panels/${panelId()}`)
  expect(answer.one.attributes?.reasons).toEqual([{ code: 'load', since, resource: null, text: 'starved' }])
})

test('a guest reads nothing about domains that they do not see', async () => {
  const guest = await makeAccount(portal.pool, { projects: 0 })
  await portal.share(ana, guest, { workspace_resources: 'all', domain_access: 'none' })
  await read(
    [server('1'), { ...domain('shop'), reasons: [{ code: 'certificate', since }] }],
    [
      { code: 'certificate', since, resource: 'domain/shop' },
      { code: 'network', since, resource: 'server/1' },
    ],
  )
  expect(await reasonsFor(guest)).toEqual([{ code: 'network', since, resource: 'web-1', text: null }])
  expect(await reasonsFor(ana)).toHaveLength(2)
})

test('a reading without reasons ends them, and one that is gone names nothing', async () => {
  await read([{ ...server('1'), reasons: [{ code: 'load', since }] }], [{ code: 'network', since }])
  expect(await reasonsFor(ana)).toHaveLength(2)
  await read([server('1')])
  expect(await reasonsFor(ana)).toEqual([])
})

test('servers and domains show the figures that their engine knows, and null for what it does not', async () => {
  const figures = {
    ipv6: '2001:db8::1',
    addresses: ['203.0.113.9'],
    memory_used_gb: 1.5,
    disk_used_gb: 20,
    up_since: '2026-02-01T00:00:00Z',
    power: ['stop', 'restart'],
  } as const
  const certificate = { issuer: 'Example CA', expires_at: '2030-01-31T12:00:00Z', renews: true }
  const dns = { servers: ['ns1.example.net'], delegated: null, dnssec: true }
  const full = { ...server('1'), spec: { ...server('1').spec, ...figures } }
  await read([
    // The compiler takes the list of verbs for one that can change.
    full as unknown as EngineResource<'server'>,
    server('2'),
    domain('shop', { certificate, dns }),
    domain('site', { certificate: null }),
  ])
  const listed = async (type: string) =>
    (await portal.as(ana).get(`/api/v1/${type}?filter[panel_id]=${panelId()}&sort=name`)).list.map(
      ({ attributes }) => attributes,
    )
  const [first, second] = await listed('servers')
  expect(first).toMatchObject({ ...figures, up_since: expect.stringContaining('2026-02-01T00:00:00') })
  expect(second).toMatchObject({
    ipv6: null,
    addresses: [],
    memory_used_gb: null,
    disk_used_gb: null,
    up_since: null,
    power: [],
  })
  expect(await listed('domains')).toMatchObject([
    { certificate, dns },
    { certificate: null, dns: null },
  ])
})

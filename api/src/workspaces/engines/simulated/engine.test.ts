import { engineEvent } from '@portico/contract/engine/events.ts'
import type { ResourceKind } from '@portico/contract/engine/wire.ts'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type EngineResource, type NewPanel, system } from '#workspaces/engines/panel-engine.ts'
import { SimulatedEngine } from './engine.ts'

const noon = new Date('2026-03-18T12:00:00Z')
const hours = (n: number) => new Date(noon.getTime() + n * 3_600_000)
const owner = { subject: 'client-1', displayName: 'Ana Marin', email: 'ana@example.com' }
const asked = (panelId: number, plan: string | null): NewPanel => ({
  panelId,
  name: 'any',
  plan,
  region: null,
  domain: null,
  owner,
  actor: system,
})
const engineAt = (at: Date) => new SimulatedEngine({ now: () => at }, 'http://localhost/console')
const kinds: readonly ResourceKind[] = ['server', 'cluster', 'domain']

/** All that a new process would report of a panel at a time. */
async function report(panelId: number, at = noon, plan: string | null = null): Promise<EngineResource[]> {
  const engine = engineAt(at)
  const made = await engine.createPanel(asked(panelId, plan))
  if (made.refused) throw new Error(made.reason)
  const pages = await Promise.all(kinds.map((kind) => engine.listResources(made.externalId, kind)))
  return pages.flatMap(({ items }): readonly EngineResource[] => items)
}

async function servers(panelId: number, at: Date, plan: string | null = null) {
  const engine = engineAt(at)
  const { items } = await engine.listResources(`sim-${panelId}-${plan ?? 'standard'}`, 'server')
  return items
}

const count = (all: readonly EngineResource[], kind: ResourceKind) =>
  all.filter((one) => one.kind === kind).length

test('reports the same of a panel whichever process asks', async () => {
  expect(await report(7)).toEqual(await report(7))
  expect(await report(7)).not.toEqual(await report(8))
})

test('makes a panel in the region that is asked for, where it stays for another process', async () => {
  for (const region of ['eu-central', 'eu-west', 'eu-north']) {
    const made = await engineAt(noon).createPanel({ ...asked(9, 'web-3'), region })
    expect(made).toMatchObject({ refused: false, region })
    const restarted = engineAt(noon)
    restarted.remember({ externalId: 'sim-9-web-3', plan: 'web-3', domain: null, region })
    expect(await restarted.readPanel('sim-9-web-3')).toMatchObject({ region })
    const { items } = await restarted.listResources('sim-9-web-3', 'server')
    expect(new Set(items.map((server) => server.region))).toEqual(new Set([region]))
  }
})

test('makes one panel however often it is asked to', async () => {
  const engine = engineAt(noon)
  const ask = () => engine.createPanel(asked(3, 'web-3'))
  expect(await ask()).toEqual(await ask())
})

test('keeps what is in a panel while its load changes with the hour', async () => {
  const still = (all: EngineResource[]) =>
    all.map(({ kind, externalId, name, region }) => ({ kind, externalId, name, region }))
  expect(still(await report(7, hours(5)))).toEqual(still(await report(7)))
  const loads = await Promise.all(
    [...Array(24).keys()].map(async (hour) => (await servers(7, hours(hour)))[0]?.spec.cpu_percent),
  )
  expect(new Set(loads).size).toBeGreaterThan(12)
  for (const load of loads) expect(load).toBeGreaterThan(0)
})

test('is busier in the afternoon than before dawn', async () => {
  const total = async (hour: number) => {
    const all = await Promise.all(
      [...Array(50).keys()].map((id) => servers(id + 1, new Date(Date.UTC(2026, 2, 18, hour)))),
    )
    return all.flat().reduce((sum, { spec }) => sum + spec.cpu_percent, 0)
  }
  expect(await total(16)).toBeGreaterThan(1.5 * (await total(4)))
})

test('gives each panel one to four servers, at most one cluster and two to eight domains', async () => {
  const seen = { server: new Set<number>(), cluster: new Set<number>(), domain: new Set<number>() }
  for (let id = 1; id <= 150; id++) {
    const all = await report(id)
    for (const kind of kinds) seen[kind].add(count(all, kind))
    const names = all.filter(({ kind }) => kind === 'domain').map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  }
  const range = (kind: ResourceKind) => [...seen[kind]].sort((a, b) => a - b)
  expect(range('server')).toEqual([1, 2, 3, 4])
  expect(range('cluster')).toEqual([0, 1])
  expect(range('domain')).toEqual([2, 3, 4, 5, 6, 7, 8])
})

test('has a server in trouble now and then, and over again', async () => {
  const slots = await Promise.all(
    [...Array(144 * 60).keys()].map(
      async (slot) => (await servers(1, new Date(noon.getTime() + slot * 600_000)))[0]?.status,
    ),
  )
  const ill = slots.filter((status) => status === 'degraded').length
  expect(ill).toBeGreaterThan(5)
  expect(ill).toBeLessThan(0.01 * slots.length)
})

test('plans say what is in a panel', async () => {
  const web = await report(1, noon, 'web-3')
  expect(kinds.map((kind) => count(web, kind))).toEqual([3, 0, 9])
  const shop = await report(2, noon, 'cluster-4')
  expect(shop.find(({ kind }) => kind === 'cluster')?.spec).toMatchObject({ nodes: 4 })
  const mail = await report(3, noon, 'mail-24')
  const boxes = mail.map(({ spec }) => ('mailboxes' in spec ? spec.mailboxes : 0))
  expect(boxes.reduce((sum, each) => sum + each)).toBe(24)
  expect((await servers(4, noon, 'strained'))[0]?.status).toBe('degraded')
})

test('refuses a plan it does not have, for good', async () => {
  const engine = engineAt(noon)
  for (const plan of ['gold', '__proto__', '']) {
    expect(await engine.createPanel(asked(1, plan))).toMatchObject({ refused: true })
  }
})

test('a certificate always has 30 to 90 days left', async () => {
  for (let day = 0; day < 130; day += 7) {
    const at = hours(24 * day)
    for (const { spec } of await report(9, at)) {
      if (!('tls_expires_on' in spec) || spec.tls_expires_on === null) continue
      const left = (Date.parse(spec.tls_expires_on) - at.getTime()) / 86_400_000
      expect(left).toBeGreaterThan(29)
      expect(left).toBeLessThanOrEqual(90)
    }
  }
})

const visitor = (subject = 'client-1') => ({
  subject,
  displayName: 'Ana Marin',
  role: 'owner' as const,
  scopes: ['account_access' as const],
  domains: null,
  clientIp: '192.0.2.7',
  ttlSeconds: 60,
})

test('a sign-in link lets in the one it was made for, once, and for a minute', async () => {
  const time = { at: noon }
  const engine = new SimulatedEngine({ now: () => time.at }, 'http://localhost/console')
  const link = async (subject?: string) =>
    new URL((await engine.createSsoLink('sim-7-web-3', visitor(subject))).url).searchParams.get('token') ?? ''
  const first = await link()
  expect(engine.redeem(first)).toMatchObject({ panel: 'sim-7-web-3', ask: visitor() })
  expect(engine.redeem(first)).toBeUndefined()
  const late = await link()
  time.at = new Date(noon.getTime() + 60_000)
  expect(engine.redeem(late)).toBeUndefined()
  const [revoked, kept] = [await link('client-2'), await link()]
  await engine.revokeSubject('sim-7-web-3', 'client-2')
  expect([engine.redeem(revoked), engine.redeem(kept)]).toEqual([undefined, expect.anything()])
  await expect(engine.createSsoLink('sim-7-nothing', visitor())).rejects.toThrow('no panel')
})

test('a suspended panel says so and lets nobody in until it may run again', async () => {
  const engine = engineAt(noon)
  const before = new URL((await engine.createSsoLink('sim-7-web-3', visitor())).url)
  await engine.suspendPanel('sim-7-web-3')
  await engine.suspendPanel('sim-7-web-3')
  expect(await engine.readPanel('sim-7-web-3')).toMatchObject({ status: 'suspended' })
  // Neither by a new link, nor by one from before.
  await expect(engine.createSsoLink('sim-7-web-3', visitor())).rejects.toMatchObject({ status: 409 })
  expect(engine.redeem(before.searchParams.get('token') ?? '')).toBeUndefined()
  await engine.unsuspendPanel('sim-7-web-3')
  expect(await engine.readPanel('sim-7-web-3')).toMatchObject({ status: 'active' })
})

test('reports changes since the last poll, in the terms of the contract', async () => {
  const time = { at: noon }
  const engine = new SimulatedEngine({ now: () => time.at }, 'http://localhost/console')
  expect(engine.changes()).toEqual([])
  await engine.createPanel(asked(7, 'web-3'))
  const first = engine.changes()
  expect(first.map(({ type }) => type)).toEqual(['panel.status', ...Array(12).fill('resource.upserted')])
  for (const event of first) expect(z.safeParse(engineEvent, event).error).toBeUndefined()
  expect(engine.changes()).toEqual([])
  time.at = new Date(noon.getTime() + 60_000)
  // Loads differ from minute to minute; domains stay as they are.
  const later = engine.changes()
  expect(later.length).toBeGreaterThan(0)
  expect(later.every((event) => event.type === 'resource.upserted' && event.resource.kind === 'server')).toBe(
    true,
  )
  engine.undelivered(later)
  expect(engine.changes()).toEqual(later)
})

test('fails in the requested ways, and no longer', async () => {
  const engine = engineAt(noon)
  engine.faults.failing = 1
  await expect(engine.suspendPanel('sim-7-web-3')).rejects.toThrow('fails')
  expect(await engine.readPanel('sim-7-web-3')).toMatchObject({ status: 'active' })
  engine.faults.losing = 1
  await expect(engine.suspendPanel('sim-7-web-3')).rejects.toThrow('loses its answer')
  expect(await engine.readPanel('sim-7-web-3')).toMatchObject({ status: 'suspended' })
})

const change = (plan: string, changeId: string) => ({ plan, changeId, actor: system })

test('another plan changes what is in a panel, once for each change, and names what does not fit', async () => {
  const engine = engineAt(noon)
  await engine.createPanel(asked(7, 'strained'))
  const id = 'sim-7-strained'
  const exceeded = [{ limit: 'servers', allowed: 1, used: 2 }]
  const refused = { code: 'limit_exceeded', exceeded }
  expect(await engine.check({ externalId: id, plan: 'mail-24' })).toMatchObject({ ok: false, ...refused })
  expect(await engine.changePlan(id, change('mail-24', 'a'))).toMatchObject({ state: 'refused', ...refused })
  expect(await engine.check({ externalId: id, plan: 'web-3' })).toEqual({ ok: true })
  expect(await engine.readPanel(id)).toMatchObject({ plan: 'strained' })
  expect(await engine.changePlan(id, change('web-3', 'b'))).toEqual({ state: 'done' })
  expect((await engine.listResources(id, 'domain')).items).toHaveLength(9)
  await engine.changePlan(id, change('standard', 'c'))
  expect(await engine.changePlan(id, change('web-3', 'b'))).toEqual({ state: 'done' })
  expect(await engine.readPanel(id)).toMatchObject({ plan: 'standard' })
})

test('a plan that says nothing of the content keeps what the panel held, so that the plan of before fits again', async () => {
  const engine = engineAt(noon)
  for (let panelId = 1; panelId <= 20; panelId++) {
    await engine.createPanel(asked(panelId, 'web-3'))
    const id = `sim-${panelId}-web-3`
    expect(await engine.changePlan(id, change('standard', `there-${id}`))).toEqual({ state: 'done' })
    expect(await engine.changePlan(id, change('web-3', `back-${id}`))).toEqual({ state: 'done' })
  }
})

test.each(['gold', '__proto__', ''])('another plan that is not there (%j) is refused', async (plan) => {
  const engine = engineAt(noon)
  const refused = { code: 'no_such_plan' }
  expect(await engine.changePlan('sim-7-web-3', change(plan, 'a'))).toMatchObject({
    state: 'refused',
    ...refused,
  })
  expect(await engine.check({ externalId: 'sim-7-web-3', plan })).toMatchObject({ ok: false, field: 'plan' })
})

test('a suspended panel keeps its plan', async () => {
  const engine = engineAt(noon)
  await engine.suspendPanel('sim-7-web-3')
  expect(await engine.changePlan('sim-7-web-3', change('standard', 'a'))).toMatchObject({ code: 'suspended' })
  expect(await engine.readPanel('sim-7-web-3')).toMatchObject({ plan: 'web-3' })
})

test('knows the plan and the domain of a panel in a new process once it is reminded of them', async () => {
  const panel = { externalId: 'sim-7-web-3', plan: 'mail-24', domain: 'shop.example.com', region: null }
  const engine = engineAt(noon)
  engine.remember(panel)
  expect(await engine.readPanel(panel.externalId)).toMatchObject({ plan: 'mail-24' })
  const { items } = await engine.listResources(panel.externalId, 'domain')
  expect(items.map(({ name }) => name)).toContain('shop.example.com')
  expect(items).toHaveLength(4)
})

test('gives a domain to one panel, until that is deleted', async () => {
  const engine = engineAt(noon)
  const [first, second] = [1, 2].map((id) => ({ ...asked(id, 'web-3'), domain: 'shop.example.com' }))
  if (!first || !second) throw new Error('Two panels are asked for.')
  await engine.createPanel(first)
  expect(await engine.createPanel(first)).toMatchObject({ refused: false })
  expect(await engine.check({ panel: second })).toMatchObject({ code: 'domain_taken', field: 'domain' })
  expect(await engine.createPanel(second)).toMatchObject({ refused: true })
  await engine.deletePanel({ ...first, externalId: 'sim-1-web-3' })
  expect(await engine.check({ panel: second })).toEqual({ ok: true })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { checkEngine } from '../check/run.ts'
import { answerConsole } from './console/door.ts'
import { openFake, secret, serveFake } from './fake/open.ts'
import { mend } from './mending/mend.ts'
import { createPanel, deletePanel } from './panels/making.ts'
import { adoptPanel, releasePanel } from './panels/ownership.ts'
import { suspendPanel, unsuspendPanel } from './panels/suspension.ts'
import { allPanels, findPanel, setWords } from './panels/truth.ts'

// The engine over small fakes of its daemons, which fail as the real ones were seen to; .ci/engine-debian asks the real ones.

beforeEach(() => {
  // The operator reads of each fault.
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

type Fake = Awaited<ReturnType<typeof openFake>>

const owner = { subject: 'client-1', display_name: 'Ana' }
const asked = { panel_id: 7, name: 'Shop', plan: 'large', region: null, domain: 'shop.example.com', owner }
const id = 'portico-7'

/** The remains of the panel, one word each. */
const seen = ({ lxd, dns }: Fake) => ({
  projects: [...lxd.projects.keys()],
  bridges: [...lxd.bridges.values()].map(
    ({ name, status, config }) => `${name} ${status} ${config?.['ipv4.address']}`,
  ),
  servers: [...lxd.servers.values()].map(({ name, status }) => `${name} ${status}`).toSorted(),
  zones: [...dns.zones.keys()],
})

const whole = {
  projects: [id],
  bridges: ['pt7 Created 10.128.0.1/24'],
  servers: ['cluster-1-1 Running', 'cluster-1-2 Running', 'web-1 Running'],
  zones: ['shop.example.com.'],
}
const nothing = { projects: [], bridges: [], servers: [], zones: [] }

test('the check of the contract finds nothing', async () => {
  const outcomes = await checkEngine({ url: await serveFake(), secret })
  expect(outcomes.filter(({ state }) => state === 'failed')).toEqual([])
  expect(outcomes.filter(({ state }) => state === 'passed').length).toBeGreaterThan(35)
})

test.each([
  ['a bridge is left without a state and an address', { emptyBridges: 2 }],
  ['a server is left half-made with an empty directory', { halfServers: 1 }],
  ['a server does not start the first time', { deadServers: 1 }],
])('a panel is whole although %s', async (_, faults) => {
  const fake = await openFake()
  Object.assign(fake.lxd.faults, faults)
  await createPanel(fake.host, asked)
  expect(seen(fake)).toEqual(whole)
})

/** Breaks off an act at each call that changes something, before it is done and after; then mends. */
async function breakEverywhere(
  prepare: (fake: Fake) => Promise<unknown>,
  act: (fake: Fake) => Promise<unknown>,
  finish: (fake: Fake) => Promise<unknown>,
  expected: object,
): Promise<number> {
  for (let call = 1; ; call++)
    for (const isDone of [false, true]) {
      const fake = await openFake()
      await prepare(fake)
      const before = fake.lxd.writes
      Object.assign(fake.lxd.faults, { failAt: before + call, isDone })
      await act(fake).catch(() => undefined)
      const wasReached = fake.lxd.writes >= before + call
      fake.lxd.faults.failAt = 0
      await finish({ ...fake, host: fake.restart().host })
      expect(seen(fake), `broken off at call ${call}, ${isDone ? 'after' : 'before'} it was done`).toEqual(
        expected,
      )
      if (!wasReached) return call
    }
}

test('a creation that is broken off anywhere is finished once', async () => {
  const calls = await breakEverywhere(
    async () => undefined,
    ({ host }) => createPanel(host, asked),
    async ({ host }) => {
      await mend(host)
      // The portal repeats what got no answer.
      await createPanel(host, asked)
    },
    whole,
  )
  expect(calls).toBeGreaterThan(12)
})

test('a deletion that is broken off anywhere is finished', async () => {
  const calls = await breakEverywhere(
    ({ host }) => createPanel(host, asked),
    ({ host }) => deletePanel(host, id),
    async ({ host }) => {
      await mend(host)
      if (await findPanel(host, id)) await deletePanel(host, id)
    },
    nothing,
  )
  expect(calls).toBeGreaterThan(6)
})

test('a busy host answers before the portal stops waiting; a deletion is noted first, and done in the end', async () => {
  const fake = await openFake({ patienceMs: 2000 })
  const { promise: busy, resolve: finish } = Promise.withResolvers<void>()
  // What comes before the building counts, too.
  const claims = fake.host.locks.alone('claims', () => sleep(1200))
  const creation = fake.host.locks.alone('creation', () => busy)
  const begun = performance.now()
  expect(await createPanel(fake.host, asked)).toMatchObject({ panel: { state: 'provisioning' } })
  expect(performance.now() - begun).toBeLessThan(3000)
  expect(await deletePanel(fake.host, id)).toBe(false)
  expect(await findPanel(fake.host, id)).toMatchObject({ state: 'deleting' })
  finish()
  await Promise.all([claims, creation])
  await vi.waitFor(() => expect(seen(fake)).toEqual(nothing), 20_000)
})

test('a panel that could not be claimed in time is not made afterwards', async () => {
  const fake = await openFake({ patienceMs: 300 })
  // A timer may end a millisecond before the clock says so: what counts is that the call was answered.
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { promise: busy, resolve: finish } = Promise.withResolvers<void>()
  const claims = fake.host.locks.alone('claims', () => busy)
  await expect(createPanel(fake.host, asked)).rejects.toMatchObject({
    status: 503,
    fault: { code: 'unavailable' },
  })
  finish()
  await claims
  await fake.host.locks.alone('claims', async () => undefined)
  expect(seen(fake)).toEqual(nothing)
})

test('a deletion that the engine’s end broke off, while a server was made, is finished', async () => {
  const fake = await openFake({ patienceMs: 300 })
  void fake.host.locks.alone('creation', () => new Promise(() => undefined))
  await createPanel(fake.host, asked)
  expect(await deletePanel(fake.host, id)).toBe(false)
  await mend(fake.restart().host)
  expect(seen(fake)).toEqual(nothing)
})

test('a suspension that is broken off anywhere stops all, and keeps what ran', async () => {
  const servers = whole.servers.map((one) => one.replace('Running', 'Stopped'))
  const stopping = await breakEverywhere(
    ({ host }) => createPanel(host, asked),
    ({ host }) => suspendPanel(host, id, 'unpaid'),
    async ({ host }) => {
      await suspendPanel(host, id, 'unpaid')
      await mend(host)
    },
    { ...whole, servers },
  )
  const starting = await breakEverywhere(
    async ({ host }) => {
      await createPanel(host, asked)
      await suspendPanel(host, id, 'unpaid')
    },
    ({ host }) => unsuspendPanel(host, id),
    async ({ host }) => {
      await unsuspendPanel(host, id)
      await mend(host)
    },
    whole,
  )
  expect([stopping, starting].every((calls) => calls > 6)).toBe(true)
})

test('a server that its owner had stopped stays so through a suspension', async () => {
  const fake = await openFake()
  await createPanel(fake.host, asked)
  for (const [key, server] of fake.lxd.servers) if (key.endsWith('/web-1')) server.status = 'Stopped'
  await suspendPanel(fake.host, id, 'unpaid')
  await unsuspendPanel(fake.host, id)
  expect(seen(fake).servers).toContain('web-1 Stopped')
})

test('a panel that is suspended before it was made is made when the suspension ends', async () => {
  const fake = await openFake()
  // Killed before the first server is made.
  Object.assign(fake.lxd.faults, { failAt: 4, isDone: false })
  await createPanel(fake.host, asked).catch(() => undefined)
  fake.lxd.faults.failAt = 0
  const { host } = fake.restart()
  expect(await findPanel(host, id)).toMatchObject({ state: 'provisioning' })
  await suspendPanel(host, id, 'unpaid')
  // The portal repeats what got no answer, and a suspended panel is not worked on.
  await suspendPanel(host, id, 'unpaid')
  expect(await mend(host)).toEqual([])
  expect(await findPanel(host, id)).toMatchObject({ state: 'suspended' })
  expect(await unsuspendPanel(host, id)).toMatchObject({ state: 'active' })
  expect(seen(fake)).toEqual(whole)
})

test('bridges and links of nobody are removed, zones of nobody are kept and told', async () => {
  const fake = await openFake()
  await createPanel(fake.host, asked)
  fake.lxd.bridges.set('pt9', { name: 'pt9', managed: true, status: 'Pending', config: null })
  fake.lxd.bridges.set('br0', { name: 'br0', managed: false, status: '', config: null })
  fake.links.add('veth1')
  fake.dns.zones.set('old.example.net.', {
    id: '1',
    name: 'old.example.net.',
    account: 'portico-9',
    dnssec: false,
  })
  const said = await mend(fake.host)
  expect([...fake.lxd.bridges.keys()]).toEqual(['pt7', 'br0'])
  expect(fake.links.size).toBe(0)
  expect(fake.dns.zones.has('old.example.net.')).toBe(true)
  expect(said.join('\n')).toContain('old.example.net. of portico-9 has no panel')
})

test('two engines on one LXD see and mend each their own panels, and share what is nobody’s', async () => {
  const fake = await openFake()
  const mine = fake.host
  const others = fake.beside({ code: 'second', prefix: 'second-', bridges: 'sc' })
  fake.lxd.projects.set('old', { name: 'old', description: 'Old', config: {} })
  await createPanel(mine, asked)
  // The portals of two companies count from 1 both.
  await createPanel(others, { ...asked, domain: 'other.example.com' })
  expect(seen(fake).bridges).toEqual(['pt7 Created 10.128.0.1/24', 'sc7 Created 10.128.1.1/24'])
  const ids = async (host: Fake['host']) => (await allPanels(host)).map((panel) => panel.id)
  expect(await Promise.all([ids(mine), ids(others)])).toEqual([
    ['old', id],
    ['old', 'second-7'],
  ])
  await expect(suspendPanel(mine, 'second-7', 'unpaid')).rejects.toMatchObject({ status: 404 })
  await expect(deletePanel(others, id)).rejects.toMatchObject({ status: 404 })
  await expect(setWords(others, id, { name: 'Mine' })).rejects.toMatchObject({ status: 404 })
  const before = seen(fake)
  expect([await mend(mine), await mend(others)]).toEqual([[], []])
  expect(seen(fake)).toEqual(before)

  const owner = { subject: 'client-2', display_name: 'Dan' }
  await adoptPanel(others, 'old', { panel_id: 8, name: 'Old', owner })
  expect(await ids(mine)).toEqual([id])
  await releasePanel(others, 'old', 8)
  expect(await ids(mine)).toEqual(['old', id])
})

test('panels from before engines shared an LXD are marked by the one whose they are, and else told', async () => {
  const fake = await openFake()
  const others = fake.beside({ code: 'second', prefix: 'portico-eu-', bridges: 'eu' })
  await createPanel(fake.host, asked)
  const configOf = (name: string) => fake.lxd.projects.get(name)?.config ?? {}
  delete configOf(id)['user.portico.engine']
  const adopted = { 'user.portico.panel_id': '8' }
  fake.lxd.projects.set('old', { name: 'old', description: 'Old', config: { ...adopted } })
  expect((await mend(others)).map((line) => line.slice(0, 45))).toEqual([
    'the panel old says no engine: lxc project set',
    'the panel portico-7 says no engine: lxc proje',
  ])
  // Nothing is hidden before it is known whose it is.
  expect((await allPanels(fake.host)).map((panel) => panel.id)).toEqual(['old', id])
  await mend(fake.host)
  expect(configOf(id)).toHaveProperty('user.portico.engine', 'debian')
  expect(configOf('old')).toHaveProperty('user.portico.engine', 'debian')
  expect(await allPanels(others)).toEqual([])
})

test('an engine whose code was changed does not start, as its panels would be as if deleted', async () => {
  const fake = await openFake()
  await createPanel(fake.host, asked)
  const renamed = fake.restart({ code: 'other' })
  await expect(renamed.begin()).rejects.toThrow('the panel portico-7 is of debian')
})

/** Somebody at the page of the panel, who asks for this. */
async function visit({ host }: Fake, target: string, body: object): Promise<void> {
  const about = { scopes: ['account_access'], domains: null, role: 'owner' }
  const token = host.store.addLink({ panel: id, subject: 'client-1', about }, Date.now() + 60_000)
  const send = (at: string, more: object) =>
    answerConsole(host, { method: 'POST', target: at, headers: {}, body: JSON.stringify(more) })
  const { session } = Object((await send('/enter', { token })).body)
  await send(target, { ...body, session })
}

test('a server that is added or deleted at the page, and broken off anywhere, is whole or gone', async () => {
  const more = { ...whole, servers: [...whole.servers, 'web-2 Running'] }
  const adding = await breakEverywhere(
    ({ host }) => createPanel(host, asked),
    (fake) => visit(fake, '/servers/add', { server: 'web-2', size: 's' }),
    async (fake) => {
      await mend(fake.host)
      // Of what was broken off before LXD knew of it nothing is left, and the person adds it again.
      await visit(fake, '/servers/add', { server: 'web-2', size: 's' })
    },
    more,
  )
  const deleting = await breakEverywhere(
    async (fake) => {
      await createPanel(fake.host, asked)
      await visit(fake, '/servers/add', { server: 'web-2', size: 's' })
    },
    (fake) => visit(fake, '/servers/remove', { server: 'web-2' }),
    async (fake) => {
      await mend(fake.host)
      await visit(fake, '/servers/remove', { server: 'web-2' })
    },
    whole,
  )
  expect([adding, deleting].every((calls) => calls > 2)).toBe(true)
})

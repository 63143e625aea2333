import { once } from 'node:events'
import http from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { allowedHosts, guardedAgent } from '#platform/egress.ts'
import { traceIn, withTrace } from '#platform/trace.ts'
import { leastCapabilities } from '#test/support/engine.ts'
import { exampleEngine, faultyWay } from '#test/support/example-engine.ts'
import { stoppedClock } from '#test/support/people.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { EngineRefused } from './engine-calls.ts'
import { HttpEngine } from './http-engine.ts'
import { type EngineAccess, type NewPanel, type PanelRef, system } from './panel-engine.ts'

const secret = `whsec_${Buffer.alloc(32, 4).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
const slowMs = 5000
const way = await faultyWay(await exampleEngine([secret]), slowMs)
const allowed = ['127.0.0.0/8']
const clock = stoppedClock()

afterEach(() => {
  way.faults.length = 0
  way.calls.length = 0
})

type More = {
  allow?: string[]
  secrets?: string[]
  url?: string
  patience?: number
  contract?: string
  offers?: Partial<EngineAccess['capabilities']>
}

/** All that 1.1 added. */
const all = { check: true, change_plan: true, list: true, adopt: true, owner_email: true } as const

function engineAt({
  allow = allowed,
  secrets = [secret],
  url = way.url,
  patience = 10_000,
  contract = '1.1',
  offers = all,
}: More = {}) {
  const access: EngineAccess = {
    id: 1,
    code: 'example',
    kind: 'http',
    baseUrl: url,
    contract,
    secrets,
    capabilities: { ...leastCapabilities, events: true, ...offers },
  }
  const breaker = new CircuitBreaker(clock, (error) => !(error instanceof EngineRefused))
  const agent = guardedAgent(allowedHosts(allow))
  return new HttpEngine(access, { dispatcher: () => agent, breaker, patience })
}

let last = 0
const newPanel = (more: Partial<NewPanel> = {}): NewPanel => {
  last += 1
  const owner = { subject: 'client-1', displayName: 'Ana Marin', email: 'ana@example.com' }
  const panel = { panelId: last, name: `panel ${last}`, plan: null, region: null, domain: null }
  return { ...panel, owner, actor: system, ...more }
}
const engine = engineAt()

async function made(panel = newPanel()): Promise<PanelRef & { externalId: string }> {
  const result = await engine.createPanel(panel)
  if (result.refused) throw new Error(result.reason)
  return { ...panel, externalId: result.externalId }
}

const visitor = {
  subject: 'client-1',
  displayName: 'Ana Marin',
  role: 'owner',
  scopes: ['account_access'],
  domains: null,
  clientIp: '192.0.2.7',
  ttlSeconds: 60,
} as const

test('an engine gets the trace of the request or job that calls it', async () => {
  const seen: unknown[] = []
  const server = http.createServer(({ headers }, response) => {
    seen.push(headers.traceparent)
    response.end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  const asked = engineAt({ url: `http://127.0.0.1:${port}` })
  const trace = { id: '4bf92f3577b34da6a3ce929d0e0e4736', flags: '01' }
  await withTrace(trace, () => asked.health()).catch(() => undefined)
  await asked.health().catch(() => undefined)
  expect([traceIn(seen[0]), seen[1]]).toMatchObject([trace, undefined])
  server.closeAllConnections()
  server.close()
})

test('speaks every call of the contract with an engine in another process', async () => {
  expect(await engine.health()).toMatchObject({ status: 'ok', version: '1.1.0', contract: '1.1' })
  const panel = await made()
  expect(await engine.readPanel(panel.externalId)).toMatchObject({ status: 'active', region: 'eu-example' })
  await engine.updatePanel(panel.externalId, { name: 'renamed', actor: system })
  expect(await engine.readPanel(panel.externalId)).toMatchObject({ name: 'renamed' })
  await engine.suspendPanel(panel.externalId, 'unpaid')
  expect(await engine.readPanel(panel.externalId)).toMatchObject({ status: 'suspended' })
  await engine.unsuspendPanel(panel.externalId)
  const first = await engine.listResources(panel.externalId, 'server')
  const second = await engine.listResources(panel.externalId, 'server', first.next)
  expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(['web-1', 'web-2', 'db-1'])
  expect(first.items[0]).toMatchObject({ externalId: `${panel.externalId}-1`, spec: { vcpus: 2 } })
  const link = await engine.createSsoLink(panel.externalId, visitor)
  expect((await fetch(link.url)).status).toBe(200)
  expect((await fetch(link.url)).status).toBe(410)
  await engine.revokeSubject(panel.externalId, 'client-1')
  expect(await engine.deletePanel(panel)).toBe(true)
  expect(await engine.deletePanel(panel)).toBe(true)
  await expect(engine.readPanel(panel.externalId)).resolves.toMatchObject({ status: 'deleted' })
})

test('a panel whose answer was lost is the same when it is asked for again, and can be deleted unseen', async () => {
  const panel = newPanel()
  way.faults.push('lose')
  await expect(engine.createPanel(panel)).rejects.toThrow('POST /v1/panels')
  const [again, twice] = [await made(panel), await made(panel)]
  expect(again.externalId).toBe(twice.externalId)
  expect(await engine.deletePanel({ ...panel, externalId: null })).toBe(true)
  await expect(engine.readPanel(again.externalId)).resolves.toMatchObject({ status: 'deleted' })
})

test('a refusal is final, and says why', async () => {
  expect(await engine.createPanel(newPanel({ plan: 'gold' }))).toEqual({
    refused: true,
    reason: expect.stringContaining('no_such_plan'),
  })
  await expect(engine.suspendPanel('p-nobody', 'x')).rejects.toMatchObject({
    name: 'EngineRefused',
    status: 404,
  })
})

test.each([400, 409, 422])(
  'a panel that is refused with %i is not asked for again, and can be deleted',
  async (status) => {
    const error = { code: 'name_invalid', message: 'No such names here.' }
    const server = http.createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    const refusing = engineAt({
      offers: {},
      url: `http://127.0.0.1:${typeof address === 'object' && address?.port}`,
    })
    const panel = { ...newPanel(), externalId: null }
    expect(await refusing.createPanel(panel)).toEqual({
      refused: true,
      reason: expect.stringContaining('name_invalid: No such names here.'),
    })
    expect(await refusing.deletePanel(panel)).toBe(true)
    server.close()
  },
)

test('an engine that does not know the secret refuses, and no secret stands in what is thrown', async () => {
  const stranger = engineAt({ secrets: [other] })
  const error: unknown = await stranger.health().catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ status: 401 })
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(other.slice(6, 20))
  expect(await engineAt({ secrets: [other, secret] }).health()).toMatchObject({ status: 'ok' })
})

test.each([
  ['fail', 'answered 500'],
  ['lose', 'other side closed'],
  ['garbage', 'not in the contract'],
  ['redirect', 'answered 307'],
  ['endless', 'max size'],
] as const)('an answer that is spoilt (%s) is a failure, and worth repeating', async (fault, words) => {
  way.faults.push(fault)
  await expect(engine.health()).rejects.toThrow(new RegExp(words, 'i'))
  expect(await engine.health()).toMatchObject({ status: 'ok' })
  expect(way.followed).toEqual([])
})

test('an engine that is slow is given up in time', async () => {
  way.faults.push('slow')
  const begun = performance.now()
  await expect(engineAt({ patience: 100 }).health()).rejects.toThrow('timeout')
  expect(performance.now() - begun).toBeLessThan(slowMs / 2)
})

test('after five failures in a row an engine is left alone for half a minute, then asked once', async () => {
  const ailing = engineAt()
  const fails = () => ailing.health().catch((error: Error) => error.name)
  way.faults.push(...Array(6).fill('fail'))
  for (let i = 0; i < 5; i++) expect(await fails()).toBe('EngineFailed')
  expect(await fails()).toBe('Resting')
  expect(way.calls).toHaveLength(5)
  clock.forward(30_000)
  expect(await Promise.all([fails(), fails(), fails()])).toEqual(['EngineFailed', 'Resting', 'Resting'])
  clock.forward(30_000)
  expect(await ailing.health()).toMatchObject({ status: 'ok' })
  expect(await ailing.health()).toMatchObject({ status: 'ok' })
  // A refusal is an answer, so the circuit breaker does not count it.
  for (let i = 0; i < 9; i++) await expect(ailing.suspendPanel('p-nobody', 'x')).rejects.toThrow('404')
  expect(await ailing.health()).toMatchObject({ status: 'ok' })
})

test('this machine and its networks are unreachable unless they are listed, by any name', async () => {
  const knocked: string[] = []
  const server = createServer((socket) => {
    knocked.push(socket.remoteAddress ?? '')
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const hosts = [
    '127.0.0.1',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f000001',
    '[::ffff:127.0.0.1]',
    'LOCALHOST',
  ]
  for (const host of hosts) {
    const refused = engineAt({ allow: [], url: `http://${host}:${port}` })
    await expect(refused.health(), host).rejects.toThrow('not a public address')
  }
  expect(knocked).toEqual([])
  await expect(engineAt({ allow: ['localhost'], url: `http://localhost:${port}` }).health()).rejects.toThrow(
    'other side closed',
  )
  expect(knocked.length).toBeGreaterThan(0)
  server.close()
})

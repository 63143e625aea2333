import { once } from 'node:events'
import http from 'node:http'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { allowedHosts, guardedAgent } from '#platform/egress.ts'
import { leastCapabilities } from '#test/support/engine.ts'
import { stoppedClock } from '#test/support/people.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { EngineRefused } from './engine-calls.ts'
import { HttpEngine } from './http-engine.ts'
import { type EngineAccess, type NewPanel, system } from './panel-engine.ts'

// Contract 1.1 against a scripted engine, over a real socket.

type Reply = { status?: number; body?: string; hangs?: true }
type Heard = { call: string; body: unknown }

let reply: Reply = {}
const heard: Heard[] = []

const server = http.createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  heard.push({ call: `${request.method} ${request.url}`, body: text === '' ? null : JSON.parse(text) })
  const { status = 200, body = '{}', hangs } = reply
  if (!hangs) response.writeHead(status, { 'content-type': 'application/json' }).end(body)
})
await once(server.listen(0, '127.0.0.1'), 'listening')
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const address = server.address()
const url = `http://127.0.0.1:${typeof address === 'object' && address?.port}`

beforeEach(() => {
  reply = {}
  heard.length = 0
})

const all: Partial<EngineAccess['capabilities']> = {
  check: true,
  change_plan: true,
  list: true,
  adopt: true,
  owner_email: true,
  series: true,
  audit: true,
  power: ['start', 'restart'],
}

function engineOf(contract: string, offers: Partial<EngineAccess['capabilities']> = all): HttpEngine {
  const access: EngineAccess = {
    id: 1,
    code: 'odd',
    kind: 'http',
    baseUrl: url,
    contract,
    secrets: [`whsec_${Buffer.alloc(32, 4).toString('base64')}`],
    capabilities: { ...leastCapabilities, ...offers },
  }
  const breaker = new CircuitBreaker(stoppedClock(), (error) => !(error instanceof EngineRefused))
  const dispatcher = () => guardedAgent(allowedHosts(['127.0.0.1']))
  return new HttpEngine(access, { dispatcher, breaker, patience: 2000 })
}

const actor = { subject: 'client-7', kind: 'guest' } as const
const owner = { subject: 'client-1', displayName: 'Ana Marin', email: 'ana@example.com' }
const panel: NewPanel = {
  panelId: 5,
  name: 'shop',
  plan: 'web',
  region: null,
  domain: 'shop.example.com',
  owner,
  actor,
}
const shown = { id: 'p-5', panel_id: 5, name: 'shop', plan: 'web', status: 'active', region: null }

const calls = {
  check: (engine: HttpEngine) => engine.check({ externalId: 'p-5', plan: 'big' }),
  'change of plan': (engine: HttpEngine) => engine.changePlan('p-5', { plan: 'big', changeId: 'c-1', actor }),
  list: (engine: HttpEngine) => engine.listPanels({}),
  adoption: (engine: HttpEngine) => engine.adoptPanel('p-5', { panelId: 5, name: 'shop', owner, actor }),
  release: (engine: HttpEngine) => engine.releasePanel('p-5', { panelId: 5, actor }),
  series: (engine: HttpEngine) => engine.readSeries('p-5', { kind: 'server', id: 's-1' }),
  audit: (engine: HttpEngine) => engine.readAudit('p-5', 'c 1'),
  power: (engine: HttpEngine) =>
    engine.powerServer('p-5', 's-1', { action: 'restart', force: false, requestId: 'r-1', actor }),
}

const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
const page = (item: object) => JSON.stringify({ items: [item], next: null })
const listed = {
  ...shown,
  owner: { name: null, email: null },
  counts: { servers: 0, clusters: 0, domains: 0 },
}

test.each([
  ['no JSON', 'check', '<html>'],
  ['nothing', 'check', ''],
  ['another type', 'check', '{"ok":"yes"}'],
  ['a message without end', 'check', JSON.stringify({ ok: false, message: 'x'.repeat(1001) })],
  ['too many limits', 'check', JSON.stringify({ ok: false, exceeded: Array(21).fill({}) })],
  ['a use that is a text', 'check', '{"ok":false,"exceeded":[{"limit":"servers","allowed":1,"used":"2"}]}'],
  ['arrays in arrays', 'check', deep],
  ['no page', 'list', '[]'],
  ['more than a page', 'list', JSON.stringify({ items: Array(501).fill(listed), next: null })],
  ['an id with a path in it', 'list', page({ ...listed, id: '../../v1/panels/p-1' })],
  ['a domain with markup', 'list', page({ ...listed, domain: '<script>alert(1)</script>' })],
  ['a count below nothing', 'list', page({ ...listed, counts: { ...listed.counts, servers: -1 } })],
] as const)('%s in the answer to a %s is a failure that says what was asked', async (_what, name, body) => {
  reply = { body }
  await expect(calls[name](engineOf('1.1'))).rejects.toThrow(/odd (POST|GET) \/v1.*not in the contract/)
})

test.each(Object.keys(calls) as (keyof typeof calls)[])(
  'an endless, a lost and a failed answer to a %s is a failure, and worth repeating',
  async (name) => {
    reply = { body: `"${'x'.repeat(3_000_000)}"` }
    await expect(calls[name](engineOf('1.1'))).rejects.toThrow(/max.*size/i)
    reply = { hangs: true }
    await expect(calls[name](engineOf('1.1'))).rejects.toMatchObject({ name: 'EngineFailed' })
    reply = { status: 500, body: '{"error":{"code":"x","message":"y"}}' }
    await expect(calls[name](engineOf('1.1'))).rejects.toMatchObject({ name: 'EngineFailed' })
  },
  20_000,
)

test.each([
  ['names its limits', '[{"limit":"servers","allowed":1,"used":3}]', 1],
  ['names limits that are none', '[{"limit":"servers","allowed":"1","used":3}]', 0],
  [
    'names more limits than there can be',
    JSON.stringify(Array(21).fill({ limit: 'x', allowed: 1, used: 2 })),
    0,
  ],
  ['names a thing', '{"__proto__":{"length":1}}', 0],
])('a plan that is refused stays refused when the refusal %s', async (_what, exceeded, many) => {
  reply = {
    status: 409,
    body: `{"error":{"code":"limit_exceeded","message":"Too small.","exceeded":${exceeded}}}`,
  }
  const answer = await calls['change of plan'](engineOf('1.1'))
  expect(answer).toMatchObject({ state: 'refused', code: 'limit_exceeded' })
  expect(answer.state === 'refused' && answer.exceeded).toHaveLength(many)
})

test.each([
  ['no reason', 409, ''],
  ['an unreadable reason', 422, '<html>'],
])('a plan that is refused with %s is refused all the same', async (_what, status, body) => {
  reply = { status, body }
  expect(await calls['change of plan'](engineOf('1.1'))).toMatchObject({ state: 'refused', code: 'refused' })
})

test('an engine that is at another plan says so by 202, and one that has it by 200', async () => {
  reply = { status: 202, body: '' }
  expect(await calls['change of plan'](engineOf('1.1'))).toEqual({ state: 'waiting' })
  reply = { status: 200, body: '' }
  expect(await calls['change of plan'](engineOf('1.1'))).toEqual({ state: 'done' })
  expect(heard.at(-1)).toEqual({
    call: 'POST /v1/panels/p-5/plan',
    body: { plan: 'big', change_id: 'c-1', actor },
  })
})

test('a list that answers with panels of others has none of them deleted', async () => {
  reply = { body: page({ ...listed, id: 'p-6', panel_id: 6 }) }
  expect(await engineOf('1.1').deletePanel({ ...panel, externalId: null })).toBe(true)
  expect(heard.map(({ call }) => call)).toEqual(['GET /v1/panels?panel_id=5'])
})

test('an engine of 1.1 gets the actor, and only one that asks for it the owner’s address', async () => {
  reply = { body: JSON.stringify(shown) }
  await engineOf('1.1').createPanel(panel)
  await engineOf('1.1', {}).createPanel(panel)
  await engineOf('1.1').updatePanel('p-5', { name: 'shop', actor })
  await engineOf('1.1').suspendPanel('p-5', 'unpaid')
  await engineOf('1.1').unsuspendPanel('p-5')
  await engineOf('1.1').deletePanel({ ...panel, externalId: 'p-5' })
  await engineOf('1.1').revokeSubject('p-5', 'client-9')
  const bare = { subject: 'client-1', display_name: 'Ana Marin' }
  const asked = { panel_id: 5, name: 'shop', plan: 'web', region: null, domain: 'shop.example.com', actor }
  expect(heard.map(({ body }) => body)).toEqual([
    { ...asked, owner: { ...bare, email: 'ana@example.com' } },
    { ...asked, owner: bare },
    { name: 'shop', actor },
    { reason: 'unpaid', actor: system },
    { actor: system },
    null,
    null,
  ])
  expect(heard.slice(-2).map(({ call }) => call)).toEqual([
    'DELETE /v1/panels/p-5?actor=client-7&kind=guest',
    'DELETE /v1/panels/p-5/subjects/client-9?kind=system',
  ])
})

test('an engine of 1.0 is sent what 1.0 has, and what it says beyond is not read', async () => {
  const old = engineOf('1.0')
  reply = { body: JSON.stringify({ ...shown, domain: 5 }) }
  expect(await old.createPanel(panel)).toMatchObject({ refused: false, externalId: 'p-5' })
  await old.updatePanel('p-5', { name: 'shop', actor })
  await old.suspendPanel('p-5', 'unpaid')
  await old.unsuspendPanel('p-5')
  await old.deletePanel({ ...panel, externalId: null })
  await old.revokeSubject('p-5', 'client-9')
  const asked = { panel_id: 5, name: 'shop', plan: 'web', region: null }
  const made = { ...asked, owner: { subject: 'client-1', display_name: 'Ana Marin' } }
  expect(heard).toEqual([
    { call: 'POST /v1/panels', body: made },
    { call: 'PATCH /v1/panels/p-5', body: { name: 'shop' } },
    { call: 'POST /v1/panels/p-5/suspend', body: { reason: 'unpaid' } },
    { call: 'POST /v1/panels/p-5/unsuspend', body: null },
    // The answer to the creation may have been lost, so the call is repeated to learn the id.
    { call: 'POST /v1/panels', body: made },
    { call: 'DELETE /v1/panels/p-5', body: null },
    { call: 'DELETE /v1/panels/p-5/subjects/client-9', body: null },
  ])
})

test.each(['1.0', '1.1'])('an engine of %s is not called for undeclared capabilities', async (contract) => {
  const engine = engineOf(contract, contract === '1.0' ? all : {})
  for (const call of Object.values(calls)) await expect(call(engine)).rejects.toThrow(/does not offer/)
  expect(heard).toEqual([])
})

const day = Array(288).fill(1)
const measured = {
  start: '2026-03-01T10:00:00Z',
  step_seconds: 300,
  cpu_percent: day,
  memory_gb: day,
  disk_gb: day,
  out_mb: day,
}
const done = {
  id: 'a-1',
  at: '2026-03-01T10:00:00Z',
  actor,
  label: null,
  action: 'renamed',
  target: null,
  ip: null,
}

test.each([
  ['a day of three values', 'series', JSON.stringify({ ...measured, out_mb: [1, 2, 3] })],
  ['a million values', 'series', JSON.stringify({ ...measured, out_mb: Array(100_000).fill(1) })],
  ['a processor at 101 %', 'series', JSON.stringify({ ...measured, cpu_percent: day.with(0, 101) })],
  ['another step', 'series', JSON.stringify({ ...measured, step_seconds: 1 })],
  ['an act with a story', 'audit', page({ ...done, action: 'x'.repeat(61) })],
  ['an act of nobody', 'audit', page({ ...done, actor: null })],
  ['an address that is a name', 'audit', page({ ...done, ip: 'localhost' })],
  ['more acts than a page', 'audit', JSON.stringify({ items: Array(101).fill(done), next: null })],
] as const)('%s in the answer to a look is a failure', async (_what, name, body) => {
  reply = { body }
  await expect(calls[name](engineOf('1.1'))).rejects.toThrow(/odd GET .*not in the contract/)
})

test('the last day and the audit are asked for by kind, id and cursor', async () => {
  reply = { body: JSON.stringify(measured) }
  expect(await calls.series(engineOf('1.1'))).toEqual(measured)
  reply = { status: 404, body: '' }
  expect(await calls.series(engineOf('1.1'))).toBeUndefined()
  reply = { body: page(done) }
  expect(await calls.audit(engineOf('1.1'))).toEqual({ items: [done], next: null })
  expect(heard.map(({ call }) => call)).toEqual([
    'GET /v1/panels/p-5/series?kind=server&resource=s-1',
    'GET /v1/panels/p-5/series?kind=server&resource=s-1',
    'GET /v1/panels/p-5/audit?cursor=c+1',
  ])
})

const machine = {
  kind: 'server',
  id: 's-1',
  name: 'web-1',
  status: 'running',
  region: null,
  spec: { ipv4: null, vcpus: 1, memory_gb: 1, disk_gb: 1, cpu_percent: 1 },
}

test.each([
  ['nothing', ''],
  ['another server', JSON.stringify({ ...machine, id: 's-2' })],
  ['a domain', JSON.stringify({ ...machine, kind: 'domain', spec: { mailboxes: 1, tls_expires_on: null } })],
  ['a state of its own', JSON.stringify({ ...machine, status: 'rebooting' })],
  ['arrays in arrays', deep],
])('%s in the answer to a restart is a failure: nobody knows what was done', async (_what, body) => {
  reply = { body }
  await expect(calls.power(engineOf('1.1'))).rejects.toThrow(/odd|The engine/)
})

test('the first page of a list is asked for as it is signed', async () => {
  reply = { body: page(listed) }
  await calls.list(engineOf('1.1'))
  expect(heard.map(({ call }) => call)).toEqual(['GET /v1/panels'])
})

test('a restart is done, under way or refused, and tells the engine who asked', async () => {
  reply = { body: JSON.stringify(machine) }
  expect(await calls.power(engineOf('1.1'))).toMatchObject({ state: 'done', server: { externalId: 's-1' } })
  expect(heard.at(-1)).toEqual({
    call: 'POST /v1/panels/p-5/servers/s-1/power',
    body: { action: 'restart', force: false, request_id: 'r-1', actor },
  })
  reply = { status: 202, body: '' }
  expect(await calls.power(engineOf('1.1'))).toEqual({ state: 'waiting' })
  reply = { status: 409, body: '{"error":{"code":"busy","message":"A backup runs."}}' }
  expect(await calls.power(engineOf('1.1'))).toEqual({ state: 'refused', code: 'busy' })
  reply = { status: 404, body: '<html>' }
  expect(await calls.power(engineOf('1.1'))).toEqual({ state: 'refused', code: 'refused' })
})

const reason = { code: 'load', since: '2026-03-01T10:00:00Z' }
const things = (more: object, spec: object = {}) =>
  page({
    kind: 'server',
    id: 's-1',
    name: 'web-1',
    status: 'running',
    region: null,
    spec: { ipv4: null, vcpus: 1, memory_gb: 1, disk_gb: 1, cpu_percent: 1, ...spec },
    ...more,
  })

test.each([
  ['a reason without its beginning', things({ reasons: [{ code: 'load' }] })],
  [
    'a reason that began before there were engines',
    things({ reasons: [{ ...reason, since: '0001-01-01T00:00:00Z' }] }),
  ],
  ['a reason with a story', things({ reasons: [{ ...reason, text: 'x'.repeat(301) }] })],
  ['a reason about a path', things({ reasons: [{ ...reason, resource: 'server/../../x' }] })],
  ['more reasons than there can be', things({ reasons: Array(21).fill(reason) })],
  ['an address with markup', things({}, { ipv6: '<b>' })],
  ['addresses without end', things({}, { addresses: Array(21).fill('192.0.2.1') })],
  ['a memory below nothing', things({}, { memory_used_gb: -1 })],
  ['a verb that there is not', things({}, { power: ['explode'] })],
])('%s in a list of servers is a failure at 1.1, and means nothing at 1.0', async (_what, body) => {
  reply = { body }
  await expect(engineOf('1.1').listResources('p-5', 'server')).rejects.toThrow(/not in the contract/)
  const { items } = await engineOf('1.0').listResources('p-5', 'server')
  expect(items).toEqual([expect.not.objectContaining({ reasons: expect.anything() })])
  expect(Object.keys(items[0]?.spec ?? {})).toEqual(['ipv4', 'vcpus', 'memory_gb', 'disk_gb', 'cpu_percent'])
})

const shownPanel = (more: object) =>
  JSON.stringify({
    ...{ id: 'p-5', panel_id: 5, name: 'shop', plan: null, status: 'provisioning', region: null },
    ...more,
  })

test.each([
  ['progress', 101],
  ['progress', -1],
  ['progress', 0.5],
  ['progress', '40'],
  ['login_url', 'javascript:alert(1)'],
  ['login_url', 'sign-in'],
  ['login_url', `https://e.example/${'x'.repeat(2000)}`],
  ['created_at', 'yesterday'],
])('a panel whose %s is %j is a failure at 1.1, and means nothing at 1.0', async (word, value) => {
  reply = { body: shownPanel({ [word]: value }) }
  await expect(engineOf('1.1').readPanel('p-5')).rejects.toThrow(new RegExp(`not in the contract.*${word}`))
  const before = { status: 'provisioning', loginUrl: null }
  const read = await engineOf('1.0').readPanel('p-5')
  expect(read).toMatchObject(before)
  expect(read).not.toHaveProperty('progress')
})

test('a panel says how much of it is made and where people sign in, when it is made and when it is read', async () => {
  const said = { progress: 40, login_url: 'https://e.example/login' }
  reply = { body: shownPanel(said) }
  const heard = { status: 'provisioning', progress: 40, loginUrl: said.login_url }
  expect(await engineOf('1.1').createPanel(panel)).toMatchObject(heard)
  expect(await engineOf('1.1').readPanel('p-5')).toMatchObject(heard)
})

test('a word for a reason that we do not know is another problem', async () => {
  reply = { body: things({ reasons: [{ ...reason, code: 'gremlins' }] }) }
  const { items } = await engineOf('1.1').listResources('p-5', 'server')
  expect(items[0]?.reasons).toEqual([{ ...reason, code: 'other' }])
})

const health = (more: object) => ({
  status: 'ok',
  version: '1',
  capabilities: { ...leastCapabilities, ...more },
})

test.each([
  ['1.1', '1.1'],
  ['1.7', '1.7'],
  ['1.0', '1.0'],
  ['2.0', '1.0'],
  [undefined, '1.0'],
])('an engine that says it speaks %s is spoken to in %s', async (contract, spoken) => {
  reply = { body: JSON.stringify({ ...health({ check: true }), contract }) }
  expect((await engineOf('1.0').health()).contract).toBe(spoken)
})

test.each([['many'], [[{ code: 'maintenance' }]], [Array(21).fill(reason)]])(
  'an engine of 1.1 whose reasons are %j is down, and one of 1.0 gives none',
  async (reasons) => {
    reply = { body: JSON.stringify({ ...health({}), contract: '1.1', reasons }) }
    await expect(engineOf('1.1').health()).rejects.toThrow(/not in the contract.*reasons/)
    reply = { body: JSON.stringify({ ...health({}), reasons }) }
    expect(await engineOf('1.1').health()).not.toHaveProperty('reasons')
  },
)

test.each([
  ['read_seconds', 1],
  ['read_seconds', 1e9],
  ['domain', 'sometimes'],
  ['regions', [{ code: 'eu', name: 'x'.repeat(81), open: true }]],
  ['plan_details', [{ code: 'a', name: 'A', domain: 'none', regions: [], limits: { servers: -1 } }]],
])('an engine of 1.1 whose %s is %j is down, and says which word is wrong', async (word, value) => {
  reply = { body: JSON.stringify({ ...health({ [word]: value }), contract: '1.1' }) }
  await expect(engineOf('1.1').health()).rejects.toThrow(new RegExp(`not in the contract.*${word}`))
  reply = { body: JSON.stringify(health({ [word]: value })) }
  expect((await engineOf('1.1').health()).capabilities).not.toHaveProperty(word)
})

import { expect, test } from 'vitest'
import { addZone } from '../dns/zones.ts'
import { openFake } from '../fake/open.ts'
import { createPanel } from '../panels/making.ts'
import { suspendPanel } from '../panels/suspension.ts'
import { readPanel, setWords } from '../panels/truth.ts'
import { answerConsole } from './door.ts'

const owner = { subject: 'client-1', display_name: 'Ana' }
const asked = { panel_id: 7, name: 'Shop', plan: 'small', region: null, domain: 'shop.example.com', owner }
const id = 'portico-7'

/** A panel with two domains, and somebody at its page. */
async function visiting(scopes: readonly string[], domains: readonly string[] | null = null) {
  const { host, lxd, dns } = await openFake()
  await createPanel(host, asked)
  await addZone(host, await readPanel(host, id), 'other.example.net')
  const about = { scopes, domains, role: 'guest' }
  const token = host.store.addLink({ panel: id, subject: 'client-2', about }, Date.now() + 60_000)
  const send = (target: string, body: object) =>
    answerConsole(host, { method: 'POST', target, headers: {}, body: JSON.stringify(body) })
  const { session } = Object((await send('/enter', { token })).body)
  const ask = async (target: string, body: object = {}) => {
    const { status, body: said } = await send(target, { ...body, session })
    return { status, body: Object(said) }
  }
  return { host, lxd, dns, ask, send, token }
}

test('a link opens once', async () => {
  const { send, token, ask } = await visiting([])
  expect((await ask('/panel')).body).toMatchObject({ name: 'Shop', scopes: [] })
  expect((await send('/enter', { token })).status).toBe(410)
})

test.each([
  [[], []],
  [['account_access'], ['/servers', '/servers/power', '/activity']],
  [['domain_access'], ['/zones', '/zones/read']],
  [['create_email'], []],
])('with the scopes %j the page may ask %j', async (scopes, open) => {
  const { ask } = await visiting(scopes)
  const all = [
    '/servers',
    '/servers/add',
    '/servers/power',
    '/servers/terminal',
    '/servers/remove',
    '/clusters/add',
    '/clusters/remove',
    '/activity',
    '/zones',
    '/zones/read',
    '/zones/add',
    '/zones/remove',
  ]
  const body = { server: 'web-1', action: 'start', zone: 'shop.example.com' }
  const allowed: string[] = []
  for (const target of all) if ((await ask(target, body)).status !== 403) allowed.push(target)
  const also = scopes.includes('account_access')
    ? ['/servers/add', '/servers/terminal', '/servers/remove', '/clusters/add', '/clusters/remove']
    : []
  expect(allowed.toSorted()).toEqual([...open, ...also].toSorted())
})

test('a guest of one domain sees and changes that alone', async () => {
  const { ask } = await visiting(['domain_access'], ['shop.example.com'])
  expect((await ask('/zones')).body.zones).toEqual(['shop.example.com'])
  expect((await ask('/zones/read', { zone: 'other.example.net' })).status).toBe(404)
  const record = { zone: 'other.example.net', name: 'other.example.net', type: 'A', contents: ['192.0.2.1'] }
  expect((await ask('/zones/record', record)).status).toBe(404)
})

test('records that run code are refused', async () => {
  const { ask } = await visiting(['domain_access'])
  const record = { zone: 'shop.example.com', name: 'shop.example.com', type: 'LUA', contents: ['A "1"'] }
  expect(await ask('/zones/record', record)).toMatchObject({
    status: 422,
    body: { error: { code: 'record_invalid' } },
  })
})

test('the domain of another panel is not added', async () => {
  const { host, ask } = await visiting(['domain_access', 'create_domains'])
  await createPanel(host, { ...asked, panel_id: 8, domain: 'taken.example.org' })
  expect((await ask('/zones/add', { zone: 'www.taken.example.org' })).body.error.code).toBe('domain_taken')
  expect((await ask('/zones/add', { zone: 'free.example.org' })).status).toBe(200)
})

test('servers are added within the plan', async () => {
  const { lxd, ask } = await visiting(['account_access'])
  const add = async (server: string) =>
    (await ask('/servers/add', { server, size: 's' })).body.error?.code ?? 'added'
  expect([await add('web-1'), await add('Web_2'), await add('web-2'), await add('web-3')]).toEqual([
    'name_taken',
    'name_invalid',
    'added',
    'limit_exceeded',
  ])
  expect([...lxd.servers.keys()]).toEqual([`${id}/web-1`, `${id}/web-2`])
})

test('a server is deleted with the name given, and a node of a cluster is not', async () => {
  const { host, lxd, ask } = await visiting(['account_access'])
  await createPanel(host, { ...asked, panel_id: 9, plan: 'large', domain: null })
  expect((await ask('/servers/remove', { server: 'web-2' })).status).toBe(404)
  expect((await ask('/servers/remove', { server: 'web-1' })).status).toBe(200)
  expect([...lxd.servers.keys()].filter((key) => key.startsWith(`${id}/`))).toEqual([])
  const { store } = host
  expect(store.audit(id, Number.MAX_SAFE_INTEGER, 1)[0]).toMatchObject({ action: 'deleted', target: 'web-1' })
})

test('a cluster is added within the plan and deleted whole, and its nodes by no other way', async () => {
  const { host, lxd, ask } = await visiting(['account_access'])
  const cluster = { cluster: 'db', nodes: '3', size: 's' }
  const add = async (more: object = {}) =>
    (await ask('/clusters/add', { ...cluster, ...more })).body.error?.code ?? 'added'
  expect(await add()).toBe('limit_exceeded')
  await setWords(host, id, { plan: 'large' })
  expect([await add({ nodes: '9' }), await add({ cluster: 'Db' }), await add({ size: 'x' })]).toEqual([
    'invalid',
    'name_invalid',
    'name_invalid',
  ])
  expect([await add(), await add(), await add({ cluster: 'web', nodes: '1' })]).toEqual([
    'added',
    'name_taken',
    'name_taken',
  ])
  expect((await ask('/servers')).body.clusters).toMatchObject([{ name: 'db', spec: { nodes: 3 } }])
  expect((await ask('/servers/remove', { server: 'db-1' })).status).toBe(404)
  expect((await ask('/clusters/remove', { cluster: 'other' })).status).toBe(404)
  expect((await ask('/clusters/remove', { cluster: 'db' })).status).toBe(200)
  expect([...lxd.servers.keys()]).toEqual([`${id}/web-1`])
})

test('a domain is deleted by who may add some, and of those that the link names alone', async () => {
  const { dns, ask } = await visiting(['domain_access', 'create_domains'], ['shop.example.com'])
  expect((await ask('/zones/remove', { zone: 'other.example.net' })).status).toBe(404)
  expect((await ask('/zones/remove', { zone: 'shop.example.com' })).status).toBe(200)
  expect([...dns.zones.keys()]).toEqual(['other.example.net.'])
})

test('what somebody did is in the activity under their name', async () => {
  const { host, ask } = await visiting(['account_access'])
  await ask('/servers/power', { server: 'web-1', action: 'stop' })
  expect(host.store.audit(id, Number.MAX_SAFE_INTEGER, 1)[0]).toMatchObject({
    actor: JSON.stringify({ subject: 'client-2', kind: 'guest' }),
    action: 'stop',
    target: 'web-1',
  })
})

test('a suspension ends the session, and a revocation too', async () => {
  const suspended = await visiting(['account_access'])
  await suspendPanel(suspended.host, id, 'unpaid')
  expect((await suspended.ask('/panel')).status).toBe(401)
  const revoked = await visiting(['account_access'])
  revoked.host.store.endVisits(id, 'client-2')
  expect((await revoked.ask('/panel')).status).toBe(401)
  const left = await visiting(['account_access'])
  await left.ask('/leave')
  expect((await left.ask('/panel')).status).toBe(401)
})

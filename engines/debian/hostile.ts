import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import WebSocket from 'ws'
import { openOutside, privateAddresses, world } from './chaos/outside.ts'
import { ask, settings } from './chaos/portal.ts'
import { giveCertificate } from './chaos/tools.ts'

// Tries from inside a server what a hostile customer would, with the real daemons: reaching other panels, the host and
// private networks, and using the page after access has ended. It makes two panels and deletes them.

const execute = promisify(execFile)
const [attacker, victim] = [710_000_001, 710_000_002]
let passed = 0
let failed = 0

function look(about: string, holds: boolean): void {
  if (holds) passed += 1
  else failed += 1
  console.log(`${holds ? 'ok    ' : 'FAILED'} ${about}`)
}

const idOf = (panel: number) => `${settings.prefix}${panel}`

/** Whether a command in a server of the attacker succeeds. */
async function succeeds(command: string): Promise<boolean> {
  const args = ['exec', '--project', idOf(attacker), 'web-1', '--', 'sh', '-c', command]
  return execute('lxc', args, { timeout: 15_000 }).then(
    () => true,
    () => false,
  )
}

const opens = (address: string, port: number) => succeeds(`nc -w 2 ${address} ${port} </dev/null`)

async function addressOf(panel: number, kind: string): Promise<string> {
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(300)) {
    const answer = await ask('GET', `/v1/panels/${idOf(panel)}/resources?kind=${kind}`)
    const items: { spec: { ipv4: string | null } }[] = Array.isArray(answer?.body.items)
      ? answer.body.items
      : []
    if (items[0]?.spec.ipv4) return items[0].spec.ipv4
  }
  throw new Error(`${idOf(panel)} has no address`)
}

async function node(): Promise<string> {
  const args = [
    'exec',
    '--project',
    idOf(attacker),
    'cluster-1-1',
    '--',
    'ip',
    '-4',
    '-o',
    'addr',
    'show',
    'eth0',
  ]
  const { stdout } = await execute('lxc', args)
  return /inet ([\d.]+)/.exec(stdout)?.[1] ?? ''
}

const gatewayOf = (address: string) => address.replace(/\.\d+$/, '.1')

async function fromHost(address: string): Promise<boolean> {
  const socket = connect({ host: address, port: 80, timeout: 3000 })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket.on('connect', () => resolve(true))
  socket.on('error', () => resolve(false))
  socket.on('timeout', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

/** The world is reached, and of what is private and within reach of the host nothing is. */
async function outside(): Promise<void> {
  const close = openOutside()
  if (!close) {
    console.log('-      private networks: there are no network namespaces here')
    return
  }
  try {
    await sleep(500)
    look('the world is reached', await opens(world, 80))
    for (const address of privateAddresses)
      look(
        `${address} is reached by the host and not by a server`,
        (await fromHost(address)) && !(await opens(address, 80)),
      )
  } finally {
    close()
  }
}

async function network(): Promise<void> {
  const server = createServer((socket) => socket.end('x')).listen(0, '0.0.0.0')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const [own, other] = [await addressOf(attacker, 'server'), await addressOf(victim, 'server')]
  const outer = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal && !one.address.startsWith('10.'))
  look('a server reaches the others of its own panel', await opens(await node(), 80))
  look('a server of another panel is not reached', !(await opens(other, 80)))
  look('nor does it answer an echo', !(await succeeds(`ping -c 1 -W 1 ${other}`)))
  look('the host is not reached at the own bridge', !(await opens(gatewayOf(own), port)))
  look('the host is not reached at the bridge of another', !(await opens(gatewayOf(other), port)))
  if (outer) look('the host is not reached at its own address', !(await opens(outer.address, port)))
  look('the name server of the own panel answers', await succeeds(`nslookup web-1.lxd ${gatewayOf(own)}`))
  look('the name server of another is not asked', !(await succeeds(`nslookup web-1.lxd ${gatewayOf(other)}`)))
  await outside()
  look('root in a server is nobody on the host', await succeeds("! grep -q ' 0 *0 ' /proc/self/uid_map"))
  look('no device can be made', !(await succeeds('mknod /tmp/disk b 8 0')))
  look('the kernel cannot be set', !(await succeeds('echo 1 >/proc/sys/kernel/panic')))
  server.close()
}

async function enter(subject: string): Promise<string> {
  const body = {
    subject,
    display_name: 'A',
    role: 'guest',
    scopes: ['account_access'],
    domains: null,
    client_ip: null,
  }
  const answer = await ask('POST', `/v1/panels/${idOf(attacker)}/sso`, { ...body, ttl_seconds: 60 })
  const opened = await fetch(String(answer?.body.url), { redirect: 'manual' })
  return opened.headers.get('set-cookie')?.split(';')[0] ?? ''
}

const headersOf = (cookie: string) => ({ cookie, origin: settings.console })

/** What the page answers to a call. */
async function answerTo(cookie: string, path: string, body: object = {}): Promise<number> {
  const init = { method: 'POST', headers: headersOf(cookie), body: JSON.stringify(body) }
  return (await fetch(`${settings.console}/api${path}`, init)).status
}
const mayEnter = async (cookie: string) => (await answerTo(cookie, '/panel')) === 200

/** The calls of the page that need access to the accounts of a panel; none of them is to be done. */
const calls: readonly (readonly [string, object])[] = [
  ['/panel', {}],
  ['/servers', {}],
  ['/servers/add', { server: 'evil', size: 's' }],
  ['/servers/remove', { server: 'web-1' }],
  ['/servers/power', { server: 'web-1', action: 'stop' }],
  ['/servers/series', { server: 'web-1' }],
  ['/clusters/add', { cluster: 'evil', nodes: '1', size: 's' }],
  ['/clusters/remove', { cluster: 'cluster-1' }],
  ['/activity', {}],
]
async function allRefused(cookie: string): Promise<boolean> {
  const answers = await Promise.all(calls.map(([path, body]) => answerTo(cookie, path, body)))
  return answers.every((status) => status === 401)
}

/** A terminal in a server; undefined when the page refuses it. */
async function terminal(cookie: string): Promise<WebSocket | undefined> {
  const url = `${settings.console.replace(/^http/, 'ws')}/terminal/web-1`
  const socket = new WebSocket(url, { headers: headersOf(cookie) })
  const { promise, resolve } = Promise.withResolvers<WebSocket | undefined>()
  socket.on('open', () => resolve(socket))
  socket.on('error', () => resolve(undefined))
  return promise
}

/** Whether a terminal runs what is typed there. */
async function runs(socket: WebSocket): Promise<boolean> {
  let seen = ''
  socket.on('message', (chunk) => {
    seen += String(chunk)
  })
  for (let tries = 0; tries < 40 && !seen.includes('answer-42'); tries++) {
    if (socket.readyState !== WebSocket.OPEN) return false
    if (tries % 10 === 0) socket.send(Buffer.from('echo answer-$((6*7))\n'))
    await sleep(200)
  }
  return seen.includes('answer-42')
}

/** Whether a terminal closes within the time in which the page looks at access twice. */
async function closes(socket: WebSocket): Promise<boolean> {
  for (const end = Date.now() + 12_000; Date.now() < end; await sleep(200))
    if (socket.readyState === WebSocket.CLOSED) return true
  return false
}

async function revoked(guest: string, owner: string, [theirs, owners]: readonly WebSocket[]): Promise<void> {
  await ask('DELETE', `/v1/panels/${idOf(attacker)}/subjects/client-2`)
  look(
    'after revocation it does not, and that of another does',
    !(await mayEnter(guest)) && (await mayEnter(owner)),
  )
  look('after revocation every call of the page is refused', await allRefused(guest))
  look('after revocation no terminal opens', (await terminal(guest)) === undefined)
  look('after revocation an open terminal closes', theirs !== undefined && (await closes(theirs)))
  look('and that of another goes on', owners !== undefined && (await runs(owners)))
}

async function suspended(owner: string, owners: WebSocket | undefined): Promise<void> {
  await ask('POST', `/v1/panels/${idOf(attacker)}/suspend`, { reason: 'unpaid' })
  look('a suspended panel opens to nobody', !(await mayEnter(owner)))
  look('in a suspended panel every call of the page is refused', await allRefused(owner))
  look('in a suspended panel no terminal opens', (await terminal(owner)) === undefined)
  look('in a suspended panel an open terminal closes', owners !== undefined && (await closes(owners)))
  const at = `/v1/panels/${idOf(attacker)}`
  const actor = { subject: 'client-1', kind: 'owner' }
  const asks: readonly (readonly [string, object])[] = [
    ['/servers/web-1/power', { action: 'start', force: false, request_id: 'hostile-1', actor }],
    ['/plan', { plan: 'small', change_id: 'hostile-1', actor }],
    [
      '/sso',
      { subject: 'client-1', display_name: 'A', role: 'owner', scopes: [], domains: null, ttl_seconds: 60 },
    ],
  ]
  const answers = await Promise.all(asks.map(([path, body]) => ask('POST', at + path, body)))
  look(
    'in a suspended panel power, plans and links are refused',
    answers.every((answer) => answer?.status === 409),
  )
  const listed = await ask('GET', `${at}/resources?kind=server`)
  const servers: { status: string }[] = Array.isArray(listed?.body.items) ? listed.body.items : []
  look(
    'no server of a suspended panel runs',
    servers.length > 0 && servers.every(({ status }) => status === 'stopped'),
  )
}

/** What a panel has, as the portal reads it. */
async function namesOf(kind: string): Promise<string> {
  const answer = await ask('GET', `/v1/panels/${idOf(attacker)}/resources?kind=${kind}`)
  const items: { name: string; status: string }[] = Array.isArray(answer?.body.items) ? answer.body.items : []
  return items.map(({ name, status }) => `${name} ${status}`).join()
}

/** What an owner does at the page shows at the portal. */
async function changes(owner: string): Promise<void> {
  await answerTo(owner, '/servers/add', { server: 'web-2', size: 's' })
  await answerTo(owner, '/clusters/add', { cluster: 'db', nodes: '2', size: 's' })
  look(
    'servers and clusters are added at the page, and run',
    (await namesOf('server')) === 'web-1 running,web-2 running' &&
      (await namesOf('cluster')) === 'cluster-1 running,db running',
  )
  await answerTo(owner, '/servers/remove', { server: 'web-2' })
  await answerTo(owner, '/clusters/remove', { cluster: 'db' })
  look(
    'and deleted there',
    (await namesOf('server')) === 'web-1 running' && (await namesOf('cluster')) === 'cluster-1 running',
  )
}

async function sessions(): Promise<void> {
  const [guest, owner] = [await enter('client-2'), await enter('client-1')]
  look('a session opens the page', (await mayEnter(guest)) && (await mayEnter(owner)))
  await changes(owner)
  const [theirs, owners] = [await terminal(guest), await terminal(owner)]
  look('a terminal runs what is typed', theirs !== undefined && (await runs(theirs)))
  const foreign = new WebSocket(`${settings.console.replace(/^http/, 'ws')}/terminal/web-1`, {
    headers: { cookie: owner, origin: 'https://elsewhere.example' },
  })
  const [refused] = await Promise.race([
    once(foreign, 'error'),
    once(foreign, 'open').then(() => [undefined]),
  ])
  look('the page of another opens no terminal', refused !== undefined)
  if (theirs && owners) await revoked(guest, owner, [theirs, owners])
  const answer = await giveCertificate(idOf(attacker))
  look('a certificate of LXD that the operator gave reaches the panel', (await answer()) === 200)
  await suspended(owner, owners)
  look('in a suspended panel it is refused', (await answer()) === 403)
}

const owner = { subject: 'client-1', display_name: 'A' }
for (const panel_id of [attacker, victim]) {
  const asked = { panel_id, name: 'Hostile', plan: 'large', region: null, domain: null, owner }
  await ask('POST', '/v1/panels', asked)
}
try {
  await network()
  await sessions()
} catch (error) {
  look(String(error), false)
}
for (const panel of [attacker, victim]) await ask('DELETE', `/v1/panels/${idOf(panel)}`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

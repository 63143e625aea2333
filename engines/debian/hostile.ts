import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ask, settings } from './chaos/portal.ts'

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
  look('metadata services are not reached', !(await opens('169.254.169.254', 80)))
  look('private networks are not reached', !(await opens('192.168.1.1', 80)))
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

async function mayEnter(cookie: string): Promise<boolean> {
  const headers = { cookie, origin: settings.console }
  return (await fetch(`${settings.console}/api/panel`, { method: 'POST', headers })).ok
}

async function sessions(): Promise<void> {
  const [guest, owner] = [await enter('client-2'), await enter('client-1')]
  look('a session opens the page', (await mayEnter(guest)) && (await mayEnter(owner)))
  await ask('DELETE', `/v1/panels/${idOf(attacker)}/subjects/client-2`)
  look(
    'after revocation it does not, and that of another does',
    !(await mayEnter(guest)) && (await mayEnter(owner)),
  )
  await ask('POST', `/v1/panels/${idOf(attacker)}/suspend`, { reason: 'unpaid' })
  look('a suspended panel opens to nobody', !(await mayEnter(owner)))
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

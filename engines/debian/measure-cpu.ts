import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { ask, settings } from './chaos/portal.ts'
import { Processes } from './chaos/processes.ts'

// `npm run measure:cpu -- --minutes 60`: one server computes, is restarted by the portal, ended by force and falls by itself,
// while the engine and LXD are killed; then the hours of CPU that the engine reported are compared with what the kernel
// counted. The daemons run already (host/up.sh); USAGE_SECONDS=60 keeps the wait at the end short.

const execute = promisify(execFile)
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } })
const seconds = Number(values.minutes) * 60
const mostOff = 0.02
const panel = 720_000_001
const id = `${settings.prefix}${panel}`
const processes = new Processes()

/** What the kernel has counted for the server, over all its runs. */
class Kernel {
  readonly #groups = new Map<string, number>()
  #ended = 0

  /** Both ways in which kernels keep groups. */
  #read(): Map<string, number> {
    const [first, second] = ['/sys/fs/cgroup/cpuacct', '/sys/fs/cgroup']
    const found = new Map<string, number>()
    for (const root of [first, second])
      for (const name of list(root).filter((one) => one.startsWith(`lxc.payload.${id}_web-1`))) {
        const at = `${root}/${name}`
        const old = textOf(`${at}/cpuacct.usage`)
        const now = /usage_usec (\d+)/.exec(textOf(`${at}/cpu.stat`))?.[1]
        if (old !== '') found.set(at, Number(old) / 1e9)
        else if (now !== undefined) found.set(at, Number(now) / 1e6)
      }
    return found
  }

  look(): void {
    const now = this.#read()
    for (const [at, before] of this.#groups)
      if ((now.get(at) ?? 0) < before) {
        this.#ended += before
        this.#groups.delete(at)
      }
    for (const [at, counted] of now) this.#groups.set(at, counted)
  }

  get seconds(): number {
    return [...this.#groups.values()].reduce((sum, counted) => sum + counted, this.#ended)
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** The portal's end: each event once, and how far the engine says that it is complete. */
const hours = new Map<string, number>()
let through = 0
async function listen(): Promise<() => void> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const said = JSON.parse(Buffer.concat(chunks).toString())
    if (request.url === '/engine/v1/usage')
      for (const { id: event, data } of said) {
        const { resource, meter, quantity } = data
        if (resource === 'server/web-1' && meter === 'cpu_hours') hours.set(event, Number(quantity))
      }
    if (request.url === '/engine/v1/watermark') through = Date.parse(said.through)
    response.end('{}')
  }).listen(Number(new URL(settings.portal ?? '').port), '127.0.0.1')
  await once(server, 'listening')
  return () => server.close()
}

const inServer = (...command: string[]) =>
  execute('lxc', ['exec', '--project', id, 'web-1', '--', ...command])
/** Some seconds of work, some of rest. */
const work = 'while :; do timeout $((1 + RANDOM % 3)) sh -c "while :; do :; done"; sleep 4; done'
const compute = () => inServer('sh', '-c', `setsid sh -c '${work}' >/dev/null 2>&1 </dev/null &`)

async function power(action: 'start' | 'stop' | 'restart', force = false): Promise<void> {
  const actor = { subject: null, kind: 'system' }
  const body = { action, force, request_id: randomUUID(), actor }
  const answer = await ask('POST', `/v1/panels/${id}/servers/web-1/power`, body)
  if (answer?.status !== 200) throw new Error(`${action}: ${JSON.stringify(answer)}`)
}

async function fall(): Promise<void> {
  const { stdout } = await execute('lxc', ['query', `/1.0/instances/web-1/state?project=${id}`])
  process.kill(Number(JSON.parse(stdout).pid), 'SIGKILL')
  await sleep(3000)
  await power('start')
}

const acts: readonly (readonly [said: string, act: () => Promise<void>, isRestart: boolean])[] = [
  ['restarted by the portal', () => power('restart'), true],
  ['engine killed, back after 8 s', () => processes.kill('main', 8000), false],
  ['restarted by force', () => power('restart', true), true],
  ['LXD killed, back after 8 s', () => processes.kill('lxd', 8000), false],
  ['fell by itself, and was started', fall, true],
]

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 120_000; !(await holds()); await sleep(500))
    if (Date.now() > end) throw new Error('The panel is neither made nor deleted in two minutes.')
}

async function compare(kernel: Kernel): Promise<boolean> {
  await power('stop')
  const stopped = Date.now()
  const patience = stopped + (3 * settings.usageSeconds + 2 * settings.sampleSeconds) * 1000
  while (through < stopped && Date.now() < patience) await sleep(1000)
  const counted = [...hours.values()].reduce((sum, quantity) => sum + quantity * 3600, 0)
  const off = counted / kernel.seconds - 1
  console.log(
    `${values.minutes} min: the kernel counted ${kernel.seconds.toFixed(1)} s of CPU, the engine ${counted.toFixed(1)} s in ${hours.size} intervals: ${(off * 100).toFixed(2)} %`,
  )
  return through >= stopped && Math.abs(off) <= mostOff
}

async function measure(): Promise<boolean> {
  const owner = { subject: 'client-1', display_name: 'A' }
  const made = { panel_id: panel, name: 'CPU', plan: 'small', region: null, domain: null, owner }
  await until(async () => (await ask('POST', '/v1/panels', made))?.body.status === 'active')
  const kernel = new Kernel()
  const looking = setInterval(() => kernel.look(), 200)
  await compute()
  for (const [said, act, isRestart] of acts) {
    await sleep((seconds / (acts.length + 1)) * 1000)
    await act()
    if (isRestart) await compute()
    console.log(`${new Date().toISOString()} ${said}; the kernel counted ${kernel.seconds.toFixed(1)} s`)
  }
  await sleep((seconds / (acts.length + 1)) * 1000)
  const isNear = await compare(kernel)
  clearInterval(looking)
  return isNear
}

const stop = await listen()
await processes.startMain()
const isNear = await measure().catch((error: unknown) => {
  console.error(error)
  return false
})
await until(async () => (await ask('DELETE', `/v1/panels/${id}`))?.status === 404)
processes.endMain()
stop()
console.log(isNear ? '1 passed, 0 failed' : '0 passed, 1 failed')
process.exit(isNear ? 0 : 1)

import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { ask, settings } from './chaos/portal.ts'
import { Processes } from './chaos/processes.ts'
import { receive } from './chaos/receiver.ts'

// Compares the CPU-hours that are sent to the portal with the kernel's own counter of a server under load, through restarts
// of the server and kills of the engine: `host/try.sh node engines/debian/cpu-hours.ts --minutes 60`.

const execute = promisify(execFile)
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    restarts: { type: 'string', default: '3' },
    kills: { type: 'string', default: '2' },
  },
})
const [minutes, restarts, kills] = [values.minutes, values.restarts, values.kills].map(Number) as [
  number,
  number,
  number,
]
const panel = 720_000_001
const id = `${settings.prefix}${panel}`
const mostOff = 0.02
const patienceMs = 120_000

/** The seconds that the kernel counted for the server's present run; undefined while it has no group. */
function kernelSeconds(): number | undefined {
  const group = `lxc.payload.${id}_web-1`
  const first = `/sys/fs/cgroup/cpuacct/${group}/cpuacct.usage`
  if (existsSync(first)) return Number(readFileSync(first, 'utf8')) / 1e9
  const second = `/sys/fs/cgroup/${group}/cpu.stat`
  const usage = existsSync(second) ? /usage_usec (\d+)/.exec(readFileSync(second, 'utf8'))?.[1] : undefined
  return usage === undefined ? undefined : Number(usage) / 1e6
}

/** Reads the kernel ten times a second, so that the last reading before a restart misses next to nothing. */
class Kernel {
  #before = 0
  #now = 0

  look(): void {
    const seconds = kernelSeconds() ?? this.#now
    // The counter of a new run begins at nothing.
    if (seconds < this.#now) this.#before += this.#now
    this.#now = seconds
  }

  get seconds(): number {
    return this.#before + this.#now
  }
}

/** A load that comes and goes: bursts, rests, and small tasks. */
const load = 'while :; do for i in $(seq 40000); do :; done; ls -R /bin >/dev/null; sleep 1; done'

/** Repeats what fails while a busy machine has not come so far yet. */
async function insist<T>(act: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + patienceMs; ; await sleep(1000)) {
    const done = await act().catch(() => undefined)
    if (done !== undefined) return done
    if (Date.now() > end) throw new Error('Nothing came of it.')
  }
}

async function burden(): Promise<void> {
  const args = ['exec', '--project', id, 'web-1', '--', 'sh', '-c', `(${load}) >/dev/null 2>&1 </dev/null &`]
  await insist(() => execute('lxc', args, { timeout: 30_000 }))
}

async function restart(): Promise<void> {
  const actor = { subject: null, kind: 'system' }
  const body = { action: 'restart', force: false, request_id: randomUUID(), actor }
  // One request, asked again until it is answered: it restarts once.
  const { status } = await insist(() => ask('POST', `/v1/panels/${id}/servers/web-1/power`, body))
  console.log(`restarted: ${status}`)
  await burden()
}

const sent = new Map<string, number>()
const stop = await receive(
  ({ id: usage, subject, data }) => {
    if (subject !== `panel/${panel}`) return
    if (data.resource === 'server/web-1' && data.meter === 'cpu_hours') sent.set(usage, Number(data.quantity))
  },
  () => Math.random() < 0.2,
)
const processes = new Processes()
await processes.startMain()
const kernel = new Kernel()
const looking = setInterval(() => kernel.look(), 100)
const owner = { subject: 'client-1', display_name: 'A' }
const asked = { panel_id: panel, name: 'CPU', plan: 'small', region: null, domain: null, owner }
await insist(() => ask('POST', '/v1/panels', asked))
await burden()

const acts = [
  ...Array.from({ length: restarts }, (_, at) => ({ at: (at + 1) / (restarts + 1), act: restart })),
  ...Array.from({ length: kills }, (_, at) => ({
    at: (at + 0.6) / kills,
    act: async () => {
      await processes.kill('main', 8000)
      console.log('killed the engine, started again after 8 s')
    },
  })),
].toSorted((a, b) => a.at - b.at)
const begun = Date.now()
for (const { at, act } of acts) {
  await sleep(Math.max(0, begun + at * minutes * 60_000 - Date.now()))
  await act()
}
await sleep(Math.max(0, begun + minutes * 60_000 - Date.now()))

// Suspended, nothing is used any more, and what was used is sent with the next interval but one.
await insist(() => ask('POST', `/v1/panels/${id}/suspend`, { reason: 'over' }))
clearInterval(looking)
kernel.look()
await sleep((3 * settings.usageSeconds + 2 * settings.sampleSeconds) * 1000)
await ask('DELETE', `/v1/panels/${id}`)
processes.endMain()
stop()

const portal = [...sent.values()].reduce((sum, hours) => sum + hours, 0) * 3600
const off = Math.abs(portal - kernel.seconds) / kernel.seconds
const holds = kernel.seconds > 30 && off <= mostOff
console.log(
  `${minutes} min, ${restarts} restarts, ${kills} kills: the kernel counted ${kernel.seconds.toFixed(3)} s, the portal got ${portal.toFixed(3)} s in ${sent.size} intervals: ${(off * 100).toFixed(3)} % off`,
)
console.log(holds ? '1 passed, 0 failed' : '0 passed, 1 failed')
process.exit(holds ? 0 : 1)

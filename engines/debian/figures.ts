import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Answer, ask, settings } from './chaos/portal.ts'
import { Processes } from './chaos/processes.ts'

// Measures what decision 0080 promises, with the real daemons: how long things take, and what a hundred servers cost. It is run by
// `SAMPLE_SECONDS=30 MEND_SECONDS=60 POOL_GB=20 engines/debian/host/try.sh node engines/debian/figures.ts`.

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '5' },
    servers: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '180' },
  },
})
const perPanel = 3
const files = [
  '/',
  '/page/page.css',
  '/page/page.ts',
  '/page/servers.ts',
  '/page/zones.ts',
  '/page/words.ts',
  '/page/dom.ts',
]
const { ENGINE_DIR = '/var/lib/portico-engine' } = process.env
let failed = 0
let passed = 0

function judge(about: string, value: number, most: number, unit: string): void {
  const holds = value <= most
  if (holds) passed += 1
  else failed += 1
  console.log(`${holds ? 'ok    ' : 'FAILED'} ${about}: ${value.toFixed(2)} ${unit} of ${most}`)
}

const idOf = (panel: number) => `${settings.prefix}${panel}`
const actor = { subject: null, kind: 'system' }
const owner = { subject: 'client-1', display_name: 'A' }

async function must(method: string, target: string, body?: object): Promise<Answer> {
  const answer = await ask(method, target, body)
  if (!answer || answer.status >= 300) throw new Error(`${method} ${target}: ${JSON.stringify(answer)}`)
  return answer
}

/** Makes a panel and waits until it is there; the portal reads one that takes longer than a call. */
async function make(panel: number, plan: string): Promise<void> {
  const asked = { panel_id: panel, name: 'Figures', plan, region: null, domain: null, owner }
  let answer = await must('POST', '/v1/panels', asked)
  while (answer.body.status !== 'active') {
    await sleep(200)
    answer = await must('GET', `/v1/panels/${idOf(panel)}`)
  }
}

const power = (panel: number, action: string) =>
  must('POST', `/v1/panels/${idOf(panel)}/servers/web-1/power`, {
    ...{ action, force: false, request_id: randomUUID(), actor },
  })

const remove = (panel: number) => must('DELETE', `/v1/panels/${idOf(panel)}`)

/** The longest of some runs, in seconds. */
async function longest(act: (at: number) => Promise<unknown>): Promise<number> {
  let most = 0
  for (let at = 0; at < Number(values.times); at++) {
    const begun = performance.now()
    await act(at)
    most = Math.max(most, (performance.now() - begun) / 1000)
  }
  return most
}

async function times(): Promise<void> {
  const first = 730_000_000
  judge('a panel', await longest((at) => make(first + at, 'small')), 3, 's')
  judge('a stop', await longest((at) => power(first + at, 'stop')), 2, 's')
  judge('a start', await longest((at) => power(first + at, 'start')), 2, 's')
  judge('a restart', await longest((at) => power(first + at, 'restart')), 2, 's')
  const suspend = (at: number) => must('POST', `/v1/panels/${idOf(first + at)}/suspend`, { reason: 'unpaid' })
  judge('a suspension', await longest(suspend), 5, 's')
  judge('a deletion', await longest((at) => remove(first + at)), 5, 's')
}

async function page(): Promise<void> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'console.ts')], { stdio: 'ignore' })
  try {
    for (let more = 100; more > 0 && !(await fetch(settings.console).catch(() => undefined)); more--)
      await sleep(100)
    const sizes = await Promise.all(
      files.map(async (file) => (await (await fetch(`${settings.console}${file}`)).arrayBuffer()).byteLength),
    )
    judge('the page', sizes.reduce((sum, size) => sum + size, 0) / 1024, 60, 'KB')
  } finally {
    child.kill()
  }
}

/** The processor seconds of a process, and its memory now and at most, in MB. */
function processOf(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { seconds: (user + system) / 100, now: of('VmRSS'), most: of('VmHWM') }
}

/** What many servers that rest cost. */
async function hundred(main: number): Promise<void> {
  const panels = Array.from(
    { length: Math.ceil(Number(values.servers) / perPanel) },
    (_, at) => 740_000_000 + at,
  )
  const waiting = [...panels]
  const begun = performance.now()
  const worker = async (act: (panel: number) => Promise<unknown>) => {
    for (let panel = waiting.pop(); panel !== undefined; panel = waiting.pop()) await act(panel)
  }
  const four = (act: (panel: number) => Promise<unknown>) => Promise.all([1, 2, 3, 4].map(() => worker(act)))
  await four((panel) => make(panel, 'large'))
  console.log(`${panels.length * perPanel} servers in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  const lxd = Number(readFileSync(`${ENGINE_DIR}/lxd.pid`, 'utf8'))
  const before = [processOf(main), processOf(lxd)]
  await sleep(Number(values.seconds) * 1000)
  const after = [processOf(main), processOf(lxd)]
  const [mine = 0, theirs = 0] = after.map(
    ({ seconds }, at) => ((seconds - (before[at]?.seconds ?? 0)) / Number(values.seconds)) * 100,
  )
  judge('the engine', mine, 3, '% of a core')
  console.log(`       LXD: ${theirs.toFixed(2)} % of a core, ${after[1]?.now.toFixed(0)} MB`)
  judge('the memory of the engine', after[0]?.now ?? 0, 120, 'MB')
  console.log(`       at most ${after[0]?.most.toFixed(0)} MB`)
  waiting.push(...panels)
  await four(remove)
}

const processes = new Processes()
await processes.startMain()
// As after the first restart: what stripping types made is kept by then.
await processes.kill('main', 0)
try {
  await times()
  await page()
  if (Number(values.servers) > 0) await hundred(processes.pid)
} catch (error) {
  failed += 1
  console.log(`FAILED ${error}`)
}
processes.endMain()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

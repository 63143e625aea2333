// Measures a start until the first page is served: the first start (database created, migrated, seeded), later ones, and
// those after everything but the database was killed; how long a stop takes; and how long data is away when the database
// is killed under a running portal.
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePort, median } from './support/load.ts'

const root = path.resolve(import.meta.dirname, '..')
const rounds = Number(process.env.ROUNDS ?? 3)

type Start = {
  readonly seconds: number
  readonly ready: number
  readonly startLine: string
  readonly address: string
  readonly child: ChildProcess
}

/** Requests an address until it is served, and returns the page. */
async function ask(address: string, child: ChildProcess, out: () => string): Promise<string> {
  for (;;) {
    const page = await fetch(address, { headers: { accept: 'text/html' } }).catch(() => undefined)
    const text = await page?.text().catch(() => '')
    if (page?.status === 200 && text) return text
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${out()}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Requests an address until it is not served. */
async function gone(address: string): Promise<void> {
  while ((await fetch(address).catch(() => undefined))?.status === 200)
    await new Promise((resolve) => setTimeout(resolve, 2))
}

/** Runs `npm start` and requests the sign-in page, then data, until they are served. */
async function start(dataDir: string): Promise<Start> {
  const port = await freePort()
  const begun = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  const since = () => (performance.now() - begun) / 1000
  const address = `http://127.0.0.1:${port}`
  const page = await ask(`${address}/login`, child, () => out)
  if (!page.includes('<html')) throw new Error(`The first page is none:\n${page}`)
  const seconds = since()
  await ask(`${address}/readyz`, child, () => out)
  const ready = since()
  await new Promise((resolve) => setTimeout(resolve, 200))
  return { seconds, ready, startLine: /\(started.*\)/.exec(out)?.[0] ?? '', address, child }
}

const pidIn = (file: string) => Number.parseInt(fs.readFileSync(file, 'utf8'), 10)

/** Kills the database of a portal, and waits until data is served again. */
async function loseDatabase({ address, child }: Start, dataDir: string): Promise<number> {
  process.kill(pidIn(path.join(dataDir, 'database/postgres/postmaster.pid')), 'SIGKILL')
  const begun = performance.now()
  await gone(`${address}/readyz`)
  await ask(`${address}/readyz`, child, () => '')
  return (performance.now() - begun) / 1000
}

/** Kills the portal's server, which leaves its database behind. */
async function killServer({ child }: Start, dataDir: string): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  process.kill(pidIn(path.join(dataDir, 'database/portico.lock')), 'SIGKILL')
  await ended
}

async function stop({ child }: Start): Promise<number> {
  const begun = performance.now()
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
  return (performance.now() - begun) / 1000
}

const first: number[] = []
const later: number[] = []
const afterKill: number[] = []
const away: number[] = []
const stops: number[] = []
const dist = path.join(root, 'web/dist')
console.log(
  fs.existsSync(dist) ? 'The browser app is built already.' : 'The first start builds the browser app too.',
)
for (let round = 0; round < rounds; round++) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'portico-start-'))
  fs.chmodSync(dataDir, 0o755)
  for (const kind of [first, later]) {
    const started = await start(dataDir)
    kind.push(started.seconds)
    const { seconds, ready, startLine } = started
    console.log(
      `  ${kind === first ? 'first' : 'later'} ${seconds.toFixed(2)} s, data after ${ready.toFixed(2)} s ${startLine}`,
    )
    if (kind === first) {
      stops.push(await stop(started))
      continue
    }
    away.push(await loseDatabase(started, dataDir))
    await killServer(started, dataDir)
    const again = await start(dataDir)
    afterKill.push(again.ready)
    stops.push(await stop(again))
  }
  fs.rmSync(dataDir, { recursive: true, force: true })
}
console.log(
  `npm start to the first page: first ${median(first).toFixed(2)} s, later ${median(later).toFixed(2)} s; stop ${median(stops).toFixed(2)} s`,
)
console.log(
  `data again: ${median(away).toFixed(2)} s after kill -9 of the database, ${median(afterKill).toFixed(2)} s after a start that follows kill -9 of the portal`,
)

// Measures a start until the first page is served: the first start (database created, migrated, seeded) and
// later ones.
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
  const page = await ask(`http://127.0.0.1:${port}/login`, child, () => out)
  if (!page.includes('<html')) throw new Error(`The first page is none:\n${page}`)
  const seconds = since()
  await ask(`http://127.0.0.1:${port}/readyz`, child, () => out)
  const ready = since()
  await new Promise((resolve) => setTimeout(resolve, 200))
  return { seconds, ready, startLine: /\(started.*\)/.exec(out)?.[0] ?? '', child }
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
    stops.push(await stop(started))
  }
  fs.rmSync(dataDir, { recursive: true, force: true })
}
console.log(
  `npm start to the first page: first ${median(first).toFixed(2)} s, later ${median(later).toFixed(2)} s; stop ${median(stops).toFixed(2)} s`,
)

// How long a start takes until the first page is answered: the first one (database made, migrated, seeded) and later ones.
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePort, median } from './support/load.ts'

const root = path.resolve(import.meta.dirname, '..')
const rounds = Number(process.env.ROUNDS ?? 3)

type Start = { readonly seconds: number; readonly told: string; readonly child: ChildProcess }

/** Runs `npm start` as a person would, and asks for the sign-in page until it is there. */
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
  for (;;) {
    const page = await fetch(`http://127.0.0.1:${port}/login`, { headers: { accept: 'text/html' } }).catch(
      () => undefined,
    )
    if (page?.status === 200 && (await page.text()).includes('<html')) break
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${out}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const seconds = (performance.now() - begun) / 1000
  await new Promise((resolve) => setTimeout(resolve, 200))
  return { seconds, told: /\(started.*\)/.exec(out)?.[0] ?? '', child }
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
    console.log(`  ${kind === first ? 'first' : 'later'} ${started.seconds.toFixed(2)} s ${started.told}`)
    stops.push(await stop(started))
  }
  fs.rmSync(dataDir, { recursive: true, force: true })
}
console.log(
  `npm start to the first page: first ${median(first).toFixed(2)} s, later ${median(later).toFixed(2)} s; stop ${median(stops).toFixed(2)} s`,
)

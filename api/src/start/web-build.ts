import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { CannotStart } from '#config/env.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const web = path.join(root, 'web')

/** The folder of the browser app as it is served. */
export const webDist = path.join(web, 'dist')

// Outside of what is served, and outside of what the build empties.
const stamp = path.join(web, '.cache', 'built-from')

const bins = [path.join(web, 'node_modules/.bin'), path.join(root, 'node_modules/.bin')]

/** What the browser app is made of; a change in any of it makes the built one stale. */
const sources = ['web', 'contract/src', 'package-lock.json']

/** What is made from the sources, or comes from elsewhere. */
const made = new Set(['node_modules', 'dist', '.cache', 'compiled'])

function* filesUnder(at: string): Generator<string> {
  if (fs.statSync(at).isFile()) return yield at
  for (const entry of fs
    .readdirSync(at, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (made.has(entry.name) || /\.test\.tsx?$/.test(entry.name)) continue
    yield* filesUnder(path.join(at, entry.name))
  }
}

/** A fingerprint of the sources. Dates would not do: a checkout and a copy both change them. */
function fingerprint(): string {
  const hash = createHash('sha256')
  for (const source of sources.map((name) => path.join(root, name)).filter((at) => fs.existsSync(at))) {
    for (const file of filesUnder(source)) hash.update(file.slice(root.length)).update(fs.readFileSync(file))
  }
  return hash.digest('hex')
}

function buildCommand(): string | undefined {
  const described: unknown = JSON.parse(fs.readFileSync(path.join(web, 'package.json'), 'utf8'))
  const scripts =
    typeof described === 'object' && described && 'scripts' in described ? described.scripts : undefined
  const command = typeof scripts === 'object' && scripts && 'build' in scripts ? scripts.build : undefined
  return typeof command === 'string' ? command : undefined
}

/** Runs the build script of the web workspace as npm would, without npm's own time to start. */
async function build(command: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const child = spawn(command, {
    cwd: web,
    shell: true,
    // In a group of its own, so that the shell and all that it starts end together.
    detached: true,
    env: { ...process.env, PATH: [...bins, process.env.PATH].join(path.delimiter), NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const abort = () => child.pid && process.kill(-child.pid, 'SIGKILL')
  signal.addEventListener('abort', abort)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const status = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve)).catch(
    String,
  )
  signal.removeEventListener('abort', abort)
  signal.throwIfAborted()
  if (status !== 0) throw new CannotStart(`The browser app could not be built (${status}).\n${output.trim()}`)
}

/** Not where only what runs was installed. */
function toolsInstalled(): boolean {
  return bins.some((folder) => fs.existsSync(path.join(folder, 'vite')))
}

/**
 * Makes sure that the browser app is built from the sources as they are. Where only the built app is shipped, as in a
 * production image, there is nothing to do.
 */
export async function ensureWebBuilt(say: (text: string) => void, signal: AbortSignal): Promise<void> {
  if (!fs.existsSync(path.join(web, 'vite.config.ts'))) return
  if (!toolsInstalled()) {
    if (fs.existsSync(webDist)) return
    throw new CannotStart(
      'The browser app is not built, and the tools to build it are not installed: run "npm ci" first.',
    )
  }
  const command = buildCommand()
  if (command === undefined) return
  const current = fingerprint()
  if (fs.existsSync(webDist) && fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === current) return
  say('Building the browser app, which takes a few seconds after each change of its sources.')
  await build(command, signal)
  fs.mkdirSync(path.dirname(stamp), { recursive: true })
  fs.writeFileSync(stamp, current)
}

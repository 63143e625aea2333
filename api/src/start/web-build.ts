import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { CannotStart } from '#config/env.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const web = path.join(root, 'web')

/** The folder of the served browser app. */
export const webDist = path.join(web, 'dist')

// Outside the served folder, and outside the folder that the build empties.
const stamp = path.join(web, '.cache', 'built-from')

const bins = [path.join(web, 'node_modules/.bin'), path.join(root, 'node_modules/.bin')]

/** The sources of the browser app; a change in any of them makes the build stale. */
const sources = ['web', 'contract/src', 'package-lock.json']

/** Generated or installed folders inside the sources. */
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

/** A hash of the sources. Dates are unreliable, because checkouts and copies change them. */
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

/** Runs the build script of the web workspace like npm, without npm's start-up time. */
async function build(command: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const child = spawn(command, {
    cwd: web,
    shell: true,
    // Its own process group, so that the shell and its children end together.
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

/** False when only production dependencies are installed. */
function toolsInstalled(): boolean {
  return bins.some((folder) => fs.existsSync(path.join(folder, 'vite')))
}

/**
 * Builds the browser app when its sources have changed. Does nothing where only the built app is shipped, as
 * in a production image.
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
  // A build that is broken off leaves a folder that was built from nothing.
  fs.rmSync(stamp, { force: true })
  await build(command, signal)
  fs.mkdirSync(path.dirname(stamp), { recursive: true })
  fs.writeFileSync(stamp, current)
}

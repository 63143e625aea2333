import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart } from '#config/env.ts'
import { withClient } from '#platform/db/client.ts'
import { type Connection, withDatabase } from '#platform/db/connection.ts'
import { findBinaries } from './binaries.ts'
import { assertSameMajor, clearRemains, ensureCluster } from './cluster.ts'
import { type Home, openHome, socketFolder } from './home.ts'
import { type Lock, takeLock } from './lock.ts'
import { type Launch, LaunchFailed, launch, type Postmaster } from './postmaster.ts'
import { completeUpgrade } from './replace-cluster.ts'

export type EmbeddedOptions = {
  /** The folder that holds the database; created when missing. */
  dataDir: string
  /** The database to create and connect to. */
  database?: string
  /** False trades durability on power failure for speed: for tests only. */
  durable?: boolean
  /** PostgreSQL settings that override ours. */
  settings?: Record<string, string>
  /** Receives messages for the person at the terminal. */
  say?: (text: string) => void
  /** Receives each line that PostgreSQL logs. */
  log?: (line: string) => void
  /** Called once the folder is locked, before anything is written to it. */
  onLocked?: () => void
  /** Aborts the start; started processes are ended before the promise rejects. */
  signal?: AbortSignal
}

export type Embedded = {
  connection: Connection
  /** The id of the postmaster process; it changes with each restart. */
  postmaster: () => number | undefined
  /** Shuts the server down and releases the folder. */
  stop: () => Promise<void>
}

const notDurable = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }

/** Launches with a few retries: orphaned processes may hold the shared memory for a moment. */
async function launchOverRemains(plan: Launch): Promise<Postmaster> {
  for (let tries = 1; ; tries++) {
    await clearRemains(plan.home.cluster)
    try {
      return await launch(plan)
    } catch (error) {
      if (!(error instanceof LaunchFailed) || !error.message.includes('shared memory block') || tries === 10)
        throw error
      await sleep(50)
    }
  }
}

/** Restarts the server whenever it ends without being stopped. */
function supervise(plan: Launch, first: Postmaster, lock: Lock, say: (text: string) => void) {
  let current: Postmaster | undefined = first
  const stopping = new AbortController()
  const watch = async (): Promise<void> => {
    while (current !== undefined) {
      const how = await current.ended
      current = undefined
      if (stopping.signal.aborted) return
      // Without the lock the folder belongs to another process or is gone, so its server must be left alone.
      if (!lock.held()) return say('Another process took the data folder; its database is not restarted.')
      say(`PostgreSQL ended unexpectedly (${how}); restarting it.`)
      for (
        let pause = 50;
        current === undefined && !stopping.signal.aborted;
        pause = Math.min(pause * 2, 2000)
      ) {
        current = await launchOverRemains({ ...plan, signal: stopping.signal }).catch(
          async (error: unknown) => {
            if (stopping.signal.aborted) return undefined
            say(`PostgreSQL did not start: ${error instanceof Error ? error.message : error}`)
            await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
            return undefined
          },
        )
      }
    }
  }
  const watching = watch()
  return {
    postmaster: () => current?.pid,
    stop: async () => {
      stopping.abort()
      await current?.stop()
      // A restart may be in progress; a server that it started after the stop began is ended too.
      await watching
      await current?.stop()
    },
  }
}

async function ensureDatabase(server: Connection, name: string): Promise<void> {
  await withClient(withDatabase(server, 'postgres'), async (client) => {
    const found = await client.query('select from pg_database where datname = $1', [name])
    if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`)
  })
}

/** Words a failed first launch for the operator, with PostgreSQL's own message. */
function explain(error: unknown, dataDir: string): unknown {
  if (!(error instanceof LaunchFailed)) return error
  return new CannotStart(`PostgreSQL did not start on ${dataDir}:\n${error.message}`)
}

/** What a server is started with, on a folder that is locked. */
export type Serving = {
  readonly home: Home
  readonly lock: Lock
  /** The folder with `bin/postgres`, of the version that made the cluster. */
  readonly binaries: string
  /** The folder as the operator knows it. */
  readonly dataDir: string
  readonly options: Omit<EmbeddedOptions, 'dataDir' | 'onLocked'>
}

/** Runs PostgreSQL on an existing cluster until `stop`, which leaves the lock to the caller. */
export async function serve({ home, lock, binaries, dataDir, options }: Serving): Promise<Embedded> {
  const { database = 'portico', durable = true, settings = {} } = options
  const { say = () => undefined, log = () => undefined } = options
  const signal = options.signal ?? new AbortController().signal
  let supervised: ReturnType<typeof supervise> | undefined
  let socket: string | undefined
  const stop = async () => {
    await supervised?.stop()
    if (socket !== undefined && socket !== home.cluster) fs.rmSync(socket, { recursive: true, force: true })
  }
  try {
    if ((await clearRemains(home.cluster)) === 'orphan stopped')
      say('Stopped a PostgreSQL left over from an earlier run.')
    socket = socketFolder(home)
    const overrides = { ...(durable ? {} : notDurable), ...settings }
    const plan = { binaries, home, socket, log, signal, overrides }
    supervised = supervise(plan, await launchOverRemains(plan), lock, say)
    signal.throwIfAborted()
    const connection = { host: socket, port: 5432, user: 'portico', database }
    await ensureDatabase(connection, database)
    signal.throwIfAborted()
    return { connection, postmaster: supervised.postmaster, stop }
  } catch (error) {
    await stop()
    throw signal.aborted ? signal.reason : explain(error, dataDir)
  }
}

/**
 * Starts the bundled PostgreSQL on its own folder, creating the database at the first run, and keeps it
 * running until `stop`. It listens on a private Unix socket only. One process at a time may use the folder.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { durable = true, say = () => undefined } = options
  const signal = options.signal ?? new AbortController().signal
  const dataDir = path.resolve(options.dataDir)
  const found = openHome(dataDir, say)
  const lock = await takeLock(found.folder, dataDir)
  options.onLocked?.()
  try {
    const home = completeUpgrade(found) ? openHome(dataDir, say) : found
    assertSameMajor(home.cluster, dataDir)
    const binaries = findBinaries(home.account, home.copies)
    await ensureCluster(binaries, home, durable, signal)
    const server = await serve({ home, lock, binaries, dataDir, options })
    return { ...server, stop: () => server.stop().finally(lock.release) }
  } catch (error) {
    lock.release()
    throw signal.aborted ? signal.reason : error
  }
}

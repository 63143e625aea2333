import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import { findBinaries } from '#platform/db/embedded/binaries.ts'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { openHome } from '#platform/db/embedded/home.ts'
import { type Launch, launch } from '#platform/db/embedded/postmaster.ts'
import { end, serversOf } from '#platform/db/embedded/processes.ts'
import { temporaryFolder, until } from './temporary.ts'

export type Standby = {
  readonly connection: Connection
  /** Makes it a primary, as a failover does. */
  promote(): Promise<void>
  stop(): Promise<void>
}

export type Pair = Pick<Standby, 'promote' | 'stop'> & {
  /** The primary and the standby, in this order. */
  readonly connections: readonly [Connection, Connection]
  /** Ends the standby alone; commits no longer wait for it. */
  stopStandby(): Promise<void>
  /** Cuts the standby off: it stands still, and commits wait for it. Returns what lets it go on. */
  pauseStandby(): () => void
  /** Ends the primary as the loss of its machine does. */
  killPrimary(): Promise<void>
}

type Prepare = (connection: Connection) => Promise<unknown>

/** Makes a cluster, filled by `prepare`, that no server runs on. */
export async function makeCluster(dataDir: string, prepare: Prepare): Promise<void> {
  fs.chmodSync(dataDir, 0o755)
  const server = await startEmbedded({ dataDir, durable: false })
  await prepare(server.connection).finally(() => server.stop())
}

function planOf(dataDir: string, overrides: Record<string, string>, signal: AbortSignal): Launch {
  const home = openHome(dataDir, () => undefined)
  return {
    binaries: findBinaries(home.account, home.copies),
    home,
    socket: home.cluster,
    overrides: { fsync: 'off', max_connections: '130', ...overrides },
    log: () => undefined,
    signal,
  }
}

const connectionOf = ({ home }: Launch): Connection => ({
  host: home.cluster,
  port: 5432,
  user: 'portico',
  database: 'portico',
})

async function openStandby(dataDir: string, overrides: Record<string, string>): Promise<Standby> {
  const stopping = new AbortController()
  const plan = planOf(dataDir, overrides, stopping.signal)
  fs.writeFileSync(path.join(plan.home.cluster, 'standby.signal'), '')
  // Resolves once it was promoted: before that it does not say that it is ready.
  const launched = launch(plan)
  launched.catch(() => undefined)
  const connection = connectionOf(plan)
  const ask = (sql: string) => withClient(connection, (client) => client.query(sql))
  await until(() => ask('select 1').catch(() => undefined), 20_000)
  return {
    connection,
    promote: async () => void (await ask('select pg_promote()')),
    stop: async () => {
      stopping.abort()
      await launched.then(
        (server) => server.stop(),
        () => undefined,
      )
    },
  }
}

/** A PostgreSQL that takes connections but no writes, as a standby whose primary is away. `prepare` fills it before. */
export async function startStandby(prepare: Prepare): Promise<Standby> {
  const { folder, remove } = temporaryFolder()
  await makeCluster(folder, prepare)
  const standby = await openStandby(folder, {})
  return { ...standby, stop: () => standby.stop().finally(remove) }
}

/** A primary, filled by `prepare`, and a standby that has each commit before it is acknowledged. */
export async function startPair(prepare: Prepare): Promise<Pair> {
  const [first, second] = [temporaryFolder(), temporaryFolder()]
  await makeCluster(first.folder, prepare)
  const plan = planOf(first.folder, { synchronous_standby_names: '*' }, new AbortController().signal)
  fs.chmodSync(second.folder, 0o755)
  execFileSync('cp', ['-a', plan.home.cluster, openHome(second.folder, () => undefined).cluster])
  const primary = await launch(plan)
  const connection = connectionOf(plan)
  const standby = await openStandby(second.folder, {
    primary_conninfo: `host=${plan.socket} port=5432 user=portico`,
  })
  const replicated = "select from pg_stat_replication where sync_state = 'sync'"
  await until(() =>
    withClient(connection, async (client) => (await client.query(replicated)).rowCount === 1 || undefined),
  )
  return {
    connections: [connection, standby.connection],
    promote: standby.promote,
    pauseStandby: () => {
      const { postmaster, others } = serversOf(openHome(second.folder, () => undefined).cluster)
      const all = [...(postmaster === undefined ? [] : [postmaster]), ...others]
      for (const pid of all) process.kill(pid, 'SIGSTOP')
      return () => {
        for (const pid of all) process.kill(pid, 'SIGCONT')
      }
    },
    stopStandby: async () => {
      await withClient(connection, async (client) => {
        await client.query("alter system set synchronous_standby_names = ''")
        await client.query('select pg_reload_conf()')
      })
      await standby.stop()
    },
    killPrimary: async () => {
      const { postmaster, others } = serversOf(plan.home.cluster)
      await end([...(postmaster === undefined ? [] : [postmaster]), ...others], [['SIGKILL', 5000]])
    },
    stop: async () => {
      await Promise.all([standby.stop(), primary.stop()])
      first.remove()
      second.remove()
    },
  }
}

/** The address of several servers, as it is written in DATABASE_URL. */
export function urlOf(...connections: readonly Connection[]): string {
  const hosts = connections.map(({ host = '', port = 5432 }) => `${encodeURIComponent(host)}:${port}`)
  const { user, database } = connections[0] ?? {}
  return `postgres://${user}@${hosts}/${database}?target_session_attrs=read-write`
}

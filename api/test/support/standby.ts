import fs from 'node:fs'
import path from 'node:path'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import { findBinaries } from '#platform/db/embedded/binaries.ts'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { openHome } from '#platform/db/embedded/home.ts'
import { launch } from '#platform/db/embedded/postmaster.ts'
import { temporaryFolder, until } from './temporary.ts'

export type Standby = {
  readonly connection: Connection
  /** Makes it a primary, as a failover does. */
  promote(): Promise<void>
  stop(): Promise<void>
}

/** A PostgreSQL that takes connections but no writes, as a standby whose primary is away. `prepare` fills it before. */
export async function startStandby(prepare: (connection: Connection) => Promise<unknown>): Promise<Standby> {
  const { folder, remove } = temporaryFolder()
  fs.chmodSync(folder, 0o755)
  const primary = await startEmbedded({ dataDir: folder, durable: false })
  const { connection } = primary
  await prepare(connection).finally(() => primary.stop())
  const home = openHome(folder, () => undefined)
  fs.writeFileSync(path.join(home.cluster, 'standby.signal'), '')
  const stopping = new AbortController()
  const binaries = findBinaries(home.account, home.copies)
  const overrides = { fsync: 'off', max_connections: '130' }
  const standby = { ...connection, host: home.cluster }
  const plan = {
    binaries,
    home,
    socket: home.cluster,
    overrides,
    log: () => undefined,
    signal: stopping.signal,
  }
  // Resolves once it was promoted: before that it does not say that it is ready.
  const launched = launch(plan)
  launched.catch(() => undefined)
  const ask = (sql: string) => withClient(standby, (client) => client.query(sql))
  await until(() => ask('select 1').catch(() => undefined), 20_000)
  return {
    connection: standby,
    promote: async () => void (await ask('select pg_promote()')),
    stop: async () => {
      stopping.abort()
      await launched.then(
        (server) => server.stop(),
        () => undefined,
      )
      remove()
    },
  }
}

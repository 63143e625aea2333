import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { withClient } from '#platform/db/client.ts'
import { type Connection, withDatabase } from '#platform/db/connection.ts'
import { type Embedded, startEmbedded } from '#platform/db/embedded/embedded.ts'
import { migrate } from '#platform/db/migrate.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { keepCluster, restoreCluster } from './kept-cluster.ts'

export const template = 'template_portico'

const prefix = 'portico-tests-'
/** Longer than a run takes from making its folder to starting its database. */
const startingMs = 120_000

export type TestServer = {
  /** Leads to an empty database that nothing should be written to; clone the template instead. */
  connection: Connection
  stop: () => Promise<void>
}

/** Runs one statement on a server, outside of any pool. */
async function run(connection: Connection, sql: string): Promise<void> {
  await withClient(connection, (client) => client.query(sql))
}

/** Ends the servers and removes the folders of test runs that were killed before they could do it themselves. */
async function sweep(): Promise<void> {
  for (const name of fs.readdirSync(os.tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const dataDir = path.join(os.tmpdir(), name)
    try {
      // The database of a run that began this very moment is not there yet, or not yet taken.
      if (Date.now() - fs.statSync(dataDir).mtimeMs < startingMs) continue
      if (!fs.existsSync(path.join(dataDir, 'database', 'postgres'))) continue
      // Taking the folder over fails while its run is alive, which is just what must be known.
      await (await startEmbedded({ dataDir, durable: false })).stop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    } catch {
      // It is in use, or belongs to another user.
    }
  }
}

const start = (dataDir: string) =>
  startEmbedded({
    dataDir,
    database: template,
    durable: false,
    // A worker that looks after the template keeps it from being copied.
    settings: { max_connections: '200', autovacuum: 'off' },
  })

/** A server with the migrated template: a copy of the last run's when nothing has changed since, which saves seconds. */
async function startMigrated(dataDir: string): Promise<Embedded> {
  const cluster = path.join(dataDir, 'database', 'postgres')
  if (restoreCluster(cluster)) return start(dataDir)
  const server = await start(dataDir)
  try {
    await migrate(server.connection)
    // People of tests register in a portal that has its administrator.
    await run(server.connection, `insert into settings values ('set_up_at', to_jsonb(now()))`)
    await installJobs(server.connection)
  } catch (error) {
    await server.stop()
    throw error
  }
  // A checkout that is thrown away has no next run.
  if (process.env.CI) return server
  await server.stop()
  keepCluster(cluster)
  return start(dataDir)
}

/**
 * Starts one PostgreSQL for a test run, in a temporary folder and without the cost of durability, with the migrated
 * database that `cloneDatabase` copies. Its connection can be handed to workers: it is plain data.
 */
export async function testServer(): Promise<TestServer> {
  await sweep()
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), prefix))
  fs.chmodSync(dataDir, 0o755)
  const remove = () => fs.rmSync(dataDir, { recursive: true, force: true })
  try {
    const server = await startMigrated(dataDir)
    const stop = async () => {
      await server.stop()
      remove()
    }
    return { connection: withDatabase(server.connection, 'postgres'), stop }
  } catch (error) {
    remove()
    throw error
  }
}

/** Makes a database of its own for a test file: migrated, and empty but for what migrations put in, or a copy of `from`. */
export async function cloneDatabase(
  connection: Connection,
  name: string,
  from = template,
): Promise<Connection> {
  // The usual strategy writes each page to the log too: 14 MB for each of several hundred databases.
  const sql = `create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(from)} strategy file_copy`
  // Connections that are still closing block the copy of a database for a moment.
  for (let tries = 1; ; tries++) {
    const failure = await run(connection, sql).catch((error: unknown) => error)
    if (failure === undefined) return withDatabase(connection, name)
    if (tries === 5 || !/being accessed/.test(String(failure))) throw failure
  }
}

/** Removes a clone, and disconnects its sessions. */
export async function dropDatabase(connection: Connection, name: string): Promise<void> {
  await run(connection, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
}

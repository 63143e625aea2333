import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { withClient } from '../../api/src/platform/db/client.ts'
import type { Connection } from '../../api/src/platform/db/connection.ts'
import { startEmbedded } from '../../api/src/platform/db/embedded/embedded.ts'
import { migrate } from '../../api/src/platform/db/migrate.ts'

export type BenchDatabase = {
  readonly connection: Connection
  readonly dataDir: string
  /** Its main process; another one after each restart. */
  readonly postmaster: () => number | undefined
  stop(): Promise<void>
}

/** An empty database of the kind that `npm start` runs, in a temporary folder or in `kept`, which stays for the next run. */
export async function emptyDatabase(kept?: string): Promise<BenchDatabase> {
  const dataDir = kept ?? fs.mkdtempSync(path.join(os.tmpdir(), 'portico-bench-'))
  fs.mkdirSync(dataDir, { recursive: true })
  fs.chmodSync(dataDir, 0o755)
  const server = await startEmbedded({ dataDir, settings: { max_connections: '100' } })
  return {
    connection: server.connection,
    dataDir,
    postmaster: server.postmaster,
    stop: async () => {
      await server.stop()
      if (kept === undefined) fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A durable database with the tables of the portal: a new one, or that in `kept`, which stays for the next run. */
export async function benchDatabase(kept?: string): Promise<BenchDatabase> {
  const database = await emptyDatabase(kept)
  await migrate(database.connection)
  return database
}

const perClient = 40

/**
 * Creates workspaces up to `projects` in all, 40 to a client, each with three panels of two servers, one
 * cluster and four domains while the table is small; the panels of a million workspaces would only measure
 * copying, so only every hundredth client has them then.
 */
export async function fill(connection: Connection, projects: number): Promise<void> {
  const clients = Math.ceil(projects / perClient)
  const panelsFor = projects > 10_000 ? 100 : 1
  const statements = [
    `insert into clients (email, first_name, last_name, language_id, currency_id, status, email_verified_at)
       select 'client' || g || '@bench.test', 'First' || g, 'Last' || g, 1, 1, 1, now()
       from generate_series((select count(*) from clients) + 1, ${clients}) g`,
    `insert into panel_engines (code, name, kind) values ('bench', 'Bench', 'simulated') on conflict do nothing`,
    `insert into projects (client_id, name, created_at)
       select c.id, 'Workspace ' || n, now() - n * interval '1 hour'
       from clients c, generate_series(1, ${perClient}) n
       where not exists (select 1 from projects p where p.client_id = c.id)`,
    // The next reading is tomorrow, because their engine knows none of them and failing retries would distort
    // the measurement.
    `insert into panels (client_id, project_id, panel_engine_id, name, external_id, status, region, sync_due_at)
       select p.client_id, p.id, e.id, 'panel-' || n, p.id || '-' || n, 'active', 'eu-central', now() + interval '1 day'
       from projects p, generate_series(1, 3) n, panel_engines e
       where e.code = 'bench' and (p.client_id - 1) % ${panelsFor} = 0
         and not exists (select 1 from panels q where q.project_id = p.id)`,
    `insert into panel_resources (panel_id, kind, external_id, name, status, last_seen_at)
       select p.id, k.kind, k.kind || n, k.kind || '-' || n, 'running', now()
       from panels p, (values ('server', 2), ('cluster', 1), ('domain', 4)) k (kind, many), generate_series(1, k.many) n
       where not exists (select 1 from panel_resources r where r.panel_id = p.id)`,
    'vacuum analyze',
  ]
  await withClient(connection, async (client) => {
    for (const statement of statements) await client.query(statement)
  })
}

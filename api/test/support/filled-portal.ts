import type { Env } from '#config/env.ts'
import { markActing } from '#platform/acts-as.ts'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import { migrate } from '#platform/db/migrate.ts'
import { Pool } from '#platform/db/pool.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { openVault } from '#platform/open-vault.ts'
import { registerEngine } from '#workspaces/engines/registry.ts'
import { movedBalance } from './money.ts'
import { person } from './people.ts'

/** What people would miss; that every table arrives is tested with archives. */
const tables = [
  'clients',
  'auth_accounts',
  'projects',
  'ledger_entries',
  'account_balances',
  'panel_engine_secrets',
]

/** The rows that people would miss, as texts in order. */
export async function contentOf(connection: Connection): Promise<string[]> {
  const select = tables.map((table) => `select '${table}' || t::text as row from ${table} t`)
  const { rows } = await withClient(connection, (client) =>
    client.query<{ row: string }>(`${select.join(' union all ')} order by 1`),
  )
  for (const table of tables)
    if (!rows.some(({ row }) => row.startsWith(table))) throw new Error(`${table} is empty.`)
  return rows.map(({ row }) => row).sort()
}

/**
 * Makes an empty database that of a portal that acts, with a secret of its own, a person with a balance, and a sealed secret
 * of an engine; returns its content.
 */
export async function fillPortal(connection: Connection, env: Env): Promise<string[]> {
  await migrate(connection)
  await installJobs(connection)
  const { vault } = await openVault(env, connection)
  const pool = new Pool(connection, 2, () => undefined)
  const { id } = await person(pool, 'ana@example.com')
  await movedBalance(pool, id, '12.50', '2026-01-10')
  const engine = { code: 'real', name: 'Real', baseUrl: 'http://127.0.0.1:1', isDefault: true }
  await registerEngine({ db: pool.kysely, vault }, engine)
  await pool.close()
  await withClient(connection, (client) => markActing(client, env))
  return contentOf(connection)
}

import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { type Env, readEnv } from '#config/env.ts'
import { copyOf, markActing } from '#platform/acts-as.ts'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { migrate } from '#platform/db/migrate.ts'
import { Pool } from '#platform/db/pool.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { openVault } from '#platform/open-vault.ts'
import { registerEngine } from '#workspaces/engines/registry.ts'
import { serverOfTests } from './support/database.ts'
import { movedBalance } from './support/money.ts'
import { person } from './support/people.ts'
import { cloneDatabase, dropDatabase } from './support/postgres.ts'
import { temporaryFolder } from './support/temporary.ts'

// Each test runs commands, each a process, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 })

const root = path.resolve(import.meta.dirname, '../..')
const { folder: dataDir, remove } = temporaryFolder('data')
afterAll(remove)
const start = () => startEmbedded({ dataDir, durable: false })
const env: Env = { ...readEnv({ DATA_DIR: dataDir, SEED: 'none' }) }

/** What people would miss; that every table arrives is tested with archives. */
const tables = [
  'clients',
  'auth_accounts',
  'projects',
  'ledger_entries',
  'account_balances',
  'panel_engine_secrets',
]

async function contentOf(connection: Connection): Promise<string[]> {
  const select = tables.map((table) => `select '${table}' || t::text as row from ${table} t`)
  const { rows } = await withClient(connection, (client) =>
    client.query<{ row: string }>(`${select.join(' union all ')} order by 1`),
  )
  for (const table of tables)
    if (!rows.some(({ row }) => row.startsWith(table))) throw new Error(`${table} is empty.`)
  return rows.map(({ row }) => row)
}

/** A portal that acts, with a secret of its own, a person with a balance, and a sealed secret of an engine. */
async function makePortal(): Promise<string[]> {
  const server = await start()
  const { connection } = server
  try {
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
    return await contentOf(connection)
  } finally {
    await server.stop()
  }
}
const before = await makePortal()

const name = `moved_${process.pid}`
const target = await cloneDatabase(serverOfTests(), name, 'template0')
afterAll(() => dropDatabase(serverOfTests(), name))
const url = `postgres://${target.user}@localhost/${name}?host=${encodeURIComponent(target.host ?? '')}`

function move(settings: Record<string, string> = { DATABASE_URL: url }) {
  const { DATABASE_URL: _, TOKEN_SECRET: __, ...inherited } = process.env
  const given = { ...inherited, DATA_DIR: dataDir, SEED: 'none', ...settings }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['api/src/commands/archives/move.ts'], {
    cwd: root,
    encoding: 'utf8',
    env: given,
  })
  return { status, said: (stdout + stderr).trim() }
}

const folders = () => fs.readdirSync(dataDir).filter((one) => one !== 'token-secret')

test('what cannot be moved is said in one sentence, and nothing changes', async () => {
  expect(move({})).toMatchObject({ status: 1, said: expect.stringMatching(/^DATABASE_URL is not set\./) })
  const running = await start()
  const refused = move()
  await running.stop()
  expect(refused).toMatchObject({
    status: 1,
    said: expect.stringMatching(/^Portico already runs on .*: stop that one first/),
  })
  await withClient(target, (client) => client.query('create table of_another ()'))
  expect(move()).toEqual({
    status: 1,
    said: 'The database is not empty: it has tables of something else. Restore into a new one.',
  })
  await withClient(target, (client) => client.query('drop table of_another'))
  expect(folders()).toEqual(['database'])
})

test('one command moves the embedded database to an external one, which acts in its place', async () => {
  const { status, said } = move()
  expect([status, said.split('\n')]).toEqual([
    0,
    [
      expect.stringMatching(
        /^\d+ tables with \d+ rows are in the database of DATABASE_URL; 0 differences in the ledger\.$/,
      ),
      expect.stringMatching(/^The embedded database is kept in .*\/database-moved-/),
      'Start the portal with these variables: it acts as before.',
    ],
  ])
  expect(await contentOf(target)).toEqual(before)
  const external = { ...env, databaseUrl: url }
  expect(await copyOf(external, target)).toBeUndefined()
  // The portal made its secret itself; the external database has it now, or this would throw.
  const { secret } = await openVault(external, target)
  expect(secret).toBe(fs.readFileSync(path.join(dataDir, 'token-secret'), 'utf8').trim())
  expect(folders()).toEqual([expect.stringMatching(/^database-moved-/)])
  expect(move()).toEqual({ status: 1, said: `There is no embedded database in ${dataDir}.` })
})

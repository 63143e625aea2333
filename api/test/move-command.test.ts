import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { type Env, readEnv } from '#config/env.ts'
import { copyOf } from '#platform/acts-as.ts'
import { withClient } from '#platform/db/client.ts'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { openVault } from '#platform/open-vault.ts'
import { serverOfTests } from './support/database.ts'
import { contentOf, fillPortal } from './support/filled-portal.ts'
import { cloneDatabase, dropDatabase } from './support/postgres.ts'
import { temporaryFolder } from './support/temporary.ts'

// Each test runs commands, each a process, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 })

const root = path.resolve(import.meta.dirname, '../..')
const { folder: dataDir, remove } = temporaryFolder('data')
afterAll(remove)
const start = () => startEmbedded({ dataDir, durable: false })
const env: Env = { ...readEnv({ DATA_DIR: dataDir, SEED: 'none' }) }

async function makePortal(): Promise<string[]> {
  const server = await start()
  return fillPortal(server.connection, env).finally(() => server.stop())
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

import { expect, test } from 'vitest'
import { testDatabase } from '#test/support/database.ts'
import { startRelay } from '#test/support/relay.ts'
import { installJobs } from './install.ts'

const { pool, connection } = await testDatabase()

const farewell = Buffer.from([0x58, 0, 0, 0, 4])

test('a pooler that keeps the sessions of who has gone keeps no lock that the next start waits for', async () => {
  const pooler = await startRelay(connection, (client, server) => {
    client.on('data', (chunk) => (chunk.equals(farewell) ? client.end() : server.write(chunk)))
    server.pipe(client)
  })
  await installJobs(pooler.connection)
  const sessions = "select from pg_stat_activity where datname = current_database() and state = 'idle'"
  expect((await pool.run({ sql: sessions, values: [] })).length).toBeGreaterThan(0)
  await installJobs(connection)
  const held =
    "select from pg_locks l join pg_database d on d.oid = l.database where locktype = 'advisory' and datname = current_database()"
  expect(await pool.run({ sql: held, values: [] })).toEqual([])
  pooler.stop()
})

import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { withClient } from '#platform/db/client.ts'
import { type Connection, connectionFromUrl, withDatabase } from '#platform/db/connection.ts'
import { Pool } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transact.ts'
import { databaseFailure } from '#platform/http/database-failure.ts'
import { queuePool } from '#platform/jobs/queue-pool.ts'
import { testDatabase } from '#test/support/database.ts'
import { startStandby, urlOf } from '#test/support/standby.ts'
import { temporaryFolder } from '#test/support/temporary.ts'

const { connection: primary } = await testDatabase()
const standby = await startStandby((connection) =>
  withClient(connection, (client) => client.query(`create database ${primary.database}`)),
)
const readOnly = { ...standby.connection, database: primary.database }
const away: Connection = { ...primary, host: '/nowhere' }
afterAll(() => standby.stop())

function open(...servers: readonly Connection[]): Pool {
  const pool = new Pool(connectionFromUrl(urlOf(...servers)), 2, () => undefined)
  onTestFinished(() => pool.close())
  return pool
}

/** A server that takes connections and says nothing, as one whose machine hangs. */
async function silentServer(): Promise<Connection> {
  const { folder, remove } = temporaryFolder()
  const sockets: net.Socket[] = []
  const server = net.createServer((socket) => sockets.push(socket.on('error', () => undefined)))
  await once(server.listen(path.join(folder, '.s.PGSQL.5432')), 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
    remove()
  })
  return { ...primary, host: folder }
}

await withClient(primary, (client) => client.query('create table written ()'))
const write = { sql: 'insert into written default values', values: [] }

test('the server that accepts writes is used, wherever it stands among the others', async () => {
  for (const servers of [
    [primary, readOnly],
    [away, primary],
    [away, readOnly, primary],
  ]) {
    const pool = open(...servers)
    expect(await Promise.all([pool.run(write), pool.run(write), pool.run(write)])).toEqual([[], [], []])
    const rows = await withClient(connectionFromUrl(urlOf(...servers)), (client) => client.query(write.sql))
    expect(rows.command).toBe('INSERT')
  }
})

test('the job queue uses it too, with either way to take a connection', async () => {
  const queue = queuePool(connectionFromUrl(urlOf(away, readOnly, primary)), 1, () => undefined)
  onTestFinished(() => queue.end())
  expect((await queue.query(write.sql)).command).toBe('INSERT')
  const client = await queue.connect()
  expect((await client.query(write.sql)).command).toBe('INSERT')
  client.release()
  const none = queuePool(connectionFromUrl(urlOf(away, readOnly)), 1, () => undefined)
  onTestFinished(() => none.end())
  await expect(none.query(write.sql)).rejects.toThrow('is a standby, or read-only')
})

test('without such a server requests are 503, and the reason names servers without passwords', async () => {
  const pool = open(away, readOnly)
  for (const work of [
    () => pool.run(write),
    () => transact(pool.kysely, 'read write', () => pool.run(write)),
  ]) {
    const failed = await work().catch((error: unknown) => error)
    expect(databaseFailure(failed)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  }
  const address = connectionFromUrl(urlOf(away, readOnly).replace('portico@', 'portico:secret@'))
  const failed = await withClient(address, () => Promise.resolve()).catch((error: unknown) => error)
  expect(failed).toMatchObject({
    errors: [
      { code: 'ENOENT' },
      { code: '57P03', message: `${readOnly.host}:5432 is a standby, or read-only` },
    ],
  })
})

test('a silent server costs those who ask at once the time limit, and later requests nothing', async () => {
  const servers = [readOnly, await silentServer(), primary]
  const pool = open(...servers)
  const failed = await pool.run(write).catch((error: unknown) => error)
  expect(databaseFailure(failed)?.status).toBe(503)
  expect(await pool.run(write)).toEqual([])
  const { command } = await withClient(connectionFromUrl(urlOf(...servers)), (client) =>
    client.query(write.sql),
  )
  expect(command).toBe('INSERT')
})

test('waiting for a connection in use does not move to another server', async () => {
  const servers = connectionFromUrl(urlOf(primary, away))
  const pool = new Pool(servers, 1, () => undefined)
  onTestFinished(() => pool.close())
  await pool.kysely.transaction().execute(async () => {
    await expect(pool.run(write)).rejects.toThrow('timeout exceeded when trying to connect')
  })
  expect(servers.servers?.url).toContain(encodeURIComponent(primary.host ?? ''))
})

test('a primary that was set read-only is passed over', async () => {
  const other = await testDatabase()
  await withClient(other.connection, (client) =>
    client.query(`alter database ${other.connection.database} set default_transaction_read_only = on`),
  )
  const address = connectionFromUrl(urlOf(other.connection))
  await expect(withClient(address, () => Promise.resolve())).rejects.toThrow('is a standby, or read-only')
})

test('another database of the same servers keeps them all', async () => {
  const { database, servers } = withDatabase(connectionFromUrl(urlOf(away, primary)), 'an other')
  expect([database, servers?.urls.map((url) => url.replace(/.*\//, ''))]).toEqual([
    'an other',
    ['an%20other', 'an%20other'],
  ])
})

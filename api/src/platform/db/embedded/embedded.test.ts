import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import { hung, temporaryFolder, until } from '#test/support/temporary.ts'
import { type Embedded, type EmbeddedOptions, startEmbedded } from './embedded.ts'
import { runs, serversOf } from './processes.ts'

const asRoot = process.getuid?.() === 0

let place: ReturnType<typeof temporaryFolder>
let said: string[]
const running: Embedded[] = []

beforeEach(() => {
  place = temporaryFolder('my data')
  said = []
  return () => place.remove()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((embedded) => embedded.stop()))
})

async function start(options: Partial<EmbeddedOptions> = {}): Promise<Embedded> {
  const embedded = await startEmbedded({
    dataDir: place.folder,
    durable: false,
    say: (text) => said.push(text),
    ...options,
  })
  running.push(embedded)
  return embedded
}

const ask = (connection: Connection, sql: string): Promise<unknown[]> =>
  withClient(connection, async (client) => (await client.query({ text: sql, rowMode: 'array' })).rows.flat())

const answering = (connection: Connection) =>
  ask(connection, 'select 1').then(
    () => true,
    () => undefined,
  )

function kill(pid: number | undefined): void {
  if (pid === undefined) throw new Error('There is no process to kill.')
  process.kill(pid, 'SIGKILL')
}

test('a first start creates the database, a later one finds its data, and a stop leaves no process', async () => {
  const first = await start()
  await ask(first.connection, 'create table kept as select 42 as answer')
  const pid = first.postmaster() ?? 0
  await first.stop()
  expect(runs(pid)).toBe(false)
  const second = await start()
  expect(await ask(second.connection, 'select answer from kept')).toEqual([42])
})

test('text is UTF-8, sorts the same everywhere, and time is UTC', async () => {
  const { connection } = await start()
  const settings =
    "current_setting('server_encoding'), datlocprovider, datlocale, current_setting('timezone')"
  expect(await ask(connection, `select ${settings} from pg_database where datname = 'portico'`)).toEqual([
    'UTF8',
    'b',
    'C.UTF-8',
    'UTC',
  ])
})

test('acknowledged commits are on the disk, unless a test turned that off', async () => {
  const { connection } = await start({ durable: true })
  const durable = ['fsync', 'synchronous_commit', 'full_page_writes'].map(
    (name) => `current_setting('${name}')`,
  )
  expect(await ask(connection, `select ${durable}`)).toEqual(['on', 'on', 'on'])
})

test('a killed PostgreSQL is started again', async () => {
  const { connection, postmaster } = await start()
  for (let round = 0; round < 3; round++) {
    const before = postmaster()
    kill(before)
    await until(() => postmaster() !== before || undefined)
    const { took } = await until(() => answering(connection))
    expect(took).toBeLessThan(hung)
    expect(postmaster()).not.toBe(before)
  }
  expect(said.filter((text) => text.includes('ended unexpectedly (SIGKILL)'))).toHaveLength(3)
})

test('processes that outlive their killed server do not keep the next one from starting', async () => {
  const { connection, postmaster } = await start()
  // A busy backend notices only between two statements that its server is gone.
  const busy = ask(connection, 'do $$ begin for i in 1..2000000000 loop end loop; end $$').catch(() => 'lost')
  await until(
    async () =>
      (await ask(connection, "select 1 from pg_stat_activity where query like 'do%'")).length > 0 ||
      undefined,
  )
  const before = postmaster()
  kill(before)
  await until(() => postmaster() !== before || undefined)
  const { took } = await until(() => answering(connection))
  expect(took).toBeLessThan(hung)
  expect(await busy).toBe('lost')
})

test('a second start on the same folder is refused and harms nothing', async () => {
  const { connection, postmaster } = await start()
  const before = postmaster()
  await expect(start()).rejects.toThrow(`Portico already runs on ${place.folder} (process ${process.pid})`)
  expect(await answering(connection)).toBe(true)
  expect(postmaster()).toBe(before)
})

test('leftovers of an interrupted creation are removed', async () => {
  const left = path.join(place.folder, 'database', 'initdb-AbCdEf')
  fs.mkdirSync(path.join(left, 'base'), { recursive: true })
  if (asRoot) for (const at of [place.folder, path.dirname(left)]) fs.chmodSync(at, 0o711)
  const { connection } = await start()
  expect(await answering(connection)).toBe(true)
  expect(fs.readdirSync(path.join(place.folder, 'database')).sort()).toEqual(['portico.lock', 'postgres'])
})

test('a start that is given up leaves no process, no lock and no half database', async () => {
  for (const delay of [0, 100, 300, 450, 600]) {
    const signal = AbortSignal.timeout(delay)
    await start({ signal }).then(
      (embedded) => embedded.stop(),
      () => undefined,
    )
    expect(serversOf(path.join(place.folder, 'database', 'postgres'))).toEqual({
      postmaster: undefined,
      others: [],
    })
    expect(fs.readdirSync(path.join(place.folder, 'database')).filter((name) => name !== 'postgres')).toEqual(
      [],
    )
  }
  expect(await answering((await start()).connection)).toBe(true)
})

test('a lock whose process id went to another program is removed', async () => {
  await (await start()).stop()
  for (const lock of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    const file = path.join(place.folder, 'database', 'postgres', lock)
    fs.writeFileSync(file, `${process.pid}\n`)
    // The server's account has the same right to signal itself as to read its lock.
    const { uid, gid } = fs.statSync(path.dirname(file))
    fs.chownSync(file, uid, gid)
  }
  expect(await answering((await start()).connection)).toBe(true)
})

test('a lock that a crash left empty is removed', async () => {
  await (await start()).stop()
  fs.writeFileSync(path.join(place.folder, 'database', 'postgres', 'postmaster.pid'), '')
  expect(await answering((await start()).connection)).toBe(true)
})

test('a path too long for a socket gets one in the temporary folder, removed at the end', async () => {
  const deep = path.join(place.folder, 'a'.repeat(100))
  const embedded = await start({ dataDir: deep })
  const socket = embedded.connection.host ?? ''
  expect(socket.startsWith(deep)).toBe(false)
  expect(fs.statSync(socket).mode & 0o777).toBe(0o700)
  await embedded.stop()
  expect(fs.existsSync(socket)).toBe(false)
})

test('only the account of the server can open its socket', async () => {
  const { connection } = await start()
  expect(fs.statSync(connection.host ?? '').mode & 0o077).toBe(0)
  expect(await ask(connection, "select current_setting('listen_addresses')")).toEqual([''])
})

describe('as root', () => {
  test.runIf(asRoot)('a closed folder gets its database in another place, and says so', async () => {
    fs.chmodSync(path.dirname(place.folder), 0o700)
    const { connection } = await start()
    const elsewhere = fs.realpathSync(path.join(place.folder, 'database'))
    expect(elsewhere).toMatch(/^\/var\/lib\/portico\/database-/)
    expect(said[0]).toContain(`the database is kept in ${elsewhere}`)
    expect(await answering(connection)).toBe(true)
    await running[0]?.stop()
    fs.rmSync(elsewhere, { recursive: true })
    await expect(start()).rejects.toThrow('which is gone: bring that folder back')
  })

  test.runIf(asRoot)('PostgreSQL runs under another account', async () => {
    const { postmaster } = await start()
    const owner = execFileSync('ps', ['-o', 'uid=', '-p', String(postmaster())], { encoding: 'utf8' })
    expect(Number(owner)).not.toBe(0)
  })
})

test('a database of another major version is refused with the way on, and left alone', async () => {
  const first = await start()
  await first.stop()
  const file = path.join(place.folder, 'database/postgres/PG_VERSION')
  const current = fs.readFileSync(file, 'utf8')
  fs.writeFileSync(file, '17\n')
  await expect(start()).rejects.toThrow(
    /^The database in .* is of PostgreSQL 17, and this version of Portico has PostgreSQL \d+: run "npm run upgrade"/,
  )
  fs.writeFileSync(file, current)
  await start()
})

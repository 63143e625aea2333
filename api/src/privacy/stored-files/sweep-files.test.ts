import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import S3rver from '@20minutes/s3rver'
import { base } from '@portico/contract/wire.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { noScanner } from '#platform/files/file-scanner.ts'
import { type FileStorage, localStorage } from '#platform/files/file-storage.ts'
import { s3Storage } from '#platform/files/s3-storage.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, person } from '#test/support/people.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { sweepFiles } from './sweep-files.ts'
import { verifyFiles } from './verify-files.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const { folder, remove } = temporaryFolder()
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: path.join(folder, 'server'),
  configureBuckets: [{ name: 'portico-files', configs: [] }],
})
const { port } = await server.run()
const bucket = {
  endpoint: `http://127.0.0.1:${port}`,
  bucket: 'portico-files',
  region: 'us-east-1',
  accessKeyId: 'S3RVER',
  secretAccessKey: 'S3RVER',
}
afterAll(async () => {
  server.httpServer.closeAllConnections()
  await server.close()
  remove()
})
const ana = await person(pool, 'ana@example.com')

const day = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * day)

async function keysIn(storage: FileStorage): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of storage.list()) keys.push(key)
  return keys.sort()
}

describe.each([
  ['a folder', await localStorage(path.join(folder, 'local'))],
  ['a bucket', await s3Storage(bucket, path.join(folder, 'ours'))],
])('of %s', async (_, storage) => {
  const { app } = await testApp(pool, { files: { storage, scanner: noScanner } })
  const browser = new Browser(app)
  await browser.signIn(ana.email)
  const upload = async (): Promise<string> => {
    const answer = await browser.ask({
      method: 'POST',
      url: `${base}/ticket-files/-actions/upload?filename=a.txt`,
      headers: { authorization: `Bearer ${browser.cookies.get('token')}` },
      payload: 'hello',
    })
    return answer.json().data.id
  }
  const keyOf = async (id: string) =>
    (
      await db
        .selectFrom('ticket_files')
        .select('storage_key')
        .where('id', '=', Number(id))
        .executeTakeFirstOrThrow()
    ).storage_key
  const arrive = async (key: string = randomUUID()) => {
    await fs.writeFile(path.join(storage.incoming, key), 'left behind')
    return key
  }
  /** A file whose process ended before it wrote the row. */
  const orphan = async (key?: string) => {
    const kept = await arrive(key)
    await storage.keep(kept, path.join(storage.incoming, kept))
    return kept
  }
  const said: string[] = []
  const sweep = (now: Date, of = storage) => sweepFiles({ pool, storage: of }, now, (what) => said.push(what))

  beforeEach(async () => {
    said.length = 0
    await db.deleteFrom('ticket_files').execute()
    await db.deleteFrom('staff_alerts').execute()
    for (const key of await keysIn(storage)) await storage.remove(key)
  })

  test('incomplete files are deleted after a day, unreferenced ones after a week, and no others', async () => {
    const named = await keyOf(await upload())
    await arrive()
    const lost = await orphan()
    const rewritten = await orphan('usage-events-2026-01-01')
    await sweep(inDays(0.99))
    expect([await fs.readdir(storage.incoming), said]).toEqual([[expect.anything()], []])
    await sweep(inDays(6.99))
    expect(await fs.readdir(storage.incoming)).toEqual([])
    expect(await keysIn(storage)).toEqual([named, lost, rewritten].sort())
    await sweep(inDays(7.01))
    expect(await keysIn(storage)).toEqual([named, rewritten].sort())
    expect(said).toEqual([
      'Removed leftovers: 1 incomplete files, 0 unreferenced files.',
      'Removed leftovers: 0 incomplete files, 1 unreferenced files.',
    ])
  })

  test('an upload that ends while the sweep runs keeps its file', async () => {
    let id = ''
    // Even by a clock that runs a week ahead: its row is there before the rows are asked.
    const slow: FileStorage = {
      ...storage,
      list: async function* () {
        id = await upload()
        yield* storage.list()
      },
    }
    await sweep(inDays(8), slow)
    expect(await keysIn(storage)).toEqual([await keyOf(id)])
    expect((await browser.get(`${base}/ticket-files/${id}/-actions/download`)).body).toBe('hello')
  })

  test('if many files are unreferenced none is deleted and staff are alerted: wrong database?', async () => {
    for (let n = 0; n < 101; n++) await orphan()
    await sweep(inDays(8))
    await sweep(inDays(8))
    expect(await keysIn(storage)).toHaveLength(101)
    const alerts = await db.selectFrom('staff_alerts').select(['kind', 'about']).execute()
    expect(alerts).toEqual([{ kind: 'files_without_rows', about: 'files' }])
    expect(said).toHaveLength(1)
  })

  test('every file is compared, or as many as are asked for, and those that differ are named', async () => {
    const [whole, damaged, missing] = [await upload(), await upload(), await upload()]
    const lines: string[] = []
    const verify = (sample?: number) =>
      verifyFiles({ pool, storage }, { sample, tell: (line) => lines.push(line) })
    expect(await verify()).toEqual({ read: 3, damaged: 0, missing: 0 })
    const key = await keyOf(damaged)
    await orphan(key)
    const gone = await keyOf(missing)
    await storage.remove(gone)
    expect(await verify()).toEqual({ read: 3, damaged: 1, missing: 1 })
    expect(lines.sort()).toEqual([
      `damaged: ticket file ${damaged} (${key})`,
      `missing: ticket file ${missing} (${gone})`,
    ])
    expect((await verify(2)).read).toBe(2)
    expect(Number(whole)).toBeGreaterThan(0)
  })
})

import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import S3rver from '@20minutes/s3rver'
import { afterAll, describe, expect, test } from 'vitest'
import { fileList } from '#platform/backup/check-archive.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import { s3Storage } from '#platform/files/s3-storage.ts'
import { testDatabase } from '#test/support/database.ts'
import { person } from '#test/support/people.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { archiveFiles, restoreFiles } from './archive-files.ts'

const { pool } = await testDatabase()
const { folder, remove } = temporaryFolder()
const at = (...names: string[]) => path.join(folder, ...names)
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: at('server'),
  configureBuckets: [{ name: 'portico-files', configs: [] }],
})
const { port } = await server.run()
afterAll(async () => {
  server.httpServer.closeAllConnections()
  await server.close()
  remove()
})
const bucket = {
  endpoint: `http://127.0.0.1:${port}`,
  bucket: 'portico-files',
  region: 'us-east-1',
  accessKeyId: 'S3RVER',
  secretAccessKey: 'S3RVER',
}
const { id: clientId } = await person(pool, 'ana@example.com')

describe.each([
  ['a folder', 'a bucket', await localStorage(at('local')), await s3Storage(bucket, at('ours'))],
  ['a bucket', 'a folder', await s3Storage(bucket, at('ours')), await localStorage(at('other'))],
])('from %s into %s', (name, _, from, into) => {
  /** Stores a file; its row has the SHA-256 of `meant`. */
  async function keep(content: string, meant = content): Promise<string> {
    const key = randomUUID()
    fs.writeFileSync(path.join(from.incoming, key), content)
    await from.keep(key, path.join(from.incoming, key))
    await pool.kysely
      .insertInto('ticket_files')
      .values({
        client_id: clientId,
        uploaded_by_client_id: clientId,
        filename: 'a.txt',
        mime: 'text/plain',
        size: content.length,
        sha256: createHash('sha256').update(meant).digest(),
        storage_key: key,
        scan_status: 'clean',
      })
      .execute()
    return key
  }

  test('all files that rows name are carried over, and those that cannot be are told', async () => {
    await pool.kysely.deleteFrom('ticket_files').execute()
    const contents = Array.from({ length: 100 }, (_one, n) => `file ${n} of ${name}`)
    const keys = await Promise.all(contents.map((content) => keep(content)))
    const damaged = await keep('damaged', 'whole')
    const missing = await keep('missing')
    await from.remove(missing)
    const archive = at(`archive of ${name}`)
    fs.mkdirSync(archive)
    const told: string[] = []
    const kept = await archiveFiles({ pool, storage: from }, archive, (line) => told.push(line))
    expect(kept).toMatchObject({ count: 100, bytes: contents.join('').length, missing: 2 })
    expect(told.map((line) => line.replace(/ticket file \d+/, 'a file')).sort()).toEqual([
      `damaged: a file (${damaged})`,
      `missing: a file (${missing})`,
    ])
    const list = fs.readFileSync(path.join(archive, fileList))
    expect(kept?.sha256).toBe(createHash('sha256').update(list).digest('hex'))
    for (const key of keys) await into.remove(key)
    await restoreFiles(into, archive)
    const carried = await Promise.all(
      keys.map(async (key) => {
        const file = await into.read(key)
        return file && text(file)
      }),
    )
    expect(carried).toEqual(contents)
    expect(fs.readdirSync(into.incoming)).toEqual([])
    expect(await into.read(damaged)).toBeNull()
  })

  test('a list that leads out of the archive is refused', async () => {
    const archive = at(`evil archive of ${name}`)
    fs.mkdirSync(archive)
    fs.writeFileSync(path.join(archive, fileList), `${'0'.repeat(64)}  files/../../etc/passwd\n`)
    await expect(restoreFiles(into, archive)).rejects.toThrow(`is damaged: ${fileList} has the line`)
  })
})

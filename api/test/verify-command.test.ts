import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { localStorage } from '#platform/files/file-storage.ts'
import { testDatabase } from './support/database.ts'
import { person } from './support/people.ts'
import { temporaryFolder } from './support/temporary.ts'

const root = path.resolve(import.meta.dirname, '../..')
const { connection, pool } = await testDatabase(2)
const { folder, remove } = temporaryFolder()
afterAll(remove)
const storage = await localStorage(path.join(folder, 'files'))

const soundLedger = '0 differences in the ledger'

/** Runs `npm run verify` on this file's database. */
function verify(...args: string[]): { status: number | null; said: string[] } {
  const { host = '', port = 5432, user = '', database } = connection
  const { status, stdout, stderr } = spawnSync(process.execPath, ['api/src/commands/verify.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      DATA_DIR: folder,
      DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    },
  })
  return { status, said: (stdout + stderr).trim().split('\n') }
}

test('the command counts the files that are whole, and fails with the name of each that is not', async () => {
  const { id: clientId } = await person(pool, 'ana@example.com')
  const keep = async (key: string, text: string) => {
    const file = path.join(storage.incoming, key)
    fs.writeFileSync(file, text)
    await storage.keep(key, file)
  }
  const ids: number[] = []
  for (const key of ['aa-the-first', 'bb-the-second']) {
    await keep(key, key)
    const { id } = await pool.kysely
      .insertInto('ticket_files')
      .values({
        client_id: clientId,
        uploaded_by_client_id: clientId,
        filename: 'a.txt',
        mime: 'text/plain',
        size: key.length,
        sha256: createHash('sha256').update(key).digest(),
        storage_key: key,
        scan_status: 'clean',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.push(id)
  }
  expect(verify()).toEqual({ status: 0, said: [soundLedger, '2 files read: 0 damaged, 0 missing'] })
  await keep('aa-the-first', 'something else')
  await storage.remove('bb-the-second')
  const { status, said } = verify()
  expect([status, said.sort()]).toEqual([
    1,
    [
      soundLedger,
      '2 files read: 1 damaged, 1 missing',
      `damaged: ticket file ${ids[0]} (aa-the-first)`,
      `missing: ticket file ${ids[1]} (bb-the-second)`,
    ],
  ])
  expect(verify('--sample', '1').said.at(-1)).toMatch(/^1 files read: /)
  expect(verify('--sample', '0')).toEqual({
    status: 2,
    said: ['Usage: npm run verify [-- --sample NUMBER]'],
  })
})

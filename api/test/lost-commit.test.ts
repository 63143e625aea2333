import { base } from '@portico/contract/wire.ts'
import { afterAll, afterEach, expect, test } from 'vitest'
import { Pool } from '#platform/db/pool.ts'
import { noScanner } from '#platform/files/file-scanner.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import { makeExport } from '#privacy/data-exports.ts'
import { testApp } from './support/app.ts'
import { testDatabase } from './support/database.ts'
import { testVault } from './support/mail.ts'
import { Browser, person, stoppedClock } from './support/people.ts'
import { startRelay } from './support/relay.ts'
import { temporaryFolder } from './support/temporary.ts'

// The server commits, and the connection is lost before the client learns it: the outcome is unknown.

const { pool, connection } = await testDatabase()
const db = pool.kysely
const { folder, remove } = temporaryFolder()
const storage = await localStorage(folder)
const clock = stoppedClock()

/** The statement whose COMMIT is not answered. */
let lost: string | undefined

const relay = await startRelay(connection, (client, server) => {
  let isNear = false
  // Once it is prepared, `commit` is sent by its name alone.
  let commit = 'commit'
  client.on('data', (data) => {
    const sent = data.toString('latin1')
    commit = /([\w-]{22})\0commit\0/.exec(sent)?.[1] ?? commit
    if (lost !== undefined && sent.includes(lost)) isNear = true
    server.write(data)
    if (!(isNear && sent.includes(commit))) return
    lost = undefined
    server.off('data', answer).once('data', () => client.destroy())
  })
  const answer = (data: Buffer) => client.write(data)
  server.on('data', answer)
})
const far = new Pool(relay.connection, 4, () => undefined)
const { app } = await testApp(far, { clock, files: { storage, scanner: noScanner } })
afterAll(async () => {
  await far.close()
  relay.stop()
  remove()
})
// Else nothing was lost.
afterEach(() => expect(lost).toBeUndefined())

test('the file of an upload stays', async () => {
  const { email } = await person(pool, 'ana@example.com')
  const browser = new Browser(app)
  await browser.signIn(email)
  lost = 'insert into "ticket_files"'
  const answer = await browser.ask({
    method: 'POST',
    url: `${base}/ticket-files/-actions/upload?filename=a.txt`,
    headers: {
      authorization: `Bearer ${browser.cookies.get('token')}`,
      'content-type': 'application/octet-stream',
    },
    payload: Buffer.from('hello there'),
  })
  expect(answer.statusCode).toBe(503)
  const { storage_key } = await db.selectFrom('ticket_files').select('storage_key').executeTakeFirstOrThrow()
  const kept = await storage.read(storage_key)
  expect(String(Buffer.concat((await kept?.toArray()) ?? []))).toBe('hello there')
})

test('the copy of a person’s data stays', async () => {
  const { id: client_id } = await person(pool, 'mihai@example.com')
  const { id } = await db
    .insertInto('data_exports')
    .values({ client_id, created_at: clock.now().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const archivist = { pool: far, clock, vault: testVault, storage, partsOf: async () => [] }
  lost = 'data-export-ready'
  await expect(makeExport(archivist, id, { last: true })).rejects.toThrow()
  const { status, file_key } = await db
    .selectFrom('data_exports')
    .select(['status', 'file_key'])
    .executeTakeFirstOrThrow()
  expect(status).toBe('ready')
  const kept = await storage.read(file_key ?? '')
  expect((await kept?.toArray())?.length).toBeGreaterThan(0)
})

import fs from 'node:fs/promises'
import path from 'node:path'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DocumentMaker, documentMaker } from '#money/invoices/documents/document-maker.ts'
import { makeInvoiceFiles, remakeMissingFiles } from '#money/invoices/files.ts'
import { issueInvoice } from '#money/invoices/invoices.ts'
import { systemClock } from '#platform/clock.ts'
import { Reads } from '#platform/db/hosts/reads.ts'
import { noScanner } from '#platform/files/file-scanner.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import { exportPartsOf } from '#privacy/data-export-parts.ts'
import { makeExport } from '#privacy/data-exports.ts'
import { models } from '#start/models.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { makeBuyer, makeOperator } from '#test/support/documents.ts'
import { testVault } from '#test/support/mail.ts'
import { businessTime } from '#test/support/money.ts'
import { Browser, person } from '#test/support/people.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { unzip } from '#test/support/zip.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const { folder, remove } = temporaryFolder()
const storage = await localStorage(folder)
const { app, lines } = await testApp(pool, {
  files: { storage, scanner: noScanner },
  env: { rateLimitScale: 1000 },
})
const documents = documentMaker()
const ana = await person(pool, 'ana@example.com')
const browser = new Browser(app)
/** Two documents, and an attachment that is too large to be sent from memory. */
const made: { number: string; id: number }[] = []
const large = Buffer.alloc(3 * 1_048_576, 'a')
let fileId = ''

beforeAll(async () => {
  await businessTime(pool, '2026-11-20T10:00:00Z')
  await makeOperator(pool)
  await makeBuyer(pool, ana)
  await browser.signIn(ana.email)
  for (let n = 0; n < 2; n++) {
    const { id, fullNumber } = await db
      .transaction()
      .execute((tx) => issueInvoice(tx, { clientId: ana.id, sum: { net: '50' } }))
    await makeInvoiceFiles({ pool, vault: testVault, storage, documents }, id)
    made.push({ id, number: fullNumber })
  }
  const up = await browser.ask({
    method: 'POST',
    url: `${base}/ticket-files/-actions/upload?filename=large.txt`,
    headers: { authorization: `Bearer ${browser.cookies.get('token')}` },
    payload: large,
  })
  fileId = up.json().data.id
})
afterAll(async () => {
  await documents.close()
  remove()
})
beforeEach(async () => {
  lines.length = 0
  await db.deleteFrom('staff_alerts').execute()
})

const placeOf = (key: string) => path.join(folder, key.slice(0, 2), key)
const alerts = () => db.selectFrom('staff_alerts').select(['kind', 'about', 'detail']).execute()
const errors = () => lines.filter(({ level, msg }) => level === 50 && msg === 'the file storage failed')

async function keyOf(what: 'pdf' | 'xml' | 'file'): Promise<string> {
  if (what === 'file')
    return (await db.selectFrom('ticket_files').select('storage_key').executeTakeFirstOrThrow()).storage_key
  const row = await db
    .selectFrom('invoices')
    .select(`${what}_key as key`)
    .where('id', '=', made[0]?.id ?? 0)
    .executeTakeFirstOrThrow()
  return row.key ?? ''
}
const addressOf = (what: 'pdf' | 'xml' | 'file') =>
  what === 'file'
    ? `${base}/ticket-files/${fileId}/-actions/download`
    : `${base}/invoices/${made[0]?.id}/-actions/${what === 'pdf' ? 'download' : what}`

const harms = {
  changed: async (file: string) => {
    const bytes = await fs.readFile(file)
    bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1
    await fs.writeFile(file, bytes)
  },
  'cut by 50 bytes': async (file: string) => fs.truncate(file, (await fs.stat(file)).size - 50),
  lengthened: (file: string) => fs.appendFile(file, 'x'),
  missing: (file: string) => fs.rm(file),
}

/** Runs with a file that came to harm, and puts it back. */
async function harmed(what: 'pdf' | 'xml' | 'file', how: keyof typeof harms, run: () => Promise<void>) {
  const file = placeOf(await keyOf(what))
  const bytes = await fs.readFile(file)
  await harms[how](file)
  await run().finally(() => fs.writeFile(file, bytes))
}

const cases = (['pdf', 'xml', 'file'] as const).flatMap((what) =>
  (['changed', 'cut by 50 bytes', 'lengthened', 'missing'] as const).map((how) => [what, how] as const),
)

test.each(cases)(
  'of a %s that is %s no byte is sent; staff are alerted and the log has a line',
  async (what, how) => {
    const whole = await browser.get(addressOf(what))
    expect(whole.statusCode).toBe(200)
    const code = how === 'missing' ? 'file_missing' : 'file_damaged'
    await harmed(what, how, async () => {
      const answer = await browser.get(addressOf(what))
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([503, 'application/vnd.api+json'])
      const [error] = answer.json().errors
      expect(error).toMatchObject({ status: '503', code })
      await browser.get(addressOf(what))
      const about = what === 'file' ? `ticket file ${fileId}` : `document ${made[0]?.number}.${what}`
      expect(await alerts()).toMatchObject([
        { kind: how === 'missing' ? 'file_missing' : 'file_damaged', about },
      ])
      expect(errors()).toMatchObject([{ request_id: error.id }, {}])
      expect(JSON.stringify(errors()[0])).toContain(about)
    })
    expect((await browser.get(addressOf(what))).rawPayload.equals(whole.rawPayload)).toBe(true)
  },
)

const press = { pool, vault: testVault, storage, documents }
const asked = async () =>
  (
    await sql<{ payload: unknown }>`select j.payload from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'invoice.remake'`.execute(
      db,
    )
  ).rows.map(({ payload }) => payload)

test.each(['pdf', 'xml'] as const)(
  'a missing %s is made again, when that gives the same bytes',
  async (what) => {
    const invoiceId = made[0]?.id ?? 0
    const whole = await browser.get(addressOf(what))
    const warnings: string[] = []
    const remake = (maker: Pick<DocumentMaker, 'pdf'> = documents) =>
      remakeMissingFiles({ ...press, documents: maker }, invoiceId, (text) => warnings.push(text))
    await harmed(what, 'missing', async () => {
      expect((await browser.get(addressOf(what))).statusCode).toBe(503)
      expect(await asked()).toEqual([{ invoiceId }])
      if (what === 'pdf') {
        await remake({ pdf: async () => Buffer.from('%PDF-1.7 of another layout') })
        expect(warnings).toEqual([expect.stringContaining(`${made[0]?.number}.pdf is missing`)])
        expect((await browser.get(addressOf(what))).json().errors[0].code).toBe('file_missing')
      }
      await remake()
      expect((await browser.get(addressOf(what))).rawPayload.equals(whole.rawPayload)).toBe(true)
      const open = await db.selectFrom('staff_alerts').select('id').where('resolved_at', 'is', null).execute()
      expect(open).toEqual([])
    })
  },
)

test('a damaged document is not made again', async () => {
  await harmed('pdf', 'changed', async () => {
    await remakeMissingFiles(press, made[0]?.id ?? 0, () => undefined)
    expect((await browser.get(addressOf('pdf'))).json().errors[0].code).toBe('file_damaged')
  })
})

const archive = () =>
  browser.send('POST', `${base}/invoices/-actions/downloadArchive`, { from: '2026-11-01' })

test('an archive leaves a damaged or missing document out, and names it in the language of the reader', async () => {
  const complete = await archive()
  expect(unzip(complete.rawPayload).size).toBe(2)
  expect(complete.headers['x-missing-files']).toBe('0')
  const [lost, other] = made.map(({ number }) => `${number}.pdf`)
  for (const [how, language, note, word] of [
    ['changed', 'en', 'missing-documents.txt', 'damaged or missing'],
    ['missing', 'ro', 'documente-lipsa.txt', 'deteriorate sau lipsesc'],
  ] as const)
    await harmed('pdf', how, async () => {
      browser.cookies.set('lang', language)
      const answer = await archive()
      expect([answer.statusCode, answer.headers['x-total-files'], answer.headers['x-missing-files']]).toEqual(
        [200, '1', '1'],
      )
      const files = unzip(answer.rawPayload)
      expect([...files.keys()].toSorted()).toEqual([other, note].toSorted())
      expect(files.get(note)?.toString()).toContain(word)
      expect(files.get(note)?.toString()).toContain(`\r\n${lost}\r\n`)
    })
  browser.cookies.set('lang', 'en')
  expect(await alerts()).toHaveLength(2)
})

test('an archive of damaged documents alone is refused before its first byte', async () => {
  const rows = await db.selectFrom('invoices').select('pdf_key').orderBy('id').execute()
  const places = rows.map(({ pdf_key }) => placeOf(pdf_key ?? ''))
  const contents = await Promise.all(places.map((place) => fs.readFile(place)))
  await Promise.all(places.map(harms.changed))
  const answer = await archive()
  await Promise.all(places.map((place, at) => fs.writeFile(place, contents[at] ?? '')))
  const [error] = answer.json().errors
  const names = made.map(({ number }) => `${number}.pdf`)
  expect([answer.statusCode, error.code, error.meta.files]).toEqual([503, 'archive_damaged', names])
  expect(error.detail).toContain(names.join(', '))
})

const parts = {
  pool,
  clock: systemClock,
  vault: testVault,
  storage,
  partsOf: exportPartsOf({ pool, reads: new Reads(pool), models, storage }),
}

test('a copy of one’s data has all but what is damaged, and says which; its own file is checked too', async () => {
  const { id } = (await browser.send('POST', '/api/user/exports', {})).json()
  await harmed('pdf', 'cut by 50 bytes', () => makeExport(parts, id, { last: true }))
  const got = await browser.get(`/api/user/exports/${id}/file`)
  const files = unzip(got.rawPayload)
  expect(files.get('damaged-or-missing-files.txt')?.toString()).toBe(`documents/${made[0]?.number}.pdf\n`)
  expect(files.has(`documents/${made[0]?.number}.pdf`)).toBe(false)
  expect(files.get(`documents/${made[0]?.number}.xml`)).toBeDefined()
  expect([...files].find(([name]) => name.endsWith('large.txt'))?.[1].equals(large)).toBe(true)
  const { file_key } = await db.selectFrom('data_exports').select('file_key').executeTakeFirstOrThrow()
  await harms.lengthened(placeOf(file_key ?? ''))
  const damaged = await browser.get(`/api/user/exports/${id}/file`)
  expect([damaged.statusCode, damaged.json().errors[0].code]).toEqual([503, 'file_damaged'])
})

import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { render } from '#notifications/letters/render.ts'
import { Reads } from '#platform/db/hosts/reads.ts'
import { noScanner } from '#platform/files/file-scanner.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import { models } from '#start/models.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { makeBuyer, makeDocuments } from '#test/support/documents.ts'
import { newestLetter, testVault } from '#test/support/mail.ts'
import { Browser, person, stoppedClock } from '#test/support/people.ts'
import { share } from '#test/support/share.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { makeTicket } from '#test/support/ticket.ts'
import { unzip } from '#test/support/zip.ts'
import { exportPartsOf } from './data-export-parts.ts'
import { type DataExportParts, makeExport, pruneExports, requestExport } from './data-exports.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
const temporary = temporaryFolder()
const storage = await localStorage(temporary.folder)
const { app } = await testApp(pool, {
  clock,
  files: { storage, scanner: noScanner },
  env: { rateLimitScale: 1000 },
})
const archivist: DataExportParts = {
  pool,
  clock,
  vault: testVault,
  storage,
  partsOf: exportPartsOf({ pool, reads: new Reads(pool), models, storage }),
}
const minutes = 60_000

let count = 0
async function somebody() {
  clock.forward(2 * minutes)
  const one = await person(pool, `export-${++count}@example.test`)
  const browser = new Browser(app)
  await browser.signIn(one.email)
  return { ...one, browser }
}

const ask = (browser: Browser) => browser.send('POST', '/api/user/exports', {})
const listed = async (browser: Browser) => (await browser.get('/api/user/exports')).json().exports
const fetched = (browser: Browser, id: number | string) => browser.get(`/api/user/exports/${id}/file`)

/** Someone with a workspace, documents whose files are kept, a ticket with a file, and a guest. */
async function furnished() {
  const ana = await somebody()
  await makeDocuments(pool, ana)
  await makeBuyer(pool, ana, { country: 'DE', city: 'Bonn', zip: '53111' })
  const keep = async (key: string, text: string) => {
    const file = path.join(storage.incoming, key)
    await fs.writeFile(file, text)
    await storage.keep(key, file)
    return createHash('sha256').update(text).digest()
  }
  const pdf = await keep('pdf-of-the-invoice', '%PDF-1.7 the invoice')
  await pool.kysely
    .updateTable('invoices')
    .set({ pdf_key: 'pdf-of-the-invoice', pdf_sha256: pdf.toString('hex') })
    .where('client_id', '=', ana.id)
    .where('full_number', '=', 'HST-1')
    .execute()
  const { files } = await makeTicket(pool, { client: ana.id })
  const kept = await pool.kysely
    .selectFrom('ticket_files')
    .select(['id', 'storage_key'])
    .where('id', 'in', [...files])
    .execute()
  for (const { id, storage_key } of kept) {
    const sha256 = await keep(storage_key, `file ${id}`)
    await pool.kysely.updateTable('ticket_files').set({ sha256 }).where('id', '=', id).execute()
  }
  return { ...ana, file: files[0], hidden: files[1] }
}

test('the letter about a copy says who asked for it', async () => {
  const ana = await somebody()
  const made = await pool.kysely
    .transaction()
    .execute((tx) => requestExport(tx, ana.id, archivist.clock.now(), true))
  await makeExport(archivist, made.id, { last: true })
  const letter = await newestLetter(pool, ana.email, 'data-export-ready')
  const { text } = render(letter, 'en', 'https://portal.example')
  expect(text).toContain('Our team has prepared the copy')
  expect(text).not.toContain('someone else is signed in')
  const own = render({ ...letter, byStaff: false }, 'en', 'https://portal.example')
  expect(own.text).toContain('someone else is signed in')
})

test('a copy holds the person’s data, tables, documents and files, and nothing of anybody else', async () => {
  const ana = await furnished()
  const [other, guest] = [await somebody(), await somebody()]
  await share(pool, other, ana, { billing: 'allowed', tickets: 'allowed' })
  await share(pool, ana, guest, { billing: 'allowed', tickets: 'allowed' })
  const asked = (await ask(ana.browser)).json()
  expect(asked).toMatchObject({ status: 'waiting', done: 0, total: 0, size: null })
  expect((await fetched(ana.browser, asked.id)).statusCode).toBe(409)
  expect((await ask(ana.browser)).statusCode).toBe(409)

  await makeExport(archivist, asked.id, { last: true })
  const [ready] = await listed(ana.browser)
  expect(ready).toMatchObject({ id: asked.id, status: 'ready', done: ready.total })
  const { until } = await newestLetter(pool, ana.email, 'data-export-ready')
  expect(Date.parse(until)).toBe(Date.parse(ready.expires_at))

  const answer = await fetched(ana.browser, asked.id)
  expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
    200,
    'application/zip',
    'no-store',
  ])
  expect(answer.headers['content-disposition']).toBe('attachment; filename=portico-2026-01-15.zip')
  const files = unzip(answer.rawPayload)
  expect(files.size).toBe(ready.total)
  expect(files.get('documents/HST-1.pdf')?.toString()).toBe('%PDF-1.7 the invoice')
  expect(files.get(`attachments/${ana.file}-log.txt`)?.toString()).toBe(`file ${ana.file}`)
  const of = (name: string) => JSON.parse(String(files.get(`data/${name}.json`)))
  expect(of('clients').data).toMatchObject([{ id: String(ana.id), attributes: { email: ana.email } }])
  expect(of('projects').data).toMatchObject([{ attributes: { name: 'My Workspace' } }])
  expect(of('ticket-messages').data).toHaveLength(2)
  expect(of('invoices').data).toHaveLength(3)
  expect(of('share-invitations').data).toHaveLength(1)
  expect(of('former-billing-details')).toMatchObject([{ country: 'RO', city: 'Dej', vat_number: null }])
  expect(of('sign-in').security_log).toMatchObject([{ kind: 'signed-in' }])
  expect(files.get('tables/billing-logs.csv')?.toString()).toContain('period,')
  expect([...files.keys()]).toContain('tables/usages.csv')
  expect(files.get('tables/tickets.csv')?.toString()).toContain('The site is slow')

  const everything = [...files.values()].map(String).join('\n')
  for (const secret of [other.email, 'It is the cache', 'cache.txt', 'argon2', 'token_hash', 'secret'])
    expect(everything.includes(secret) && secret).toBe(false)
})

test.each([
  ['../../../etc/cron.d/job.txt', 'job.txt'],
  [String.raw`..\..\boot.txt`, 'boot.txt'],
  ['%2e%2e%2f%2e%2e%2fetc%2fpasswd.txt', '_2e_2e_2f_2e_2e_2fetc_2fpasswd.txt'],
  ['C:stream.txt', 'C_stream.txt'],
  ['a\0b\r\n\u001b[31m\u202ec.txt', 'ab[31mc.txt'],
  ['same.txt', 'same.txt'],
])('a file that was sent as %j is in a copy as %j, below its number', async (sent, name) => {
  const { browser } = await somebody()
  const upload = (content: string) =>
    browser.ask({
      method: 'POST',
      url: `/api/v1/ticket-files/-actions/upload?filename=${encodeURIComponent(sent)}`,
      headers: {
        authorization: `Bearer ${browser.cookies.get('token')}`,
        'content-type': 'application/octet-stream',
      },
      payload: content,
    })
  const contents = ['one', 'two']
  const ids: string[] = []
  for (const content of contents) ids.push((await upload(content)).json().data.id)
  const { id } = (await ask(browser)).json()
  await makeExport(archivist, id, { last: true })
  const files = unzip((await fetched(browser, id)).rawPayload)
  const attached = [...files].filter(([path]) => path.startsWith('attachments/'))
  expect(attached.map(([path, content]) => [path, String(content)])).toEqual(
    ids.map((id, at) => [`attachments/${id}-${name}`, contents[at]]),
  )
  expect([...files.keys()].filter((path) => !/^(?:attachments|data|tables)\/[^/]+$/.test(path))).toEqual([])
})

test('a copy is the owner’s alone: no guest, stranger, key or old sign-in gets it', async () => {
  const [ana, guest] = [await somebody(), await somebody()]
  await share(pool, ana, guest, { billing: 'allowed', tickets: 'allowed', workspace_resources: 'all' })
  const { id } = (await ask(ana.browser)).json()
  await makeExport(archivist, id, { last: true })
  expect(await listed(guest.browser)).toEqual([])
  for (const at of [id, `${id}?client_id=${ana.id}`, `0${id}`, `${id}%00`, '../user'])
    expect((await fetched(guest.browser, at)).statusCode).toBe(404)
  expect((await new Browser(app).get(`/api/user/exports/${id}/file`)).statusCode).toBe(401)
  expect((await fetched(ana.browser, id)).statusCode).toBe(200)
  clock.forward(11 * minutes)
  await ana.browser.refresh()
  const late = await fetched(ana.browser, id)
  expect([late.statusCode, late.json().errors[0].code]).toEqual([403, 'recent_sign_in_required'])
  // To ask for one gives nothing away, and its owner is written to.
  expect((await listed(ana.browser))[0]).toMatchObject({ id, status: 'ready' })
})

test('a data export is kept for three days, and its file is deleted then', async () => {
  const ana = await somebody()
  const { id } = (await ask(ana.browser)).json()
  await makeExport(archivist, id, { last: true })
  const { file_key: key } = await pool.kysely
    .selectFrom('data_exports')
    .select('file_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  clock.forward(72 * 60 * minutes)
  await ana.browser.signIn(ana.email)
  expect((await fetched(ana.browser, id)).statusCode).toBe(404)
  expect(await listed(ana.browser)).toEqual([])
  await pruneExports(pool.kysely, clock.now())
  const left = await pool.kysely.selectFrom('data_exports').select('id').where('id', '=', id).execute()
  expect(left).toEqual([])
  const jobs = await pool.run({
    sql: `select j.payload ->> 'key' as key from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'file.remove'`,
    values: [],
  })
  expect(jobs).toContainEqual({ key })
})

test('a failed export leaves no partial archive, is retried, and is reported in the end', async () => {
  const ana = await somebody()
  const { id } = (await ask(ana.browser)).json()
  const partsOf: DataExportParts['partsOf'] = async () => [
    ...(await archivist.partsOf(ana.id)),
    { name: 'documents/gone.pdf', compress: false, open: () => Promise.reject(new Error('gone')) },
  ]
  await expect(makeExport({ ...archivist, partsOf }, id, { last: false })).rejects.toThrow('gone')
  expect(await listed(ana.browser)).toMatchObject([{ id, status: 'running' }])
  await expect(makeExport({ ...archivist, partsOf }, id, { last: true })).rejects.toThrow('gone')
  expect(await listed(ana.browser)).toMatchObject([{ id, status: 'failed' }])
  expect((await fetched(ana.browser, id)).statusCode).toBe(409)
  expect(await fs.readdir(storage.incoming)).toEqual([])
  const again = (await ask(ana.browser)).json()
  await makeExport(archivist, again.id, { last: true })
  expect((await fetched(ana.browser, again.id)).statusCode).toBe(200)
})

test('three copies a day are enough', async () => {
  const ana = await somebody()
  const nothing: DataExportParts = { ...archivist, partsOf: async () => [] }
  for (let n = 0; n < 3; n++) await makeExport(nothing, (await ask(ana.browser)).json().id, { last: true })
  const fourth = await ask(ana.browser)
  expect([fourth.statusCode, fourth.json().errors[0].code]).toEqual([429, 'data_exports_most'])
})

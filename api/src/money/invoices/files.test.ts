import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { documentMaker } from '#money/invoices/documents/document-maker.ts'
import { factsIn } from '#notifications/letters/words.ts'
import { noScanner } from '#platform/files/file-scanner.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import { factsOf } from '#staff/alert-notices.ts'
import type { Account } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { makeBuyer, makeOperator } from '#test/support/documents.ts'
import { lettersTo, testVault } from '#test/support/mail.ts'
import { businessTime } from '#test/support/money.ts'
import { readPdf } from '#test/support/pdf.ts'
import { Browser, person } from '#test/support/people.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { creditNote } from './credit-notes.ts'
import { ageDocuments, type DocumentParts, makeInvoiceFiles, requestLateFiles } from './files.ts'
import { issueInvoice, issueProforma } from './invoices.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const { folder, remove } = temporaryFolder()
const storage = await localStorage(folder)
const { app } = await testApp(pool, { files: { storage, scanner: noScanner } })
const documents = documentMaker()
const press: DocumentParts = { pool, vault: testVault, storage, documents }
const ana = await person(pool, 'ana@example.com')
const eve = await person(pool, 'eve@example.com')
const browser = new Browser(app)
const stranger = new Browser(app)
const warnings: string[] = []

beforeAll(async () => {
  await businessTime(pool, '2026-11-20T10:00:00Z')
  await makeOperator(pool)
  for (const one of [ana, eve]) await makeBuyer(pool, one)
  await sql`update client_entities set billing_emails = 'books@example.com, ANA@example.com' where client_id = ${ana.id}`.execute(
    db,
  )
  await browser.signIn(ana.email)
  await stranger.signIn(eve.email)
})
afterAll(async () => {
  await documents.close()
  remove()
})

const make = async (id: number) => void warnings.push(...(await makeInvoiceFiles(press, id)))
const advance = (who: Pick<Account, 'id'> = ana, net = '50') =>
  db.transaction().execute((tx) => issueInvoice(tx, { clientId: who.id, sum: { net } }))
const at = (id: number, what = 'download') => `/api/v1/invoices/${id}/-actions/${what}`
const archive = (body: object, who = browser) =>
  who.send('POST', '/api/v1/invoices/-actions/downloadArchive', body)

test('a document is downloaded byte for byte as it was made, only by its readers', async () => {
  const { id, fullNumber } = await advance()
  const early = await browser.get(at(id))
  expect([early.statusCode, early.json().errors[0].code]).toEqual([409, 'document_pdf_not_ready'])
  await Promise.all([make(id), make(id)])
  const first = await browser.get(at(id))
  expect(first.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename=${fullNumber}.pdf`,
    'content-security-policy': expect.stringContaining('sandbox'),
  })
  const row = await db.selectFrom('invoices').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(createHash('sha256').update(first.rawPayload).digest('hex')).toBe(row.pdf_sha256)
  await make(id)
  expect((await browser.get(at(id))).rawPayload.equals(first.rawPayload)).toBe(true)
  const xml = await browser.get(at(id, 'xml'))
  expect(xml.headers['content-type']).toMatch('application/xml')
  expect(xml.body).toContain(`<cbc:ID>${fullNumber}</cbc:ID>`)

  for (const what of ['download', 'xml']) {
    expect((await stranger.get(at(id, what))).statusCode).toBe(404)
    expect((await app.inject({ url: at(id, what) })).statusCode).toBe(401)
  }
  expect((await browser.get(at(999_999))).statusCode).toBe(404)
  expect((await browser.get(at(id).replace(String(id), 'x'))).statusCode).toBe(404)
})

test.each([
  ['en', 'Invoice', 'Total without VAT', 'VAT 21% of'],
  ['ro', 'Factură', 'Total fără TVA', 'TVA 21% din'],
] as const)('the PDF in %s says what the books do, to the cent', async (language, title, ...labels) => {
  await makeBuyer(pool, ana, { language })
  const { id } = await advance(ana, '1234.57')
  await make(id)
  const row = await db.selectFrom('invoices').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const read = await readPdf((await browser.get(at(id))).rawPayload)
  expect(read.title).toBe(`${title} ${row.full_number}`)
  // In this test's way and not the document's own: 1493.83 is written 1,493.83.
  const [net, vat, total] = [row.net, row.vat, row.total].map((exact) =>
    exact.replace(/^(\d)(\d{3}\.)/, '$1,$2'),
  )
  expect([net, vat, total]).toEqual(['1,234.57', '259.26', '1,493.83'])
  expect(read.rows).toEqual(
    expect.arrayContaining([
      `${labels[0]} ${net}`,
      `${labels[1]} ${net} ${vat}`,
      `Total (${row.currency}) ${total}`,
      expect.stringContaining(row.vat_local.replace(/^(\d)(\d{3}\.)/, '$1,$2')),
    ]),
  )
  const whole = read.rows.join('\n')
  for (const part of [row.full_number, 'Test Cloud SRL', 'Ștefan & Țiței SRL', 'Strada Lungă 12'])
    expect(whole).toContain(part)
})

test('two who make it at once leave one, and nothing besides', async () => {
  const { id } = await advance()
  await Promise.all([1, 2, 3].map(() => make(id)))
  const kept = await db
    .selectFrom('invoices')
    .select(({ fn }) => [fn.count<number>('pdf_key').as('pdf'), fn.count<number>('xml_key').as('xml')])
    .executeTakeFirstOrThrow()
  const files = (await fs.readdir(folder, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  )
  expect(files).toHaveLength(Number(kept.pdf) + Number(kept.xml))
  expect(await fs.readdir(path.join(folder, 'incoming'))).toEqual([])
})

test('the client is notified once, also at the addresses for bills', async () => {
  const { id, fullNumber } = await advance()
  await make(id)
  await make(id)
  for (const to of ['ana@example.com', 'books@example.com']) {
    const letters = (await lettersTo(pool, to)).filter(
      (letter) => letter.kind === 'invoice-issued' && letter.number === fullNumber,
    )
    expect(letters).toMatchObject([{ total: '60.50', due: null }])
  }
})

test('a proforma has a PDF and no electronic invoice; a credit note has both', async () => {
  const proforma = await db
    .transaction()
    .execute((tx) => issueProforma(tx, { clientId: ana.id, sum: { net: '20' } }))
  await make(proforma.id)
  expect((await browser.get(at(proforma.id))).statusCode).toBe(200)
  expect((await browser.get(at(proforma.id, 'xml'))).statusCode).toBe(409)
  const { id, fullNumber } = await advance()
  const reason = { en: 'back', ro: 'înapoi' }
  const note = await db.transaction().execute((tx) => creditNote(tx, { invoiceId: id, reason }))
  await make(note.id)
  const { body } = await browser.get(at(note.id, 'xml'))
  expect(body).toContain('<CreditNote ')
  expect(body).toContain(`<cac:InvoiceDocumentReference><cbc:ID>${fullNumber}</cbc:ID>`)
  expect(warnings).toEqual([])
})

test('a document that violates a rule has no XML, and staff learn which rule, in words', async () => {
  const { id, fullNumber } = await advance()
  // Today's forms and columns let nothing of the kind in; an import or an older version may have.
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update invoices set buyer = jsonb_set(buyer, '{city}', to_jsonb(repeat('Lungă', 11))) where id = ${id}`.execute(
      tx,
    )
  })
  expect(await makeInvoiceFiles(press, id)).toEqual(['BR-RO-L050'])
  expect((await browser.get(at(id))).statusCode).toBe(200)
  expect((await browser.get(at(id, 'xml'))).statusCode).toBe(409)
  const alert = await db
    .selectFrom('staff_alerts')
    .select(['kind', 'detail'])
    .where('about', '=', `document ${fullNumber}`)
    .executeTakeFirstOrThrow()
  expect(alert).toEqual({ kind: 'einvoice_broken', detail: { rules: ['BR-RO-L050'] } })
  const facts = factsOf(z.parse(z.record(z.string(), z.unknown()), alert.detail))
  expect(factsIn('en', facts)).toEqual(['Rules: BR-RO-L050 (a text is too long)'])
  expect(factsIn('ro', facts)).toEqual(['Reguli: BR-RO-L050 (un text este prea lung)'])
})

test('many come as one archive, which holds what the period does', async () => {
  const answer = await archive({ from: '2026-11-01', to: '2026-11-30', kinds: ['fiscal'] })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('application/zip')
  const many = await db
    .selectFrom('invoices')
    .select('full_number')
    .where('kind', '=', 'fiscal')
    .where('client_id', '=', ana.id)
    .where('pdf_key', 'is not', null)
    .execute()
  expect(answer.headers['x-total-files']).toBe(String(many.length))
  for (const { full_number } of many) expect(answer.rawPayload.includes(`${full_number}.pdf`)).toBe(true)
  const open = await archive({ from: '2026-11-01', kinds: ['fiscal'] })
  expect(open.headers['x-total-files']).toBe(String(many.length))
  expect(open.headers['content-disposition']).toContain('documents-2026-11-01.zip')
  const xml = await archive({ data: { from: '2026-11-01', to: '2026-11-30', format: 'xml' } })
  expect(xml.rawPayload.includes('.xml')).toBe(true)
})

test('chosen documents come as one archive, and none of another account', async () => {
  const [first, second] = await db
    .selectFrom('invoices')
    .select(['id', 'full_number'])
    .where('client_id', '=', ana.id)
    .where('pdf_key', 'is not', null)
    .orderBy('id')
    .limit(2)
    .execute()
  const one = await archive({ ids: [first?.id] })
  expect([one.statusCode, one.headers['x-total-files']]).toEqual([200, '1'])
  expect(one.rawPayload.includes(`${first?.full_number}.pdf`)).toBe(true)
  expect(one.rawPayload.includes(`${second?.full_number}.pdf`)).toBe(false)
  const theirs = await archive({ ids: [first?.id] }, stranger)
  expect([theirs.statusCode, theirs.json().errors[0].code]).toEqual([409, 'archive_empty'])
})

test.each([
  [{ ids: [] }, 422, 'entries_missing'],
  [{ to: '2026-11-01' }, 422, 'value_required'],
  [{ from: 'x', to: 'y' }, 422, 'day_invalid'],
  [{ from: '0000-01-01' }, 422, 'day_out_of_range'],
  [{ from: '2026-11-01', to: '0000-12-31' }, 422, 'day_out_of_range'],
  [{ from: '2020-01-01', to: '2020-12-31' }, 409, 'archive_empty'],
  [{ from: '2026-11-01', to: '2026-11-30', client_id: 1 }, 404, 'not_found'],
])('an archive of %j is refused', async (body, status, code) => {
  const who = 'client_id' in body ? stranger : browser
  const asked = 'client_id' in body ? { ...body, client_id: ana.id } : body
  const answer = await archive(asked, who)
  expect([answer.statusCode, answer.json().errors[0].code]).toEqual([status, code])
})

test('an archive holds 200 documents, and of one more none', async () => {
  const { id } = await advance(eve)
  const issued =
    await sql`insert into invoices (client_id, kind, reason, currency, due_date, tax_point_date, seller, buyer,
      vat_treatment, vat_country, vat_rate, vat_evidence, net, vat, total, vat_groups, local_currency, vat_local, locale)
    select client_id, kind, reason, currency, due_date, tax_point_date, seller, buyer, vat_treatment, vat_country, vat_rate,
      vat_evidence, net, vat, total, vat_groups, local_currency, vat_local, locale
    from invoices, generate_series(1, 200) where id = ${id}`.execute(db)
  expect(issued.numAffectedRows).toBe(200n)
  await sql`insert into invoice_lines (invoice_id, position, kind, description_en, description_ro, quantity, unit_price, net,
      vat_category, vat_country, vat_rate)
    select i.id, position, l.kind, description_en, description_ro, quantity, unit_price, l.net, vat_category, l.vat_country,
      l.vat_rate
    from invoices i, invoice_lines l where i.client_id = ${eve.id} and i.issued_at is null and l.invoice_id = ${id}`.execute(
    db,
  )
  await sql`select invoice_issue(id, operator_today(), 'paid') from invoices
    where client_id = ${eve.id} and issued_at is null`.execute(db)
  // The file of another document is as good as one's own to be counted.
  const filed = (more: number) =>
    sql`update invoices i set pdf_key = f.pdf_key, pdf_sha256 = f.pdf_sha256
    from (select pdf_key, pdf_sha256 from invoices where pdf_key is not null limit 1) f where i.id in (
      select id from invoices where client_id = ${eve.id} and pdf_key is null order by id limit ${more})`.execute(
      db,
    )
  await filed(200)
  const most = await archive({ from: '2026-11-01' }, stranger)
  expect([most.statusCode, most.headers['x-total-files']]).toEqual([200, '200'])
  await filed(1)
  const more = await archive({ from: '2026-11-01' }, stranger)
  expect([more.statusCode, more.json().errors]).toMatchObject([
    422,
    [{ code: 'archive_most', detail: 'An archive can have at most 200 documents. Choose a shorter period.' }],
  ])
})

test('documents that still have no files are queued again', async () => {
  const { id } = await advance()
  await sql`update graphile_worker._private_jobs set key = null`.execute(db)
  await businessTime(pool, '2026-11-20T11:00:00Z')
  await requestLateFiles(db)
  const { rows } = await sql<{
    key: string
  }>`select key from graphile_worker.jobs where key is not null`.execute(db)
  expect(rows).toContainEqual({ key: `invoice.documents:${id}` })
})

test('proformas expire, and bills that are due are overdue', async () => {
  const { id } = await db
    .transaction()
    .execute((tx) => issueProforma(tx, { clientId: ana.id, sum: { net: '20' } }))
  const status = async () => (await browser.get(`/api/v1/invoices/${id}`)).json().data.attributes
  await ageDocuments(db)
  expect(await status()).toMatchObject({ status: 'unpaid', open: 24.2 })
  await businessTime(pool, '2026-12-06T11:00:00Z')
  await ageDocuments(db)
  expect(await status()).toMatchObject({ status: 'expired', open: 0 })
})

test('faults in a request for an archive are reported at their places', async () => {
  const faults = async (body: object) =>
    (await archive(body))
      .json()
      .errors.map(({ source, detail }: { source: { pointer: string }; detail: string }) => [
        source.pointer,
        detail,
      ])
  const wrong = { from: '2026-11-01', kinds: [] }
  browser.cookies.set('lang', 'en')
  expect(await faults(wrong)).toEqual([['/kinds', 'At least one entry']])
  expect(await faults({ data: wrong })).toEqual([['/data/kinds', 'At least one entry']])
  expect(await faults([])).toEqual([['', 'Not a valid value']])
  browser.cookies.set('lang', 'ro')
  expect(await faults(wrong)).toEqual([['/kinds', 'Cel puțin un element']])
  browser.cookies.delete('lang')
})

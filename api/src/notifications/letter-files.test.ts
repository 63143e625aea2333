import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { documentMaker } from '#money/invoices/documents/document-maker.ts'
import { makeInvoiceFiles } from '#money/invoices/files.ts'
import { issueInvoice } from '#money/invoices/invoices.ts'
import { noScanner } from '#platform/files/file-scanner.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import { smtpMailer } from '#platform/mail/transport/smtp-mailer.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { makeBuyer, makeOperator } from '#test/support/documents.ts'
import { testPostOffice, testVault } from '#test/support/mail.ts'
import { businessTime } from '#test/support/money.ts'
import { Browser, person } from '#test/support/people.ts'
import { share } from '#test/support/share.ts'
import { testSmtp } from '#test/support/smtp.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { sendLetter } from './send-letters.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const { folder, remove } = temporaryFolder()
const storage = await localStorage(folder)
const { app } = await testApp(pool, { files: { storage, scanner: noScanner }, env: { seed: 'demo' } })
const smtp = await testSmtp()
const publicUrl = 'https://portal.example'
const mailFrom = { name: 'Portico', address: 'no-reply@portal.example' }
const mailer = smtpMailer({ smtpUrl: smtp.url, mailFrom, publicUrl }, 5000)
const post = testPostOffice(pool, { mailer, publicUrl, storage, keepLetters: true })
const documents = documentMaker()
const ana = await person(pool, 'ana@example.com')
const guest = await person(pool, 'guest@example.com')
const browser = new Browser(app)

beforeAll(async () => {
  await businessTime(pool, '2026-11-20T10:00:00Z')
  await makeOperator(pool)
  await share(pool, ana, guest, { tickets: 'allowed' })
  await browser.signIn(ana.email)
})
beforeEach(async () => {
  smtp.received.length = 0
  await db.deleteFrom('outbox_letters').execute()
  await db.deleteFrom('staff_alerts').execute()
})
afterAll(async () => {
  await documents.close()
  mailer.close()
  remove()
})

/** Issues a document and makes its files; returns what the books say of them, and the letter that waits. */
async function issued(buyer: Parameters<typeof makeBuyer>[2], attach = true) {
  await makeBuyer(pool, ana, { language: 'en', ...buyer })
  await db
    .updateTable('client_entities')
    .set({ attach_invoices: attach, billing_emails: 'books@example.com' })
    .where('client_id', '=', ana.id)
    .execute()
  const { id } = await db
    .transaction()
    .execute((tx) => issueInvoice(tx, { clientId: ana.id, sum: { net: '50' } }))
  await makeInvoiceFiles({ pool, vault: testVault, storage, documents }, id)
  const row = await db.selectFrom('invoices').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const letters = await db.selectFrom('outbox_letters').select(['id', 'recipient']).orderBy('id').execute()
  expect(letters.map(({ recipient }) => recipient)).toEqual(['ana@example.com', 'books@example.com'])
  return { row, letter: letters[0]?.id ?? 0 }
}

/** The mail that the server got, and the SHA-256 of each file that it carries. */
async function sent(letterId: number, last = false) {
  await sendLetter(post, letterId, { last })
  const { text = '', attachments } = await PostalMime.parse(smtp.received.at(-1)?.raw ?? '')
  const files = attachments.map(({ filename, mimeType, content }) => ({
    filename,
    mimeType,
    sha256: createHash('sha256')
      .update(typeof content === 'string' ? content : new Uint8Array(content))
      .digest('hex'),
  }))
  return { text, files }
}

test.each([
  ['en', 'The PDF and the electronic invoice (XML) are attached, and are in your account too.'],
  ['ro', 'PDF-ul și factura electronică (XML) sunt atașate și se află și în contul tău.'],
] as const)(
  'a company gets PDF and XML in %s, byte for byte as they are kept',
  async (language, sentence) => {
    const { row, letter } = await issued({ language })
    const { text, files } = await sent(letter)
    expect(files).toEqual([
      { filename: `${row.full_number}.pdf`, mimeType: 'application/pdf', sha256: row.pdf_sha256 },
      { filename: `${row.full_number}.xml`, mimeType: 'application/xml', sha256: row.xml_sha256 },
    ])
    expect(text).toContain(sentence)
    const shown = await browser.get(`/api/outbox/${letter}`)
    expect(shown.json().files).toEqual([`${row.full_number}.pdf`, `${row.full_number}.xml`])
    for (const { filename, mimeType, sha256 } of files) {
      const file = await browser.get(`/api/outbox/${letter}/files/${filename}`)
      expect([file.headers['content-type'], file.headers['content-disposition']]).toEqual([
        mimeType,
        `attachment; filename=${filename}`,
      ])
      expect(createHash('sha256').update(file.rawPayload).digest('hex')).toBe(sha256)
    }
    const other = await browser.get(`/api/outbox/${letter}/files/..%2Fsecret.pdf`)
    expect([other.statusCode, other.json().errors[0].code]).toEqual([404, 'letter_file_not_found'])
  },
)

test('a person gets the PDF alone', async () => {
  const { row, letter } = await issued({ company: false })
  const { text, files } = await sent(letter)
  expect(files.map(({ filename }) => filename)).toEqual([`${row.full_number}.pdf`])
  expect(text).toContain('The PDF is attached, and is in your account too.')
})

test('an account that does not want them gets none, and chooses so by itself', async () => {
  const { letter } = await issued({}, false)
  const { text, files } = await sent(letter)
  expect([files, text.includes('attached')]).toEqual([[], false])
  const [entity] = (await browser.get('/api/v1/client-entities')).json().data
  expect(entity.attributes.attach_invoices).toBe(false)
  const data = { type: 'client-entities', id: entity.id, attributes: { attach_invoices: true } }
  const change = await browser.ask({
    method: 'PATCH',
    url: `/api/v1/client-entities/${entity.id}`,
    headers: {
      authorization: `Bearer ${browser.cookies.get('token')}`,
      'content-type': 'application/vnd.api+json',
    },
    payload: JSON.stringify({ data }),
  })
  expect(change.json().data.attributes.attach_invoices).toBe(true)
})

const placeOf = (key: string | null) => path.join(folder, String(key).slice(0, 2), String(key))

test('a damaged file is left out, the letter does not mention it, and staff are alerted', async () => {
  const { row, letter } = await issued({})
  await fs.appendFile(placeOf(row.pdf_key), 'x')
  const { text, files } = await sent(letter)
  expect(files.map(({ sha256 }) => sha256)).toEqual([row.xml_sha256])
  expect(text).not.toContain('attached')
  const alerts = await db.selectFrom('staff_alerts').select(['kind', 'about']).execute()
  expect(alerts).toEqual([{ kind: 'file_damaged', about: `document ${row.full_number}.pdf` }])
})

test('while the storage does not answer the letter waits, and the last try is sent without files', async () => {
  const { letter } = await issued({})
  const away = {
    ...post,
    storage: { read: () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })) },
  }
  await expect(sendLetter(away, letter, { last: false })).rejects.toThrow('was not accepted')
  expect(smtp.received).toEqual([])
  await sendLetter(away, letter, { last: true })
  const mail = await PostalMime.parse(smtp.received[0]?.raw ?? '')
  expect([mail.attachments, mail.text?.includes('attached')]).toEqual([[], false])
})

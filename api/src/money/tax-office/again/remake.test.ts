import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ubl } from '#money/invoices/documents/ubl.ts'
import { keepFile, readDocument } from '#money/invoices/files.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { sendWaiting } from '#money/tax-office/send.ts'
import { watchOffice } from '#money/tax-office/watch.ts'
import { alertStaff } from '#platform/alerts.ts'
import { type FileStorage, localStorage } from '#platform/files/file-storage.ts'
import { inspectFile } from '#platform/files/stored-files.ts'
import { namedKeys } from '#privacy/stored-files/file-names.ts'
import type { Account } from '#test/support/account.ts'
import { keyed, makePayer } from '#test/support/card.ts'
import { makeBuyer } from '#test/support/documents.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { OfficeWorld } from '#test/support/tax-office.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// A document that the office rejected, or that had no electronic invoice, is sent again under its number by staff.

const { folder, remove } = temporaryFolder()
const storage = await localStorage(folder)
const portal = await testPortal({ storage })
const { pool } = portal
const db = pool.kysely
const world = await OfficeWorld.open(pool, folder)
let ana: Account
let [billing, dan, reader, helper]: Visitor[] = []

const staff = async (role: 'admin' | 'billing' | 'readonly' | 'support') =>
  portal.staff(await makeAdmin(pool, role))

beforeAll(async () => {
  billing = await staff('billing')
  dan = await staff('admin')
  reader = await staff('readonly')
  helper = await staff('support')
})
beforeEach(async () => {
  ana = await makePayer(portal)
  await makeBuyer(pool, ana)
})
afterAll(() => {
  world.server.close()
  remove()
})

type Document = { readonly id: number; readonly number: string }

type Replaced = Readonly<Record<'xml_key' | 'xml_sha256' | 'signed_key' | 'signed_sha256', string>>

const again = (id: number, who: Visitor | undefined = billing) =>
  (who ?? portal.nobody).post(`${base}/invoices/${id}/-actions/remakeEInvoice`, {})

/** Runs the jobs while the office rejects these documents. */
async function run(...rejected: readonly string[]) {
  world.server.fault = ({ document }) => (rejected.includes(document?.number ?? '') ? 'nok' : undefined)
  await world.run()
  world.server.fault = () => undefined
}

/** An invoice by hand, without its files. */
async function issue(): Promise<Document> {
  const lines = [{ description_en: 'Set-up', quantity: 1, unit_price: 10 }]
  const made = await keyed(
    billing ?? portal.nobody,
    `${base}/desk-clients/${ana.id}/-actions/manualInvoice`,
    {
      lines,
    },
  )
  const { invoice_id: id, full_number: number } = JSON.parse(made.text)
  return { id, number }
}

/** The same, with its files. */
async function invoice(): Promise<Document> {
  const made = await issue()
  await world.files(made.id)
  return made
}

/** A credit note of an invoice, without its files. */
async function credit({ id }: Document): Promise<Document> {
  const made = await keyed(billing ?? portal.nobody, `${base}/invoices/${id}/-actions/creditNote`, {
    data: { reason: 'The price was wrong' },
  })
  const { credit_note_id, full_number: number } = JSON.parse(made.text)
  return { id: credit_note_id, number }
}

/** A credit note that the office rejected, of a bill that it has. */
async function rejectedNote(): Promise<Document> {
  const bill = await invoice()
  await run()
  const note = await credit(bill)
  await leaveOlder(note)
  await run(note.number)
  expect(await world.row(note.id)).toMatchObject({ state: 'rejected' })
  return note
}

/** As a version left it whose rules of electronic invoices were too strict: printed, without an electronic invoice. */
const leaveWithout = ({ id }: Document) =>
  sql`update invoices set pdf_key = 'printed-' || id, pdf_sha256 = repeat('0', 64) where id = ${id}`.execute(
    db,
  )

/** As an older version made its electronic invoice; returns the key of the file. */
async function leaveOlder(note: Document): Promise<string> {
  const found = await readDocument(db, note.id)
  if (!found) throw new Error('There is no document.')
  const kept = await keepFile({ pool, storage }, `${ubl(found.data)}<!-- older -->`)
  await sql`update invoices set pdf_key = 'printed-' || id, pdf_sha256 = repeat('0', 64), xml_key = ${kept.key},
    xml_sha256 = ${kept.sha256} where id = ${note.id}`.execute(db)
  return kept.key
}

/** The open alerts that name a document, by kind. */
async function alerts({ number }: Document): Promise<unknown[]> {
  await watchOffice(db, world.parts.office, new Date())
  const answer = await billing?.get(`${base}/staff-alerts?filter[open]=true&page[size]=100`)
  return (answer?.list ?? []).flatMap(({ attributes }) =>
    JSON.stringify([attributes?.about, attributes?.detail]).includes(number) ? [attributes?.kind] : [],
  )
}

/** How many rejected documents the home of the desk counts. */
async function counted(): Promise<number> {
  const answer = await billing?.get(`${base}/desk-home/-actions/needs`)
  const needs: { need: string; count: number }[] = JSON.parse(answer?.text ?? '').needs
  return needs.find(({ need }) => need === 'einvoices_rejected')?.count ?? 0
}

const onBoard = async ({ id }: Document) =>
  (await billing?.get(`${base}/e-invoices/${(await world.row(id)).id}`))?.one.attributes

const fileOf = async ({ id }: Document) =>
  db
    .selectFrom('invoices')
    .select(['xml_key', 'xml_sha256', 'pdf_key', 'total', 'issue_date'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

test('a rejected credit note of an accepted bill is made again, sent, and accepted, and all alerts end', async () => {
  const before = await counted()
  const note = await rejectedNote()
  expect(await alerts(note)).toEqual(['einvoice_rejected'])
  expect(await counted()).toBe(before + 1)
  expect(await onBoard(note)).toMatchObject({ state: 'rejected', is_remakable: true, earlier: [] })
  const [old, sent] = [await fileOf(note), await world.row(note.id)]
  const answer = await again(note.id)
  expect([answer.faults, JSON.parse(answer.text)]).toEqual([[], { state: 'waiting' }])
  expect(await onBoard(note)).toMatchObject({
    state: 'waiting',
    due_on: sent.due_on,
    is_remakable: false,
    upload_index: null,
    earlier: [
      {
        upload_index: sent.upload_index,
        said: expect.stringContaining('BR-RO-120'),
        settled_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    ],
  })
  await run()
  expect(await world.row(note.id)).toMatchObject({ state: 'accepted', due_on: sent.due_on })
  expect(world.times(note.number)).toBe(2)
  expect(await alerts(note)).toEqual([])
  expect(await counted()).toBe(before)
  // The books, the print and the number stay; the former file and the signed answer are kept.
  const now = await fileOf(note)
  expect(now).toEqual({ ...old, xml_key: now.xml_key, xml_sha256: now.xml_sha256 })
  expect(now.xml_sha256).not.toBe(old.xml_sha256)
  const { rows } = await sql<Replaced>`select xml_key, xml_sha256, signed_key, signed_sha256
    from replaced_e_invoices where invoice_id = ${note.id}`.execute(db)
  expect(rows).toMatchObject([
    { xml_key: old.xml_key, xml_sha256: old.xml_sha256, signed_sha256: sent.signed_sha256 },
  ])
  for (const { xml_key, xml_sha256, signed_key, signed_sha256 } of rows)
    for (const [key, sha256] of [
      [xml_key, xml_sha256],
      [signed_key, signed_sha256],
    ] as const)
      expect((await inspectFile(storage, { key, sha256, what: key })).state).toBe('whole')
  // Neither the sweep nor a backup forgets them.
  const keys = rows.flatMap(({ xml_key, signed_key }) => [xml_key, signed_key])
  expect([...(await namedKeys(db, keys))].sort()).toEqual(keys.sort())
  expect(await verifyLedger(db)).toEqual([])
})

test('a note that is rejected again is made again, and each sending is kept', async () => {
  const note = await rejectedNote()
  for (const kept of [1, 2]) {
    expect((await again(note.id)).faults).toEqual([])
    await run(note.number)
    expect((await onBoard(note))?.earlier).toHaveLength(kept)
  }
  expect(await alerts(note)).toEqual(['einvoice_rejected'])
  expect((await again(note.id)).faults).toEqual([])
  await run()
  expect(await world.row(note.id)).toMatchObject({ state: 'accepted' })
})

test('a note without an electronic invoice is refused with the rules in words while it violates them', async () => {
  // An older version without this rule sent the bill, and the office took it.
  await sql`update operator_profile set city = 'București', county_code = 'RO-B'`.execute(db)
  const bill = await issue()
  await leaveOlder(bill)
  await sql`update operator_profile set city = 'SECTOR1'`.execute(db)
  await run()
  expect(await world.row(bill.id)).toMatchObject({ state: 'accepted' })
  const note = await credit(bill)
  await expect(world.files(note.id)).rejects.toThrow('BR-RO-100')
  expect((await alerts(note)).sort()).toEqual(['einvoice_broken', 'einvoice_missing'])
  const refused = await again(note.id)
  expect(refused.faults).toEqual(['409 einvoice_still_broken'])
  expect(refused.errors[0]?.detail).toContain(
    'BR-RO-100 (in Bucharest the city is written SECTOR1 to SECTOR6)',
  )
  expect(await fileOf(note)).toMatchObject({ xml_key: null })
})

test('a note whose rule was corrected since gets its electronic invoice, also after months, and is sent', async () => {
  const bill = await invoice()
  await run()
  const note = await credit(bill)
  await leaveWithout(note)
  await alertStaff(db, `document ${note.number}`, 'einvoice_broken', { rules: ['BR-16'] })
  await sql`update clock set ahead = '40 days'`.execute(db)
  try {
    expect((await alerts(note)).sort()).toEqual(['einvoice_broken', 'einvoice_missing'])
    const answer = await again(note.id)
    expect([answer.faults, JSON.parse(answer.text)]).toEqual([[], { state: 'waiting' }])
    await run()
    expect(await world.row(note.id)).toMatchObject({ state: 'accepted' })
    expect(await alerts(note)).toEqual([])
    expect((await again(note.id)).faults).toEqual(['409 einvoice_not_rejected'])
  } finally {
    await sql`update clock set ahead = '0'`.execute(db)
  }
})

test('a rejected bill is sent again until it is taken back, and then its rejected note need not be', async () => {
  const bill = await invoice()
  await run(bill.number)
  expect((await again(bill.id)).faults).toEqual([])
  await run(bill.number)
  const note = await credit(bill)
  await world.files(note.id)
  await run(note.number)
  expect((await again(bill.id)).faults).toEqual(['409 einvoice_taken_back'])
  expect((await again(note.id)).faults).toEqual(['409 einvoice_of_refused'])
  expect(await onBoard(note)).toMatchObject({ state: 'rejected', is_remakable: false })
})

test('two clerks at once, and a request that is repeated, send a document once', async () => {
  const note = await rejectedNote()
  const answers = await Promise.all([again(note.id, billing), again(note.id, dan)])
  expect(answers.flatMap(({ faults }) => faults)).toEqual(['409 einvoice_not_rejected'])
  await run()
  expect(world.times(note.number)).toBe(2)
  const other = await rejectedNote()
  const headers = { 'idempotency-key': 'made-again-once' }
  const url = `${base}/invoices/${other.id}/-actions/remakeEInvoice`
  const [first, second] = [
    await billing?.call('POST', url, { body: {}, headers }),
    await billing?.call('POST', url, { body: {}, headers }),
  ]
  expect([first?.status, second?.text]).toEqual([200, first?.text])
  const { rows } = await sql<{
    reason: string
    table: string
  }>`select distinct a.reason, c.table_name as table
    from staff_actions a join staff_action_changes c on c.action_id = a.id
    where a.verb = 'remakeEInvoice' and a.ref = ${String(other.id)} order by 2`.execute(db)
  expect(rows.map(({ table }) => table)).toEqual(['e_invoices', 'invoices', 'replaced_e_invoices'])
})

test('a document whose outcome is not known is not made again, and its former index does not settle it', async () => {
  const note = await rejectedNote()
  expect((await again(note.id)).faults).toEqual([])
  world.server.fault = ({ call, document }) =>
    call === 'upload' && document?.number === note.number ? 'failed' : undefined
  await world.run()
  world.server.fault = () => undefined
  expect(await world.row(note.id)).toMatchObject({ state: 'unknown' })
  expect((await again(note.id)).faults).toEqual(['409 einvoice_not_rejected'])
  await sql`update e_invoices set begun_at = now() - interval '3 days' where invoice_id = ${note.id}`.execute(
    db,
  )
  const { rows } = await sql<{ upload_index: string }>`select upload_index from replaced_e_invoices
    where invoice_id = ${note.id}`.execute(db)
  const at = `${base}/e-invoices/${(await world.row(note.id)).id}`
  const typed = await billing?.post(`${at}/-actions/wasReceived`, rows[0])
  expect(typed?.faults).toEqual(['409 einvoice_index_taken /data/attributes/upload_index'])
})

test('a process that had read the former file does not send it', async () => {
  const bill = await invoice()
  await run()
  const note = await credit(bill)
  const former = await leaveOlder(note)
  world.server.fault = ({ document }) => (document?.number === note.number ? 'wrong_cif' : undefined)
  await world.run()
  world.server.fault = () => undefined
  expect(await world.row(note.id)).toMatchObject({ state: 'waiting', problem: 'refused' })
  await sql`update e_invoices set next_at = now() where invoice_id = ${note.id}`.execute(db)
  const faults: string[] = []
  const read: FileStorage['read'] = async (key) => {
    const file = await storage.read(key)
    if (key !== former) return file
    const at = `${base}/e-invoices/${(await world.row(note.id)).id}`
    faults.push(...((await billing?.post(`${at}/-actions/correctInstead`, {}))?.faults ?? ['nobody']))
    faults.push(...(await again(note.id)).faults)
    return file
  }
  await sendWaiting({ ...world.parts, storage: { ...storage, read } }, Number.POSITIVE_INFINITY)
  expect(faults).toEqual([])
  const sent = world.server.office.uploads.filter(({ document }) => document.number === note.number)
  expect(sent.map(({ xml }) => xml.includes('older'))).toEqual([false])
  await run()
  expect(await world.row(note.id)).toMatchObject({ state: 'accepted' })
})

test('the file that the real office has, or rejected, is not replaced for its test system', async () => {
  const bill = await invoice()
  await run()
  const note = await rejectedNote()
  const use = async (environment: 'test' | 'prod') => {
    await sql`update tax_offices set in_use = false`.execute(db)
    await sql`update tax_offices set in_use = true where environment = ${environment}`.execute(db)
  }
  await use('test')
  try {
    for (const { id } of [bill, note]) {
      await sql`insert into e_invoices (environment, invoice_id, client_id, due_on, state, settled_at)
        values ('test', ${id}, ${ana.id}, operator_today(), 'rejected', now())`.execute(db)
      expect((await again(id)).faults).toEqual(['409 einvoice_not_rejected'])
    }
  } finally {
    await use('prod')
  }
  // What is kept of its former sending is the file that was sent.
  const former = await fileOf(note)
  expect((await again(note.id)).faults).toEqual([])
  const { rows } = await sql<Pick<Replaced, 'xml_sha256'>>`select xml_sha256 from replaced_e_invoices
    where invoice_id = ${note.id}`.execute(db)
  expect(rows).toEqual([{ xml_sha256: former.xml_sha256 }])
})

test('the verb is for billing and administrators with a recent sign-in, and takes no input', async () => {
  const note = await rejectedNote()
  const other = await makePayer(portal)
  await helper?.get(`${base}/desk-clients/${ana.id}`)
  const ladder = [portal.nobody, portal.as(other), portal.as(ana), helper, reader]
  const answers = await Promise.all(ladder.map((who) => again(note.id, who)))
  expect(answers.map(({ status }) => status)).toEqual([401, 404, 403, 403, 403])
  expect((await again(999_999)).status).toBe(404)
  const longAgo = portal.staff(await makeAdmin(pool, 'billing'), 'an hour ago')
  expect((await again(note.id, longAgo)).faults).toEqual(['403 recent_sign_in_required'])
  const url = `${base}/invoices/${note.id}/-actions/remakeEInvoice`
  expect((await billing?.post(url, { total: 1 }))?.status).toBe(422)
  expect((await again(note.id)).status).toBe(200)
})

test('the database keeps what was sent, and replaces no file that is not kept', async () => {
  const note = await rejectedNote()
  const change = sql`update invoices set xml_key = 'other' where id = ${note.id}`
  await expect(change.execute(db)).rejects.toThrow('invoice_immutable')
  const back = sql`update e_invoices set state = 'waiting' where invoice_id = ${note.id}`
  await expect(back.execute(db)).rejects.toThrow('e_invoice_fixed')
  expect((await again(note.id)).faults).toEqual([])
  await expect(sql`delete from replaced_e_invoices`.execute(db)).rejects.toThrow('replaced_e_invoice_closed')
  await expect(change.execute(db)).rejects.toThrow('invoice_immutable')
})

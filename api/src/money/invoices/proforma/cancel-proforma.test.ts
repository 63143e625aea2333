import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { documentMaker } from '#money/invoices/documents/document-maker.ts'
import {
  ageDocuments,
  type DocumentParts,
  makeInvoiceFiles,
  remakeMissingFiles,
} from '#money/invoices/files.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import type { Account } from '#test/support/account.ts'
import { addCard, keyed, makePayer, pay } from '#test/support/card.ts'
import { makeOperator, newSeries } from '#test/support/documents.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { testVault } from '#test/support/mail.ts'
import { businessTime } from '#test/support/money.ts'
import { readPdf } from '#test/support/pdf.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { camt, importFile } from '#test/support/statements.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { cancelProforma } from './cancel-proforma.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const { folder, remove } = temporaryFolder()
const storage = await localStorage(folder)
const documents = documentMaker()
const press: DocumentParts = { pool, vault: testVault, storage, documents }
let billing: Visitor
let ana: Account
let lines = 0

beforeAll(async () => {
  await makeOperator(pool)
  billing = portal.staff(await makeAdmin(pool, 'billing'))
})
beforeEach(async () => {
  await newSeries(pool)
  await businessTime(pool, '2026-10-20T10:00:00Z')
  ana = await makePayer(portal)
})
afterEach(async () => {
  expect(await verifyLedger(db)).toEqual([])
})
afterAll(async () => {
  await documents.close()
  remove()
})

async function requested(): Promise<number> {
  const asked = await keyed(portal.as(ana), `${base}/invoices/-actions/requestProforma`, {
    data: { net: 50 },
  })
  return JSON.parse(asked.text).invoice_id
}

const cancel = (id: number, who: Visitor = portal.as(ana)) =>
  who.post(`${base}/invoices/${id}/-actions/cancelProforma`, {})
const read = async (id: number) => (await portal.as(ana).get(`${base}/invoices/${id}`)).one?.attributes ?? {}
const payBy = (id: number, card?: number) =>
  pay(portal.as(ana), { purpose: 'deposit', invoice_id: id }, card === undefined ? {} : { card })

/** A transfer that quotes a proforma. */
const arrived = async (id: number, amount: number) => {
  const line = { amount, received_on: '2026-10-20', reference: `OP ${++lines} of ${id}` }
  const answer = await keyed(billing, `${base}/invoices/${id}/-actions/recordBankTransfer`, line)
  expect(answer.faults).toEqual([])
  return JSON.parse(answer.text)
}

/** The rows of the PDF that the document has now. */
async function printed(id: number): Promise<readonly string[]> {
  await makeInvoiceFiles(press, id)
  const { pdf_key } = await db
    .selectFrom('invoices')
    .select('pdf_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const file = await storage.read(pdf_key ?? '')
  return (await readPdf(Buffer.concat((await file?.toArray()) ?? []))).rows
}

test('a client cancels a proforma that they asked for: its PDF says so, and nothing pays it but money that arrives', async () => {
  const id = await requested()
  const before = await printed(id)
  expect(before.join('\n')).toContain('De plătit până la')
  expect(before).not.toContain('Anulată')
  expect((await cancel(id)).json).toEqual({ status: 'cancelled' })
  expect(await read(id)).toMatchObject({ status: 'cancelled', open: 0, bank_details: null, pdf_ready: false })
  const after = await printed(id)
  expect(after).toContain('Anulată')
  expect(after.join('\n')).toContain('Această proformă este anulată. Nu este nimic de plată.')
  expect(after.join('\n')).not.toContain('RO49')
  const card = await addCard(portal, ana)
  expect((await payBy(id, card)).faults).toEqual(['422 proforma_not_open /data/attributes/invoice_id'])
  expect((await cancel(id)).faults).toEqual(['409 proforma_not_unpaid'])
})

test('transfers that quote a cancelled proforma are on the balance with their invoices, and it stays cancelled', async () => {
  const id = await requested()
  await cancel(id)
  for (const amount of [24.2, 36.3, 12.1]) expect((await arrived(id, amount)).invoice_id).not.toBeNull()
  expect(await read(id)).toMatchObject({ status: 'cancelled', open: 0, bank_details: null })
  const { list } = await portal.as(ana).get(`${base}/account-balances`)
  expect(list[0]?.attributes?.account_balance).toBe(60)
})

test('a line of a statement that quotes a cancelled proforma is proposed for the balance of its client', async () => {
  await sql`update operator_profile set base_currency = 'USD'`.execute(db)
  const id = await requested()
  const { full_number } = await read(id)
  await cancel(id)
  const line = {
    amount: '60.50',
    text: `Plata ${full_number}`,
    reference: `L${id}`,
    day: '2026-10-19',
    payer: 'Nobody known',
  }
  expect((await importFile(billing, camt([line]))).faults).toEqual([])
  const { list } = await billing.get(`${base}/bank-lines?filter[search]=L${id}`)
  expect(list.map(({ attributes }) => attributes)).toMatchObject([
    {
      state: 'open',
      match: 'likely',
      candidates: [{ client_id: ana.id, invoice_id: null, signs: ['number'] }],
    },
  ])
  const matched = await billing.post(`${base}/bank-lines/${list[0]?.id}/-actions/matchLine`, {
    client_id: ana.id,
  })
  expect(matched.faults).toEqual([])
  expect(await read(id)).toMatchObject({ status: 'cancelled', open: 0 })
  const balances = await portal.as(ana).get(`${base}/account-balances`)
  expect(balances.list[0]?.attributes?.account_balance).toBe(50)
})

test('a certain line whose proforma was cancelled before it was confirmed is left to a person', async () => {
  await sql`update operator_profile set base_currency = 'USD'`.execute(db)
  const id = await requested()
  const { full_number } = await read(id)
  const own = { reference: `C${id}`, day: '2026-10-19', payer: 'Somebody new', iban: `X${id}` }
  await importFile(billing, camt([{ amount: '60.50', text: `Plata ${full_number}`, ...own }]))
  await cancel(id)
  const done = await billing.post(`${base}/bank-lines/-actions/confirmCertain`, {})
  expect(JSON.parse(done.text)).toMatchObject({ confirmed: 0, failed: 1 })
  const { list } = await billing.get(`${base}/bank-lines?filter[search]=C${id}`)
  expect(list[0]?.attributes).toMatchObject({ state: 'open', match: 'likely', problem: 'proforma_not_open' })
  expect(await read(id)).toMatchObject({ status: 'cancelled', open: 0 })
})

test('one that is paid, wholly or in part, is not cancelled; one that has expired is', async () => {
  const [part, whole, late] = [await requested(), await requested(), await requested()]
  await arrived(part, 12.1)
  const paid = await arrived(whole, 60.5)
  for (const id of [part, whole, paid.invoice_id])
    expect((await cancel(id)).faults).toEqual(['409 proforma_not_unpaid'])
  await sql`update clock set ahead = ahead + interval '60 days'`.execute(db)
  await ageDocuments(db)
  expect((await read(late)).status).toBe('expired')
  expect((await cancel(late, billing)).status).toBe(200)
  expect((await read(late)).status).toBe('cancelled')
})

test('billing cancels one with a reason; support, strangers and visitors do not', async () => {
  const id = await requested()
  const eve = await makePayer(portal)
  const support = portal.staff(await makeAdmin(pool))
  expect((await cancel(id, portal.nobody)).status).toBe(401)
  expect((await cancel(999_999)).status).toBe(404)
  expect((await cancel(id, portal.as(eve))).status).toBe(404)
  expect((await cancel(id, support)).status).toBe(404)
  const url = `${base}/invoices/${id}/-actions/cancelProforma`
  expect((await portal.as(ana).post(url, { data: { reason: 'x' } })).faults).toEqual([
    '422 field_unknown /data',
  ])
  expect((await cancel(id, billing)).status).toBe(200)
  const admin = portal.staff(await makeAdmin(pool, 'admin'))
  const { list } = await admin.get(`${base}/staff-actions?filter[client_id]=${ana.id}`)
  expect(list.map(({ attributes }) => attributes)).toContainEqual(
    expect.objectContaining({ verb: 'cancelProforma', ref: String(id) }),
  )
})

test('one that a card pays is not cancelled, and one that is being cancelled is not charged', async () => {
  const card = await addCard(portal, ana)
  const asking = await addCard(portal, ana, '4000 0027 6000 3184')
  const id = await requested()
  expect((await payBy(id, asking)).one.attributes).toMatchObject({ status: 'requires_action' })
  expect((await cancel(id)).faults).toEqual(['409 proforma_payment_pending'])
  expect((await read(id)).status).toBe('unpaid')
  const other = await requested()
  const meanwhile = await db.transaction().execute(async (tx) => {
    await cancelProforma({ tx }, { row: { id: other } })
    const charged = payBy(other, card)
    await untilBlocked(pool)
    return { charged }
  })
  expect((await meanwhile.charged).faults).toEqual(['422 proforma_not_open /data/attributes/invoice_id'])
})

test('a payment by a stranger neither locks nor waits for a proforma of another account', async () => {
  const eve = await makePayer(portal)
  const card = await addCard(portal, eve)
  const id = await requested()
  await db.transaction().execute(async (tx) => {
    await cancelProforma({ tx }, { row: { id } })
    // While the proforma is locked.
    const { faults } = await pay(portal.as(eve), { purpose: 'deposit', invoice_id: id }, { card })
    expect(faults).toEqual(['422 proforma_not_open /data/attributes/invoice_id'])
  })
})

test('a file that was being made when its proforma was cancelled is not kept', async () => {
  const id = await requested()
  const slow: DocumentParts = {
    ...press,
    documents: {
      pdf: async (...given) => {
        await cancel(id)
        return documents.pdf(...given)
      },
    },
  }
  await makeInvoiceFiles(slow, id)
  expect(await read(id)).toMatchObject({ status: 'cancelled', pdf_ready: false })
  expect(await printed(id)).toContain('Anulată')
})

test('a lost file of a cancelled proforma is made again as it was, with or without the word', async () => {
  const warnings: string[] = []
  const [said, silent] = [await requested(), await requested()]
  await cancel(said)
  const kept = [await printed(said), await printed(silent)]
  // Cancelled by a release before, which left the file.
  await sql`update invoices set invoice_status_id = invoice_status('cancelled') where id = ${silent}`.execute(
    db,
  )
  for (const [at, id] of [said, silent].entries()) {
    const { rows } = await sql<{ key: string }>`select pdf_key as key from invoices where id = ${id}`.execute(
      db,
    )
    await storage.remove(rows[0]?.key ?? '')
    await remakeMissingFiles(press, id, (text) => warnings.push(text))
    expect(await printed(id)).toEqual(kept[at])
  }
  expect(warnings).toEqual([])
})

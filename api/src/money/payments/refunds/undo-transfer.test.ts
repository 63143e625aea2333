import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { issueProforma } from '#money/invoices/invoices.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { bankDesk } from '#test/support/bank-desk.ts'
import { keyed, makePayer } from '#test/support/card.ts'
import type { Visitor } from '#test/support/portal.ts'
import { camt, importFile } from '#test/support/statements.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// A transfer that was recorded by hand by mistake is taken back, and recorded or matched as it is.

const { portal, db, importer: billing, colleague } = await bankDesk()
const admin = portal.staff(await makeAdmin(portal.pool, 'admin'))

let ana: Awaited<ReturnType<typeof makePayer>>
let asked: number

beforeEach(async () => {
  ana = await makePayer(portal)
  const made = await db
    .transaction()
    .execute((tx) => issueProforma(tx, { clientId: ana.id, sum: { net: '100' } }))
  asked = made.id
})

const record = (reference: string, amount: number, day = '2026-03-10') =>
  keyed(billing, `${base}/invoices/${asked}/-actions/recordBankTransfer`, {
    data: { amount, received_on: day, reference },
  })

async function recorded(reference: string, amount: number): Promise<number> {
  const made = await record(reference, amount)
  expect(made.faults).toEqual([])
  return JSON.parse(made.text).transaction_id
}

const undo = (id: number, by: Visitor = billing) =>
  by.post(`${base}/transactions/${id}/-actions/undoTransfer`, {})

const faults = async (id: number, by?: Visitor) => (await undo(id, by)).faults

async function lineOf(reference: string, amount: string): Promise<number> {
  const file = camt([{ amount, text: 'x', reference, day: '2026-03-10' }])
  expect((await importFile(colleague, file)).faults).toEqual([])
  const { rows } = await sql<{
    id: number
  }>`select id from bank_lines where bank_reference = ${reference}`.execute(db)
  return rows[0]?.id ?? 0
}

const match = async (id: number, input: object) =>
  (await colleague.post(`${base}/bank-lines/${id}/-actions/matchLine`, input)).faults

/** What the bank account has by the books. */
async function atTheBank(): Promise<string> {
  const { rows } = await sql<{ sum: string }>`select -coalesce(sum(e.amount), 0) as sum from ledger_entries e
    join ledger_accounts a on a.id = e.account_id where a.kind = 'bank'`.execute(db)
  return rows[0]?.sum ?? ''
}

async function balanceOf(clientId: number): Promise<string> {
  const { rows } = await sql<{ sum: string }>`select coalesce(sum(e.amount), 0) as sum from ledger_entries e
    join ledger_accounts a on a.id = e.account_id where a.kind = 'client_balance' and a.client_id = ${clientId}`.execute(
    db,
  )
  return rows[0]?.sum ?? ''
}

test('a mistyped amount is taken back with a credit note, and the line of the bank is matched instead', async () => {
  const before = await atTheBank()
  const wrong = await recorded('TYPO1', 112)
  const line = await lineOf('TYPO1', '121.00')
  expect(await match(line, { invoice_id: asked })).toEqual([
    '409 transfer_recorded_otherwise /data/reference',
  ])
  const done = await undo(wrong)
  expect([done.faults, done.json]).toEqual([[], { status: 'refunded' }])
  expect(Number(await balanceOf(ana.id))).toBe(0)
  // The line itself brought its money to the bank account.
  expect(Number(await atTheBank())).toBe(Number(before) + 121)
  const { one } = await billing.get(`${base}/transactions/${wrong}`)
  expect(one.attributes).toMatchObject({ status: 'refunded', is_by_hand: false, refunds: [{ gross: 112 }] })
  expect(await match(line, { invoice_id: asked })).toEqual([])
  expect(Number(await balanceOf(ana.id))).toBe(100)
  expect(await verifyLedger(db)).toEqual([])
})

test('its reference is recorded again, and its proforma is open meanwhile', async () => {
  const wrong = await recorded('TYPO2', 121)
  expect(await faults(wrong)).toEqual([])
  const { one } = await billing.get(`${base}/invoices/${asked}`)
  expect(one.attributes).toMatchObject({ paid: 0 })
  expect((await record('TYPO2', 121, '2026-03-11')).faults).toEqual([])
  expect(await faults(wrong)).toEqual(['409 transfer_not_by_hand'])
  expect(await verifyLedger(db)).toEqual([])
})

test('a proforma that was cancelled meanwhile stays cancelled', async () => {
  const url = `${base}/invoices/${asked}`
  expect((await billing.post(`${url}/-actions/cancelProforma`, {})).faults).toEqual([])
  const wrong = await recorded('TYPO9', 121)
  expect((await billing.get(url)).one.attributes).toMatchObject({ status: 'cancelled' })
  expect(await faults(wrong)).toEqual([])
  expect((await billing.get(url)).one.attributes).toMatchObject({ status: 'cancelled', open: 0, paid: 0 })
  expect(await verifyLedger(db)).toEqual([])
})

test('twice at once it is taken back once', async () => {
  const wrong = await recorded('TYPO3', 121)
  const both = await Promise.all([faults(wrong), faults(wrong)])
  expect(both.toSorted((a, b) => a.length - b.length)).toEqual([[], ['409 transfer_not_by_hand']])
  expect(Number(await balanceOf(ana.id))).toBe(0)
})

test('a colleague’s is left to them, or to an administrator', async () => {
  const wrong = await recorded('TYPO4', 121)
  const { one } = await colleague.get(`${base}/transactions/${wrong}`)
  expect(one.attributes).toMatchObject({ is_by_hand: true })
  expect(await faults(wrong, colleague)).toEqual(['409 transfer_of_colleague'])
  expect(await faults(wrong, admin)).toEqual([])
})

test('one that a line shows, that was used, refunded, or came from a line is not taken back', async () => {
  const shown = await recorded('TYPO5', 121)
  expect(await match(await lineOf('SHOWN5', '121.00'), { payment_id: shown })).toEqual([])
  expect(await faults(shown)).toEqual(['409 bank_payment_matched'])
  const used = await recorded('TYPO6', 60.5)
  await keyed(admin, `${base}/transactions/${used}/-actions/refund`, {
    data: { reason: 'Asked for', amount: 10, iban: 'RO49AAAA1B31007593840000' },
  })
  expect(await faults(used)).toEqual(['409 bank_match_used'])
  const line = await lineOf('LINE7', '50.00')
  expect(await match(line, { client_id: ana.id })).toEqual([])
  const { rows } = await sql<{
    id: number
  }>`select payment_id as id from bank_lines where id = ${line}`.execute(db)
  expect(await faults(rows[0]?.id ?? 0, admin)).toEqual(['409 transfer_not_by_hand'])
})

test('its client and others do not know of it', async () => {
  const wrong = await recorded('TYPO8', 121)
  const { one } = await portal.as(ana).get(`${base}/transactions/${wrong}`)
  expect(one.attributes).toMatchObject({ is_by_hand: false })
  expect((await undo(wrong, portal.as(ana))).status).toBe(403)
  expect((await undo(wrong, portal.as(await makePayer(portal)))).status).toBe(404)
  expect((await undo(wrong, portal.nobody)).status).toBe(401)
  expect((await undo(999_999_999)).status).toBe(404)
})

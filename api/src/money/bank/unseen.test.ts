import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { issueProforma } from '#money/invoices/invoices.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { keyed, makePayer } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { camt, type Entry, importFile } from '#test/support/statements.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
let billing: Visitor
let asked: number

beforeAll(async () => {
  await businessTime(pool, '2026-03-20T10:00:00Z')
  await makeOperator(pool)
  billing = portal.staff(await makeAdmin(pool, 'billing'))
})
beforeEach(async () => {
  const { id: clientId } = await makePayer(portal)
  const made = await db.transaction().execute((tx) => issueProforma(tx, { clientId, sum: { net: '50' } }))
  asked = made.id
})

const record = async (reference: string, who = billing) => {
  const input = { amount: 60.5, received_on: '2026-03-10', reference }
  return keyed(who, `${base}/invoices/${asked}/-actions/recordBankTransfer`, { data: input })
}
const line = (reference: string, day: string, amount = '1.00'): Entry => ({
  amount,
  text: 'x',
  reference,
  day,
})
const seen = async () => {
  const { list } = await billing.get(`${base}/staff-alerts?filter[open]=true`)
  const found = list.find(({ attributes }) => attributes?.kind === 'transfer_unseen')
  return found?.attributes?.detail
}

test('a transfer that staff recorded and no statement of its days shows is an alert, until one does', async () => {
  const paid = JSON.parse((await record('PAPER1')).text)
  await importFile(billing, camt([line('A1', '2026-03-09'), line('A2', '2026-03-11')]))
  // The bank may book it a little later.
  expect(await seen()).toBeUndefined()
  await importFile(billing, camt([line('A3', '2026-03-13')]))
  expect(await seen()).toEqual({ payments: [`${paid.transaction_id}`], amount: ['60.50 USD'] })
  await importFile(billing, camt([line('PAPER1', '2026-03-10', '60.50')]))
  expect(await seen()).toBeUndefined()
  expect(await verifyLedger(db)).toEqual([])
})

test('a statement that was taken back shows no days', async () => {
  const paid = JSON.parse((await record('PAPER3')).text)
  const later = camt([line('B1', '2026-03-09'), line('B2', '2026-03-14')])
  const { statement_id } = JSON.parse((await importFile(billing, later)).text)
  expect(await seen()).toMatchObject({ payments: [`${paid.transaction_id}`] })
  // No other statement reaches beyond the day of the transfer.
  await sql`update bank_statements set to_day = least(to_day, '2026-03-12') where id <> ${statement_id}`.execute(
    db,
  )
  await billing.post(`${base}/bank-statements/${statement_id}/-actions/takeBack`, {})
  expect(await seen()).toBeUndefined()
})

test('a sign-in of an hour ago is not enough to record money that nobody else sees', async () => {
  const before = portal.staff(await makeAdmin(pool, 'billing'), 'an hour ago')
  expect((await record('PAPER2', before)).errors[0]?.code).toBe('recent_sign_in_required')
})

import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { issueProforma } from '#money/invoices/invoices.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { bankDesk } from '#test/support/bank-desk.ts'
import { keyed, makePayer } from '#test/support/card.ts'
import { businessTime } from '#test/support/money.ts'
import { camt, type Entry, importFile, leaveOtherDays } from '#test/support/statements.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const { portal, pool, db, own, importer: billing, colleague } = await bankDesk()
let asked: number

beforeEach(async () => {
  // Each test has days and transfers of its own.
  await leaveOtherDays(db)
  await sql`update bank_statements set taken_back_at = now() where taken_back_at is null`.execute(db)
  await sql`update payments set recorded_by = null where recorded_by is not null`.execute(db)
  await sql`update staff_alerts set resolved_at = now() where resolved_at is null`.execute(db)
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

const resolve = async (who: typeof billing) => {
  const { list } = await who.get(`${base}/staff-alerts?filter[open]=true`)
  const id = list.find(({ attributes }) => attributes?.kind === 'transfer_unseen')?.id
  const { faults } = await who.post(`${base}/staff-alerts/${id}/-actions/resolve`, { reason: 'Mistyped' })
  expect(faults).toEqual([])
}

/** Imports a file as somebody else than the one who records transfers. */
const bring = async (...lines: Entry[]) => {
  const answer = await importFile(colleague, camt(lines))
  expect(answer.faults).toEqual([])
  return JSON.parse(answer.text)
}

test('a transfer that staff recorded and no statement of its days shows is an alert, until one does', async () => {
  const { transaction_id: paid } = JSON.parse((await record('PAPER1')).text)
  await bring(line('A1', '2026-03-09'), line('A2', '2026-03-11'))
  // The bank may book it a little later.
  expect(await seen()).toBeUndefined()
  await bring(line('A3', '2026-03-13'))
  expect(await seen()).toEqual({ payments: [`${paid}`], amount: ['60.50 USD'] })
  await bring(line('PAPER1', '2026-03-10', '60.50'))
  expect(await seen()).toBeUndefined()
  expect(await verifyLedger(db)).toEqual([])
})

test('a transfer that never came and was refunded to an account is an alert all the same, until a colleague explains it', async () => {
  const { transaction_id: paid } = JSON.parse((await record('PAPER8')).text)
  await bring(line('H1', '2026-03-09'), line('H2', '2026-03-14'))
  expect(await seen()).toMatchObject({ payments: [`${paid}`] })
  const one = `${base}/transactions/${paid}`
  const input = { reason: 'Asked for by phone', iban: 'RO49AAAA1B31007593840000' }
  const refund = await keyed(billing, `${one}/-actions/refund`, { data: input })
  expect(refund.faults).toEqual([])
  const { refunds } = (await billing.get(one)).one.attributes as { refunds: { id: number }[] }
  const sent = { refund_id: refunds[0]?.id, sent_on: '2026-03-15', reference: 'OP 9' }
  await businessTime(pool, '2026-03-20T10:00:00Z')
  expect((await billing.post(`${one}/-actions/recordSentTransfer`, sent)).faults).toEqual([])
  expect((await billing.get(one)).one.attributes).toMatchObject({ status: 'refunded' })
  await bring(line('H3', '2026-03-15'))
  expect(await seen()).toMatchObject({ payments: [`${paid}`] })
  // Its recorder does not explain it away, and a colleague does.
  await resolve(billing)
  await bring(line('H4', '2026-03-16'))
  expect(await seen()).toMatchObject({ payments: [`${paid}`] })
  await resolve(colleague)
  await bring(line('H5', '2026-03-17'))
  expect(await seen()).toBeUndefined()
  expect(await verifyLedger(db)).toEqual([])
})

test('days between two statements are not looked at, until a file has them or is long due', async () => {
  const { transaction_id: paid } = JSON.parse((await record('PAPER4')).text)
  await bring(line('D1', '2026-03-05'), line('D2', '2026-03-09'))
  await bring(line('D3', '2026-03-14'), line('D4', '2026-03-19'))
  expect(await seen()).toBeUndefined()
  await businessTime(pool, '2026-04-15T10:00:00Z')
  await bring(line('D5', '2026-04-14'))
  expect(await seen()).toMatchObject({ payments: [`${paid}`] })
  await businessTime(pool, '2026-03-20T10:00:00Z')
  await bring(line('D6', '2026-03-19'))
  expect(await seen()).toBeUndefined()
  // Three days without money are no gap.
  await bring(line('D7', '2026-03-10'))
  expect(await seen()).toMatchObject({ payments: [`${paid}`] })
})

test('nobody shows a transfer of their own by a file that they imported alone', async () => {
  const { transaction_id: paid } = JSON.parse((await record('PAPER5')).text)
  const file = camt([
    line('E1', '2026-03-09'),
    line('PAPER5', '2026-03-10', '60.50'),
    line('E2', '2026-03-14'),
  ])
  expect((await importFile(billing, file)).faults).toEqual([])
  const found = await billing.get(`${base}/bank-lines?filter[search]=PAPER5`)
  expect(found.list[0]?.attributes?.state).toBe('matched')
  expect(await seen()).toMatchObject({ payments: [`${paid}`] })
  // Once more by the same person changes nothing, and by a colleague it does.
  expect(JSON.parse((await importFile(billing, file)).text)).toMatchObject({ repeated: true })
  expect(await seen()).toMatchObject({ payments: [`${paid}`] })
  expect(JSON.parse((await importFile(colleague, file)).text)).toMatchObject({ repeated: true })
  expect(await seen()).toBeUndefined()
})

test('another file of a colleague with the same line shows it too', async () => {
  const { transaction_id: paid } = JSON.parse((await record('PAPER6')).text)
  const paper = line('PAPER6', '2026-03-10', '60.50')
  await importFile(billing, camt([line('F1', '2026-03-09'), paper, line('F2', '2026-03-14')]))
  expect(await seen()).toMatchObject({ payments: [`${paid}`] })
  expect(await bring(paper, line('F3', '2026-03-12'))).toMatchObject({ lines: 2, imported: 1 })
  expect(await seen()).toBeUndefined()
})

test('where one person alone may import, their own file has to do', async () => {
  await record('PAPER7')
  await importFile(
    billing,
    camt([line('G1', '2026-03-09'), line('PAPER7', '2026-03-10', '60.50'), line('G2', '2026-03-14')]),
  )
  expect(await seen()).toBeDefined()
  await sql`update admins set disabled_at = now() where id <> ${own}`.execute(db)
  await importFile(billing, camt([line('G3', '2026-03-14')]))
  expect(await seen()).toBeUndefined()
  await sql`update admins set disabled_at = null`.execute(db)
})

test('a statement that was taken back shows no days', async () => {
  const { transaction_id: paid } = JSON.parse((await record('PAPER3')).text)
  const { statement_id } = await bring(line('B1', '2026-03-09'), line('B2', '2026-03-14'))
  expect(await seen()).toMatchObject({ payments: [`${paid}`] })
  await colleague.post(`${base}/bank-statements/${statement_id}/-actions/takeBack`, {})
  expect(await seen()).toBeUndefined()
})

test('a sign-in of an hour ago is not enough to record money that nobody else sees', async () => {
  const before = portal.staff(await makeAdmin(pool, 'billing'), 'an hour ago')
  expect((await record('PAPER2', before)).errors[0]?.code).toBe('recent_sign_in_required')
})

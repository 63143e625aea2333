import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { issueProforma } from '#money/invoices/invoices.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import type { Account } from '#test/support/account.ts'
import { keyed, makePayer } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { camt, type Entry, importFile, leaveOtherDays } from '#test/support/statements.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// A person who imports a file that they made themselves gets no further than with transfers that they record by hand.

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const lines = `${base}/bank-lines`
let billing: Visitor
let colleague: Visitor
let ana: Account

beforeAll(async () => {
  await businessTime(pool, '2026-03-20T10:00:00Z')
  await makeOperator(pool)
  await sql`update operator_profile set base_currency = 'USD'`.execute(db)
  await sql`update staff_limits set per_action = 100, per_day = 250 where verb = 'recordBankTransfer'`.execute(
    db,
  )
})
beforeEach(async () => {
  await sql`update bank_lines set state = 'ignored' where state in ('open', 'doubtful')`.execute(db)
  await leaveOtherDays(db)
  billing = portal.staff(await makeAdmin(pool, 'billing'))
  colleague = portal.staff(await makeAdmin(pool, 'billing'))
  ana = await makePayer(portal)
})
afterEach(async () => expect(await verifyLedger(db)).toEqual([]))

let references = 0
const entry = (amount: string, text = 'hosting'): Entry => ({
  amount,
  text,
  reference: `OWN${++references}`,
  payer: `Nobody ${references}`,
  iban: `RO09BCYP${String(ana.id).padStart(16, '0')}`,
})

/** Imports lines, and returns their ids. */
async function imported(...entries: readonly Entry[]): Promise<number[]> {
  expect((await importFile(billing, camt(entries))).status).toBe(200)
  const { rows } = await sql<{ id: number }>`select id from bank_lines
    where bank_reference = any(${entries.map(({ reference }) => reference)}::text[]) order by id`.execute(db)
  return rows.map(({ id }) => id)
}

const match = (who: Visitor, id = 0) => who.post(`${lines}/${id}/-actions/matchLine`, { client_id: ana.id })
const confirm = async (who: Visitor) =>
  JSON.parse((await who.post(`${lines}/-actions/confirmCertain`, {})).text)

const proforma = (net: string) =>
  db.transaction().execute((tx) => issueProforma(tx, { clientId: ana.id, sum: { net } }))

const tooMuch = ['403 bank_line_own_import']

test('what is too much for one person who imported it is matched by a colleague', async () => {
  const [most, above] = await imported(entry('100.00'), entry('100.01'))
  expect((await match(billing, above)).faults).toEqual(tooMuch)
  expect((await match(billing, most)).faults).toEqual([])
  expect((await match(colleague, above)).faults).toEqual([])
})

test('transfers by hand and lines of own statements count against the same limit of a day', async () => {
  const { id } = await proforma('1000')
  const byHand = (amount: number) =>
    keyed(billing, `${base}/invoices/${id}/-actions/recordBankTransfer`, {
      amount,
      received_on: '2026-03-20',
      reference: `HAND${++references}`,
    })
  const [first, second, third] = await imported(entry('90.00'), entry('90.00'), entry('80.00'))
  expect((await match(billing, first)).faults).toEqual([])
  expect((await byHand(90)).faults).toEqual([])
  expect((await match(billing, second)).faults).toEqual(tooMuch)
  expect((await byHand(80)).faults).toEqual(['403 staff_limit_day'])
  expect((await match(colleague, second)).faults).toEqual([])
  expect((await match(colleague, third)).faults).toEqual([])
})

test('two lines at once do not go around the limit of a day', async () => {
  await sql`update staff_limits set per_day = 150 where verb = 'recordBankTransfer'`.execute(db)
  const [first, second] = await imported(entry('90.00'), entry('90.00'))
  const both = await Promise.all([match(billing, first), match(billing, second)])
  expect(both.flatMap(({ faults }) => faults)).toEqual(tooMuch)
  await sql`update staff_limits set per_day = 250 where verb = 'recordBankTransfer'`.execute(db)
})

test('of certain lines those above the limits are left to a colleague, and the others are confirmed', async () => {
  const quoting = async (net: string) => {
    const { fullNumber, total } = await proforma(net)
    return entry(total, fullNumber)
  }
  await imported(await quoting('10'), await quoting('200'), await quoting('20'))
  expect(await confirm(billing)).toMatchObject({ confirmed: 2, failed: 1 })
  const { list } = await billing.get(`${lines}?filter[state]=open`)
  expect(list.map(({ attributes }) => attributes)).toMatchObject([
    { amount: 242, match: 'certain', problem: 'bank_line_own_import' },
  ])
  // The importer's next attempt passes over it, and a colleague confirms it with all others.
  expect(await confirm(billing)).toEqual({ confirmed: 0, failed: 0, more: false })
  expect(await confirm(colleague)).toEqual({ confirmed: 1, failed: 0, more: false })
  const matched = await billing.get(`${lines}/${list[0]?.id}`)
  expect(matched.one.attributes).toMatchObject({ state: 'matched', problem: null })
  await imported(await quoting('200'), await quoting('210'))
  expect(await confirm(colleague)).toMatchObject({ confirmed: 2, failed: 0 })
})

test('certain lines that are confirmed one after another count together against the limit of a day', async () => {
  const made: Entry[] = []
  for (let n = 0; n < 3; n++) {
    const { fullNumber, total } = await proforma('70')
    made.push(entry(total, fullNumber))
  }
  await imported(...made)
  expect(await confirm(billing)).toMatchObject({ confirmed: 2, failed: 1 })
  expect(await confirm(billing)).toMatchObject({ confirmed: 0, failed: 0 })
})

test('a line that was too much is tried again on another day, and under another limit', async () => {
  const made: Entry[] = []
  for (let n = 0; n < 5; n++) {
    const { fullNumber, total } = await proforma('70')
    made.push(entry(total, fullNumber))
  }
  await imported(...made)
  expect(await confirm(billing)).toMatchObject({ confirmed: 2, failed: 3 })
  expect(await confirm(billing)).toEqual({ confirmed: 0, failed: 0, more: false })
  await sql`update staff_limits set per_day = 300 where verb = 'recordBankTransfer'`.execute(db)
  expect(await confirm(billing)).toMatchObject({ confirmed: 1, failed: 2 })
  expect(await confirm(billing)).toMatchObject({ confirmed: 0, failed: 0 })
  await businessTime(pool, '2026-03-21T10:00:00Z')
  expect(await confirm(billing)).toMatchObject({ confirmed: 2, failed: 0 })
  await sql`update staff_limits set per_day = 250 where verb = 'recordBankTransfer'`.execute(db)
})

test('a line that a colleague matches while it is too much for its importer has no problem afterwards', async () => {
  const sold = [{ description_en: 'Set-up', quantity: 1, unit_price: 200 }]
  const made = await keyed(billing, `${base}/desk-clients/${ana.id}/-actions/manualInvoice`, { lines: sold })
  expect(made.faults).toEqual([])
  const { rows } = await sql<{
    number: string
    total: string
  }>`select full_number as number, total from invoices
    where id = ${JSON.parse(made.text).invoice_id}`.execute(db)
  const [id] = await imported(entry(rows[0]?.total ?? '', rows[0]?.number))
  const { rows: lineRows } = await sql<{ importer: number }>`select s.admin_id as importer from bank_lines l
    join bank_statements s on s.id = l.statement_id where l.id = ${id}`.execute(db)
  // The importer waits for their limits with the line in hand, for which the colleague waits.
  const [confirmed, matched] = await db
    .transaction()
    .execute(async (tx) => {
      await sql`select from admins where id = ${lineRows[0]?.importer} for no key update`.execute(tx)
      const first = confirm(billing)
      await untilBlocked(pool)
      const second = match(colleague, id)
      await untilBlocked(pool, 2)
      return [first, second] as const
    })
    .then((both) => Promise.all(both))
  expect(confirmed).toMatchObject({ confirmed: 0, failed: 1 })
  expect(matched.faults).toEqual([])
  expect((await billing.get(`${lines}/${id}`)).one.attributes).toMatchObject({
    state: 'matched',
    match: 'certain',
    problem: null,
  })
})

test('money that a colleague decided about is no client’s by one person who took that back', async () => {
  const entries = [entry('90.00'), entry('5000.00', 'payout of cards')]
  expect((await importFile(colleague, camt(entries))).status).toBe(200)
  const { rows } = await sql<{ id: number }>`select id from bank_lines
    where bank_reference = any(${entries.map(({ reference }) => reference)}::text[]) order by id`.execute(db)
  const act = (who: Visitor, id: number, verb: string) => who.post(`${lines}/${id}/-actions/${verb}`, {})
  for (const { id } of rows) {
    expect((await act(colleague, id, 'ignoreLine')).faults).toEqual([])
    expect((await act(billing, id, 'undoMatch')).faults).toEqual([])
  }
  const [small = 0, payout = 0] = rows.map(({ id }) => id)
  expect((await match(billing, small)).faults).toEqual([])
  expect((await match(billing, payout)).faults).toEqual(tooMuch)
  // Nor after deciding and taking it back once more.
  expect((await act(billing, payout, 'returnLine')).faults).toEqual([])
  expect((await act(billing, payout, 'undoMatch')).faults).toEqual([])
  expect((await match(billing, payout)).faults).toEqual(tooMuch)
  // Two people decide: one takes it back, the other one matches it.
  expect((await act(colleague, payout, 'ignoreLine')).faults).toEqual([])
  expect((await act(colleague, payout, 'undoMatch')).faults).toEqual([])
  expect((await match(billing, payout)).faults).toEqual([])
})

test('whoever corrects their own match of a colleague’s line has no limit', async () => {
  const mistaken = entry('5000.00')
  expect((await importFile(colleague, camt([mistaken]))).status).toBe(200)
  const { rows } = await sql<{
    id: number
  }>`select id from bank_lines where bank_reference = ${mistaken.reference}`.execute(db)
  expect((await match(billing, rows[0]?.id)).faults).toEqual([])
  expect((await billing.post(`${lines}/${rows[0]?.id}/-actions/undoMatch`, {})).faults).toEqual([])
  expect((await match(billing, rows[0]?.id)).faults).toEqual([])
})

test('what one person said of the columns of a CSV does not change the amounts that a colleague imports', async () => {
  const text = (amount: string, balance: string) =>
    `Data;Suma;Sold;Detalii\n19.03.2026;${amount};${balance};hosting\n`
  const columns = (amount: string) => ({
    day: 'Data',
    amount,
    text: 'Detalii',
    currency: 'USD',
    day_format: 'DD.MM.YYYY',
    decimal: ',',
  })
  expect((await importFile(billing, text('1,00', '2,00'), { columns: columns('Sold') })).faults).toEqual([])
  const file = text('10,00', '80000,00')
  expect((await importFile(colleague, file)).faults).toEqual(['422 statement_columns_needed'])
  expect((await importFile(colleague, file, { columns: columns('Suma') })).faults).toEqual([])
  // Each person is asked once.
  expect((await importFile(colleague, text('11,00', '80011,00'))).faults).toEqual([])
  expect((await importFile(billing, text('3,00', '4,00'))).faults).toEqual([])
  const { rows } = await sql<{ amount: string }>`select amount from bank_lines where text = 'hosting'
    and bank_reference is null order by id`.execute(db)
  expect(rows.map(({ amount }) => amount)).toEqual(['2.00', '10.00', '11.00', '4.00'])
})

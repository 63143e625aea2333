import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { issueProforma } from '#money/invoices/invoices.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { bankDesk } from '#test/support/bank-desk.ts'
import { keyed, makePayer } from '#test/support/card.ts'
import {
  camt,
  csv,
  csvColumns,
  type Entry,
  importFile,
  leaveOtherDays,
  mt940,
} from '#test/support/statements.ts'

// Banks use a reference again, for another payer or month after month, and write a file in one line of text.

const { portal, db, importer: admin, colleague } = await bankDesk('admin')
let reference: string
let mark = 0

beforeEach(async () => {
  reference = `AGAIN${++mark}`
  await leaveOtherDays(db)
})
afterEach(async () => expect(await verifyLedger(db)).toEqual([]))

const paid = (text: string, more: Partial<Entry> = {}): Entry => ({
  amount: '60.50',
  text: `${text} ${mark}`,
  payer: text,
  iban: `RO09BCYP${text.toUpperCase().padStart(16, '0')}`,
  reference,
  ...more,
})

async function bring(file: string, more: object = {}) {
  const { faults, text } = await importFile(admin, file, more)
  if (faults.length > 0) return faults
  const { imported, doubtful } = JSON.parse(text)
  return doubtful > 0 ? `${imported} and ${doubtful} doubtful` : imported
}

const lines = async () =>
  (
    await sql<{ id: number; statement: number; text: string; state: string; client: number | null }>`
      select id, statement_id as statement, text, state, client_id as client from bank_lines
      where text like ${`% ${mark}`} and state not in ('taken_back', 'same', 'doubtful') order by id`.execute(
      db,
    )
  ).rows

async function match(text: string) {
  const [found] = (await lines()).filter((one) => one.text === `${text} ${mark}`)
  const { id } = await makePayer(portal)
  const answer = await admin.post(`${base}/bank-lines/${found?.id}/-actions/matchLine`, { client_id: id })
  expect(answer.faults).toEqual([])
  return { id, statement: found?.statement }
}

test('a reference of another payer months later is other money, also once the first is matched', async () => {
  expect(await bring(camt([paid('ana', { day: '2026-02-12' })]))).toBe(1)
  await match('ana')
  const file = camt([paid('bob', { day: '2026-03-19' })])
  expect(await bring(file)).toBe(1)
  expect(await bring(`${file}\n`)).toBe(0)
  expect((await lines()).map(({ text, state }) => `${text} ${state}`)).toEqual([
    `ana ${mark} matched`,
    `bob ${mark} open`,
  ])
})

test('one reference of each day or month is other money, and another format may say another day of it', async () => {
  expect(await bring(camt([paid('ana', { day: '2026-01-15' })]))).toBe(1)
  await match('ana')
  expect(await bring(camt([paid('ana', { day: '2026-02-15' })]))).toBe(1)
  expect(await bring(mt940([paid('ana', { day: '2026-01-17' })]))).toBe('0 and 1 doubtful')
  expect(await bring(camt([paid('ana', { day: '2026-01-25' })]))).toBe(1)
  expect(await bring(camt([paid('ana', { day: '2026-01-26', amount: '20.00' })]))).toBe(1)
  expect(await lines()).toHaveLength(4)
})

test('a reference of another account is other money in a table too', async () => {
  expect(await bring(csv([paid('ana', { day: '2026-03-16' })]), { columns: csvColumns })).toBe(1)
  await match('ana')
  expect(await bring(csv([paid('bob')]), { columns: csvColumns })).toBe(1)
  expect(await bring(camt([paid('carl'), paid('bob')]))).toBe(1)
})

test('a line whose import was taken back for good has no day to come', async () => {
  const months = ['2026-01-15', '2027-02-15'].map((day) => paid('ana', { day }))
  expect(await bring(csv([months[0] ?? paid('ana')]), { columns: csvColumns })).toBe(1)
  const { statement } = await match('ana')
  await sql`update bank_statements set taken_back_at = now() where id = ${statement}`.execute(db)
  expect(await bring(camt([months[1] ?? paid('ana')]))).toBe(1)
})

test('a table with a used reference of weeks before is other money, also read without references', async () => {
  const table = (day: string) => csv([paid('ana', { day })])
  expect(await bring(table('2026-01-15'), { columns: csvColumns })).toBe(1)
  await match('ana')
  expect(await bring(table('2026-02-15'), { columns: csvColumns })).toBe(1)
  const { reference: _, ...without } = csvColumns
  expect(await bring(table('2026-03-15'), { columns: without })).toBe(1)
})

test('a bank whose tables are followed by files of CAMT and MT940 uses its references again', async () => {
  expect(await bring(csv([paid('ana', { day: '2026-01-15' })]), { columns: csvColumns })).toBe(1)
  await match('ana')
  expect(await bring(camt([paid('ana', { day: '2026-02-15' })]))).toBe(1)
  expect(await bring(mt940([paid('bob', { day: '2026-03-15', amount: '9.00' })]))).toBe(1)
  expect(await bring(mt940([paid('ana', { day: '2026-02-15' })]))).toBe(0)
})

test('a standing order of each week comes each week', async () => {
  const file = (...days: readonly string[]) => camt(days.map((day) => paid('ana', { day })))
  expect(await bring(file('2026-01-01'))).toBe(1)
  await match('ana')
  expect(await bring(file('2026-01-08'))).toBe(1)
  expect(await bring(file('2026-01-15'))).toBe(1)
  expect(await bring(file('2026-01-08', '2026-01-15'))).toBe(0)
})

test('the next month of a line whose file was read again is other money', async () => {
  const ask = { columns: csvColumns, ask_columns: true }
  const both = [
    paid('ana', { day: '2026-01-15' }),
    paid('bob', { day: '2026-01-15', reference: `${reference}B` }),
  ]
  expect(await bring(csv(both), ask)).toBe(2)
  const { statement } = await match('ana')
  const back = await admin.post(`${base}/bank-statements/${statement}/-actions/takeBack`, {})
  expect(back.faults).toEqual([])
  expect(await bring(csv(both), ask)).toBe(1)
  const next = [paid('ana', { day: '2026-02-15' })]
  expect(await bring(csv(next), ask)).toBe(1)
  expect(await bring(camt(next))).toBe(0)
  expect(await bring(mt940(next))).toBe(0)
})

test('equal payments of a batch are as many as the file has', async () => {
  const detail = `<TxDtls><Refs><AcctSvcrRef>${reference}</AcctSvcrRef></Refs><Amt Ccy="USD">40.00</Amt>
    <RltdPties><Dbtr><Nm>Acme</Nm></Dbtr></RltdPties><RmtInf><Ustrd>lot ${mark}</Ustrd></RmtInf></TxDtls>`
  const file = camt([paid('lot', { amount: '80.00' })])
  expect(await bring(file.replace(/<TxDtls>[\s\S]*<\/TxDtls>/, `${detail}${detail}`))).toBe(2)
  expect(await lines()).toHaveLength(2)
  const equal = [paid('ana', { reference: `${reference}E` }), paid('ana', { reference: `${reference}E` })]
  expect(await bring(camt(equal))).toBe(2)
  expect(await bring(mt940(equal))).toBe(0)
  expect(await bring(camt([...equal, paid('bob', { amount: '7.00', reference: `${reference}E` })]))).toBe(1)
})

test('the amounts of a table that a colleague reads from another column are doubtful', async () => {
  const rows = ['ana', 'bob', 'carl'].map((who) => paid(who, { reference: `${reference}${who}` }))
  expect(await bring(csv(rows), { columns: csvColumns })).toBe(3)
  const { payer: _, ...without } = csvColumns
  const misread = rows.map((row) => ({ ...row, amount: '160.50' }))
  expect(await bring(csv(misread), { columns: without })).toBe('0 and 3 doubtful')
})

test('a file of one line of text is read again line by line', async () => {
  const file = camt([paid('ana'), paid('bob', { reference: `${reference}B` })]).replaceAll('\n', '')
  expect(await bring(file)).toBe(2)
  const { id, statement } = await match('ana')
  const back = await admin.post(`${base}/bank-statements/${statement}/-actions/takeBack`, {})
  expect(back.faults).toEqual([])
  expect(await bring(file)).toBe(1)
  expect((await lines()).map(({ text, state, client }) => [text, state, client]).toSorted()).toEqual([
    [`ana ${mark}`, 'matched', id],
    [`bob ${mark}`, 'open', null],
  ])
})

test('of equal amounts of a batch each is that of its payer in another format, in whatever order', async () => {
  expect(await bring(camt([paid('ana')]))).toBe(1)
  await match('ana')
  expect(await bring(csv([paid('bob'), paid('ana')]), { columns: csvColumns })).toBe(1)
  expect((await lines()).map(({ text, state }) => `${text} ${state}`)).toEqual([
    `ana ${mark} matched`,
    `bob ${mark} open`,
  ])
})

test('a payment of another batch with the same payer, text and amount is other money', async () => {
  expect(await bring(camt([paid('ana'), paid('bob', { amount: '7.00' })]))).toBe(2)
  const other = { reference: `${reference}B` }
  expect(await bring(camt([paid('ana', other), paid('carl', { amount: '8.00', ...other })]))).toBe(2)
  expect((await lines()).filter(({ text }) => text === `ana ${mark}`)).toHaveLength(2)
})

test('a line that arrives while its transfer is taken back shows it no more', async () => {
  const { id: clientId } = await makePayer(portal)
  const asked = await db.transaction().execute((tx) => issueProforma(tx, { clientId, sum: { net: '50' } }))
  const input = { amount: 60.5, received_on: '2026-03-19', reference }
  const url = `${base}/invoices/${asked.id}/-actions/recordBankTransfer`
  const { transaction_id: wrong } = JSON.parse((await keyed(colleague, url, { data: input })).text)
  const [undone, imported] = await Promise.all([
    colleague.post(`${base}/transactions/${wrong}/-actions/undoTransfer`, {}),
    bring(camt([paid('ana')])),
  ])
  expect(imported).toBe(1)
  const [line] = await lines()
  // Either may be first. A transfer with a line is not taken back; the line of one that was taken back is open.
  expect([undone.faults, line?.state]).toEqual(
    line?.state === 'open' ? [[], 'open'] : [['409 bank_payment_matched'], 'matched'],
  )
})

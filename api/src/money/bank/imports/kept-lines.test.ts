import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { issueProforma } from '#money/invoices/invoices.ts'
import type { Account } from '#test/support/account.ts'
import { bankDesk, checkSuspense } from '#test/support/bank-desk.ts'
import { keyed, makePayer } from '#test/support/card.ts'
import { camt, importFile, ownIban } from '#test/support/statements.ts'

// A matched line stays when its file is taken back, and is the line of the same place in every later reading of the file.

const { portal, db, importer: admin, colleague } = await bankDesk('admin')
const otherIban = 'DE89370400440532013000'
let ana: Account
let mark = 0

checkSuspense(db)
beforeEach(async () => {
  await sql`update operator_profile set iban = ${ownIban}, base_currency = 'USD'`.execute(db)
  ana = await makePayer(portal)
  mark++
})

type Cells = readonly [amount: string, balance: string, payer: string, text: string, reference: string]

/** A table with a heading of its own, and the columns by which it is read; null: the column is not named. */
const tableOf = (rows: readonly Cells[]) =>
  [
    'Data;Suma;Sold;Platitor;Detalii;Tip;Referinta',
    ...rows.map(([amount, balance, payer, text, reference]) =>
      ['19.03.2026', amount, balance, payer, text, 'Incasare', reference].join(';'),
    ),
  ]
    .join('\n')
    .replace('Data', `Data ${mark}`)
const read = (named: Readonly<Record<string, string | null>> = {}) => {
  const columns = {
    day: `Data ${mark}`,
    amount: 'Suma',
    payer: 'Platitor',
    text: 'Detalii',
    reference: 'Referinta',
    ...named,
  }
  const given = Object.fromEntries(Object.entries(columns).filter(([, column]) => column !== null))
  return { columns: { ...given, currency: 'USD', day_format: 'DD.MM.YYYY', decimal: ',' }, ask_columns: true }
}

type Line = Readonly<Record<string, unknown>> & { readonly id: number }
const linesOf = async (): Promise<Line[]> =>
  (
    await sql<Line>`select id, bank_reference as reference, text, amount::float, state, client_id as client,
        statement_id as statement, same_as as other
      from bank_lines where state not in ('ignored', 'taken_back') order by id`.execute(db)
  ).rows
const named = async (text: string) => (await linesOf()).findLast((line) => line.text === text)
const act = (line: Line | undefined, verb: string, input: object = {}, by = admin) =>
  by.post(`${base}/bank-lines/${line?.id}/-actions/${verb}`, input)
const match = (line: Line | undefined, { id }: Account, by = admin) =>
  act(line, 'matchLine', { client_id: id }, by)
const takeBack = (statement: unknown) =>
  admin.post(`${base}/bank-statements/${statement}/-actions/takeBack`, {})

/** Imports a file, matches one of its lines to Ana, and takes the import back. */
async function misread(file: string, how: object, which: number): Promise<Line> {
  const answer = await importFile(admin, file, how)
  expect(answer.faults).toEqual([])
  const { statement_id: statement } = JSON.parse(answer.text)
  const line = (await linesOf()).filter((one) => one.statement === statement)[which]
  if (!line) throw new Error('The file has no such line.')
  expect((await match(line, ana)).faults).toEqual([])
  expect((await takeBack(statement)).faults).toEqual([])
  return line
}

test('a matched line whose amount was read from the balance is not given to the line of another payer', async () => {
  const file = tableOf([
    ['10,00', '20,00', 'Ana', 'from ana', `M1${mark}`],
    ['20,00', '40,00', 'Bob', 'from bob', `M2${mark}`],
  ])
  const line = await misread(file, read({ amount: 'Sold' }), 0)
  // Somebody decided about another amount of this line, so that a person says what it is.
  const right = await importFile(admin, file, read())
  expect(JSON.parse(right.text)).toMatchObject({ imported: 1, doubtful: 1 })
  expect(await named('from bob')).toMatchObject({ state: 'open' })
  const doubtful = (await linesOf()).findLast(({ state }) => state === 'doubtful')
  expect(doubtful).toMatchObject({ text: 'from ana', amount: 10, other: line.id })
  // The way out is to undo that match, and to take the amount for other money.
  expect((await act(line, 'undoMatch')).faults).toEqual([])
  expect((await takeBack(line.statement)).faults).toEqual([])
  expect((await act(doubtful, 'otherMoney')).faults).toEqual([])
  const bob = await makePayer(portal)
  expect((await match(await named('from bob'), bob)).faults).toEqual([])
  expect((await match(await named('from ana'), ana)).faults).toEqual([])
})

test('of two equal amounts without a reference, the line that stayed is the one of its place', async () => {
  const file = tableOf([
    ['60,50', '1,00', '', 'carl pays', ''],
    ['60,50', '1,00', '', 'ana pays', ''],
  ])
  const line = await misread(file, read({ text: 'Tip', reference: null, payer: null }), 1)
  expect(JSON.parse((await importFile(admin, file, read({ reference: null }))).text)).toMatchObject({
    imported: 1,
  })
  expect(await named('ana pays')).toMatchObject({ state: 'same', other: line.id })
  expect(await named('carl pays')).toMatchObject({ state: 'open' })
})

test('a line that was read three ways keeps its place, and its payment its name', async () => {
  const file = tableOf([
    ['500,00', '1,00', '', 'for zed', `Q1${mark}`],
    ['500,00', '1,00', '', 'for ana', `Q2${mark}`],
  ])
  const line = await misread(file, read(), 1)
  const nameless = await importFile(admin, file, read({ reference: null, text: null }))
  expect(JSON.parse(nameless.text)).toMatchObject({ imported: 1 })
  expect((await takeBack(JSON.parse(nameless.text).statement_id)).faults).toEqual([])
  expect(JSON.parse((await importFile(admin, file, read())).text)).toMatchObject({ imported: 1 })
  expect(await named('for ana')).toMatchObject({ state: 'same', other: line.id, reference: `Q2${mark}` })
  const zed = await makePayer(portal)
  expect((await match(await named('for zed'), zed, colleague)).faults).toEqual([])
  const { rows } = await sql`select provider_ref as name, client_id as client from payments
    where provider = 'bank' and client_id in (${ana.id}, ${zed.id}) order by client_id`.execute(db)
  expect(rows).toEqual([
    { name: `Q2${mark}`, client: ana.id },
    { name: `Q1${mark}`, client: zed.id },
  ])
  // What the last reading says is known, and what the lines are.
  const again = await importFile(admin, `${file}\n`, read())
  expect(JSON.parse(again.text)).toMatchObject({ imported: 0, doubtful: 0 })
})

test('a corrected number of the own account brings no money a second time', async () => {
  await sql`update operator_profile set iban = ${otherIban}`.execute(db)
  const file = tableOf([
    ['60,50', '1,00', 'Ana', 'first', ''],
    ['7,00', '1,00', 'Bob', 'second', ''],
  ])
  const line = await misread(file, read({ reference: null }), 0)
  await sql`update operator_profile set iban = ${ownIban}`.execute(db)
  expect(JSON.parse((await importFile(admin, file, read({ reference: null }))).text)).toMatchObject({
    imported: 1,
  })
  expect(await named('first')).toMatchObject({ other: line.id, state: 'same' })
  expect(await named('second')).toMatchObject({ state: 'open' })
})

const record = async (reference: string, more: object = {}) => {
  const asked = await db
    .transaction()
    .execute((tx) => issueProforma(tx, { clientId: ana.id, sum: { net: '50' } }))
  const transfer = { amount: 60.5, received_on: '2026-03-19', reference, ...more }
  return keyed(admin, `${base}/invoices/${asked.id}/-actions/recordBankTransfer`, transfer)
}

test('a transfer recorded by hand that a line shows is not matched again by the name of another line', async () => {
  const reference = `H${mark}`
  expect((await record(reference)).faults).toEqual([])
  const file = tableOf([
    ['60,50', '1,00', 'Ana', 'by hand', reference],
    ['8,00', '1,00', 'Bob', 'other', `O${mark}`],
  ])
  const first = JSON.parse((await importFile(admin, file, read())).text)
  expect((await takeBack(first.statement_id)).faults).toEqual([])
  expect((await importFile(admin, file, read({ reference: null }))).faults).toEqual([])
  const shown = { amount: '60.50', text: 'by hand', reference, day: '2026-03-19', payer: 'Ana' }
  expect(JSON.parse((await importFile(colleague, camt([shown]))).text)).toMatchObject({ imported: 0 })
  // A bank that uses a reference again within days: the transfer by hand is shown, so that this is other money.
  const entries = [
    { ...shown, text: 'by hand again', day: '2026-03-11' },
    { amount: '9.00', text: 'new', reference: `N${mark}` },
  ]
  const bank = await importFile(colleague, camt(entries))
  expect([bank.faults, JSON.parse(bank.text)]).toMatchObject([[], { imported: 2, doubtful: 0 }])
  const again = await named('by hand again')
  expect((await match(again, ana)).faults).toEqual([])
})

test('a reference that another payer uses months later is not the transfer that was recorded by hand', async () => {
  const reference = `123${mark}`
  expect((await record(reference, { received_on: '2025-06-01' })).faults).toEqual([])
  const entry = { amount: '60.50', text: 'for bob', reference, payer: 'Bob', day: '2026-03-19' }
  expect((await importFile(colleague, camt([entry]))).faults).toEqual([])
  expect(await named('for bob')).toMatchObject({ state: 'open', client: null })
})

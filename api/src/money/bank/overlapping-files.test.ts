import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyLedger } from '#money/ledger/verify.ts'
import { bankDesk } from '#test/support/bank-desk.ts'
import { makePayer } from '#test/support/card.ts'
import { camt, csv, csvColumns, type Entry, importFile, mt940 } from '#test/support/statements.ts'

// A bank that gives several payments one reference, and files that overlap.

const { portal, db, importer: admin, colleague } = await bankDesk('admin')
let batch: string
let mark = 0

beforeEach(() => {
  batch = `BATCH${++mark}`
})
afterEach(async () => expect(await verifyLedger(db)).toEqual([]))

const paid = (amount: string, text: string, more: Partial<Entry> = {}): Entry => ({
  amount,
  text: `${text} ${mark}`,
  reference: batch,
  ...more,
})

/** How many lines a file adds. */
async function added(file: string, more: object = {}, by = admin): Promise<number> {
  const answer = await importFile(by, file, more)
  expect(answer.faults).toEqual([])
  return JSON.parse(answer.text).imported
}

/** Every line of this test that was not taken back. */
const lines = async () =>
  (
    await sql<{ id: number; statement: number; name: string; text: string; amount: string; state: string }>`
      select id, statement_id as statement, reference as name, text, amount, state from bank_lines
      where text like ${`% ${mark}`} and state <> 'taken_back' order by id`.execute(db)
  ).rows
const money = async () => (await lines()).map(({ amount }) => Number(amount)).sort((one, two) => one - two)

const act = (type: string, id: unknown, verb: string, input: object = {}, by = admin) =>
  by.post(`${base}/${type}/${id}/-actions/${verb}`, input)

/** Matches a line to a client of its own. */
async function match(text: string, by = admin) {
  const [found] = (await lines()).filter((one) => one.text === `${text} ${mark}`)
  const { id: client_id } = await makePayer(portal)
  return (await act('bank-lines', found?.id, 'matchLine', { client_id }, by)).faults
}

test('a part of a day, the whole day and the part again bring each payment of a batch once', async () => {
  const [one, two] = [paid('5.00', 'one'), paid('6.00', 'two')]
  expect(await added(camt([one]))).toBe(1)
  expect(await match('one')).toEqual([])
  expect(await added(camt([one, two]))).toBe(1)
  expect(await added(`${camt([one])}\n`)).toBe(0)
  expect(await added(camt([two, one]))).toBe(0)
  expect(await added(camt([two]))).toBe(0)
  expect(await money()).toEqual([5, 6])
})

test('a whole day and then its parts bring each payment of a batch once', async () => {
  const [one, two] = [paid('5.00', 'one'), paid('6.00', 'two')]
  expect(await added(camt([one, two]))).toBe(2)
  expect(await added(camt([one]))).toBe(0)
  expect(await added(camt([two]))).toBe(0)
  expect(await money()).toEqual([5, 6])
})

test('two parts with one payment of a batch each are both imported, and the whole day adds nothing', async () => {
  const [one, two] = [paid('5.00', 'one'), paid('6.00', 'two')]
  expect(await added(camt([one]))).toBe(1)
  expect(await added(camt([two]))).toBe(1)
  expect(await added(camt([two, one]))).toBe(0)
  expect(await added(`${camt([two])}\n`)).toBe(0)
  // The bank's reference stands for several from now on.
  expect(await added(camt([paid('5.00', 'three'), one]))).toBe(1)
  expect(await money()).toEqual([5, 5, 6])
})

test('in another format, whose texts differ, a payment of a batch is known by its day and amount', async () => {
  const [one, two] = [paid('5.00', 'one'), paid('6.00', 'two')]
  const other = (entry: Entry) => ({ ...entry, text: `transfer ${entry.text}` })
  expect(await added(camt([one, two]))).toBe(2)
  expect(await added(mt940([other(one)]))).toBe(0)
  expect(await added(mt940([other(two), other(one), paid('7.00', 'three')]))).toBe(1)
  expect(await added(csv([paid('8.00', 'four')]), { columns: csvColumns })).toBe(1)
  expect(await money()).toEqual([5, 6, 7, 8])
})

test('an amount that was read wrongly from another format is refused, not taken for a payment of a batch', async () => {
  expect(await added(camt([paid('5.00', 'one')]))).toBe(1)
  const wrong = await importFile(admin, csv([paid('1005.00', 'another text')]), { columns: csvColumns })
  expect(wrong.faults).toEqual(['409 statement_line_conflict'])
  const same = await importFile(admin, camt([paid('1005.00', 'one')]))
  expect(same.faults).toEqual(['409 statement_line_conflict'])
})

test('equal payments of one day are as many as the file with most of them has', async () => {
  const [one, two] = [paid('5.00', 'one'), paid('6.00', 'two')]
  expect(await added(camt([one]))).toBe(1)
  expect(await added(camt([one, one, two]))).toBe(2)
  expect(await added(camt([two, one, one]))).toBe(0)
  expect(await added(camt([one, one]))).toBe(0)
  expect(await money()).toEqual([5, 5, 6])
})

test('equal payments without a reference stay two when their file, or a longer one, comes again', async () => {
  const bare = paid('5.00', 'one', { reference: undefined })
  expect(await added(camt([bare, bare]))).toBe(2)
  expect(await added(camt([paid('6.00', 'two'), bare, bare]))).toBe(1)
  expect(await added(camt([bare]))).toBe(0)
  expect(await money()).toEqual([5, 5, 6])
})

test('payments of two batches that are equal but for their reference are two, in whichever order', async () => {
  const [one, two] = [paid('5.00', 'one'), paid('6.00', 'two')]
  const next = (entry: Entry) => ({ ...entry, reference: `${batch}B` })
  expect(await added(camt([one]))).toBe(1)
  expect(await added(camt([one, two, next(one), next(two)]))).toBe(3)
  expect(await added(camt([next(two), next(one), two, one]))).toBe(0)
  expect(await added(camt([next(one)]))).toBe(0)
  expect(await money()).toEqual([5, 5, 6, 6])
})

test('a payment of a batch that a whole day of before the upgrade has is not brought by the next whole day', async () => {
  const [one, two] = [paid('5.00', 'one'), paid('6.00', 'two')]
  expect(await added(camt([one, two]))).toBe(2)
  await sql`update bank_lines set bank_reference = null where text like ${`% ${mark}`}`.execute(db)
  expect(await added(camt([one, two, paid('7.00', 'three')]))).toBe(1)
  expect(await money()).toEqual([5, 6, 7])
})

const ask = { columns: csvColumns, ask_columns: true }

test('a file of a batch is taken back and read again, with its matched payment once', async () => {
  const [one, two, three] = [paid('5.00', 'one'), paid('6.00', 'two'), paid('7.00', 'three')]
  expect(await added(camt([two]))).toBe(1)
  const file = csv([one, three])
  expect(await added(file, ask)).toBe(2)
  expect(await match('one')).toEqual([])
  expect((await act('bank-statements', (await lines()).at(-1)?.statement, 'takeBack')).faults).toEqual([])
  // A part of another format brings the other payment meanwhile.
  expect(await added(camt([three, one]))).toBe(1)
  expect(await added(file, ask)).toBe(0)
  expect(await added(csv([one, two, three]), ask)).toBe(0)
  expect(await money()).toEqual([5, 6, 7])
})

/** Payments whose references moved by one line: read by the second column they are right. */
const moved = (...before: readonly string[][]) => {
  const rows = [
    ...before,
    ['5,00', 'one', 'S1', 'S2'],
    ['6,00', 'two', 'S2', 'S3'],
    ['9,00', 'three', 'T1', 'T2'],
  ].map(([amount, text, wrong, right]) =>
    ['19.03.2026', amount, `${text} ${mark}`, `${wrong}-${mark}`, `${right}-${mark}`].join(';'),
  )
  return `Data;Suma;Detalii;Ref A ${mark};Ref B ${mark}\n${rows.join('\n')}\n`
}
const readBy = (column: 'A' | 'B' | null) => ({
  columns: {
    day: 'Data',
    amount: 'Suma',
    text: 'Detalii',
    ...(column !== null && { reference: `Ref ${column} ${mark}` }),
    currency: 'USD',
    day_format: 'DD.MM.YYYY',
    decimal: ',',
  },
  ask_columns: true,
})

/** Imports a file, matches its first two lines, and takes the rest of it back. */
async function misread(file: string, how: object) {
  await added(file, how)
  for (const text of ['one', 'two']) expect(await match(text)).toEqual([])
  const [first] = await lines()
  expect((await act('bank-statements', first?.statement, 'takeBack')).faults).toEqual([])
}

test('matched lines whose references move in a chain are read again where another file has the last one', async () => {
  const file = moved()
  await misread(file, readBy('A'))
  expect(await added(camt([paid('6.00', 'two', { reference: `S3-${mark}` })]))).toBe(1)
  expect(await added(file, readBy('B'))).toBe(1)
  expect((await lines()).map(({ text, name, state }) => [text.split(' ')[0], name, state])).toEqual([
    ['one', `S1-${mark}`, 'matched'],
    ['two', `S2-${mark}`, 'matched'],
    ['two', `S3-${mark}`, 'open'],
    ['three', `T2-${mark}`, 'open'],
  ])
  // What the lines are is known all the same.
  expect(await added(`${file}\n`, readBy('B'))).toBe(0)
})

test('a line whose right name is kept by one that stayed is refused, and never lost', async () => {
  const file = moved(['4,00', 'zero', 'S0', 'S1'])
  await misread(file, readBy('A'))
  expect(await added(camt([paid('6.00', 'two', { reference: `S3-${mark}` })]))).toBe(1)
  expect((await importFile(admin, file, readBy('B'))).faults).toEqual(['409 statement_line_conflict'])
  expect(await money()).toEqual([5, 6, 6])
})

test('matched lines whose references move in a chain get them where nobody has the last one', async () => {
  const file = moved()
  await misread(file, readBy('A'))
  expect(await added(file, readBy('B'))).toBe(1)
  expect((await lines()).map(({ name }) => name)).toEqual([`S2-${mark}`, `S3-${mark}`, `T2-${mark}`])
  const { rows } = await sql<{ name: string }>`select p.provider_ref as name from payments p
    join bank_lines l on l.id = p.bank_line_id where l.text like ${`% ${mark}`} order by l.id`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual([`S2-${mark}`, `S3-${mark}`])
})

test('a payment keeps its name where another payment has the new one, and so does the payment that wants it', async () => {
  const file = moved()
  await misread(file, readBy('A'))
  // Another account of the operator had a line of that name.
  await sql`update payments set provider_ref = ${`S3-${mark}`} where id =
    (select max(id) from payments where provider = 'bank' and bank_line_id not in
      (select id from bank_lines where text like ${`% ${mark}`}))`.execute(db)
  expect(await added(file, readBy('B'))).toBe(1)
  expect((await lines()).map(({ name }) => name)).toEqual([`S2-${mark}`, `S3-${mark}`, `T2-${mark}`])
  const { rows } = await sql<{ name: string }>`select p.provider_ref as name from payments p
    join bank_lines l on l.id = p.bank_line_id where l.text like ${`% ${mark}`} order by l.id`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual([`S1-${mark}`, `S2-${mark}`])
})

test('a matched transfer that was read without its reference is not brought again by another file', async () => {
  const file = moved()
  await misread(file, readBy('A'))
  expect(await added(file, readBy(null))).toBe(1)
  const one = paid('5.00', 'as the bank says', { reference: `S1-${mark}` })
  expect(await added(camt([one]), {}, colleague)).toBe(0)
  expect(await added(`${file}\n`, readBy('A'))).toBe(1)
  expect(await money()).toEqual([5, 6, 9, 9])
  // The reference of other money is new.
  expect(await added(camt([{ ...one, amount: '5.50' }]), {}, colleague)).toBe(1)
})

test('two equal lines exchange their references when their file is read again', async () => {
  const row = (text: string, a: string, b: string) =>
    `19.03.2026;5,00;${text} ${mark};${a}-${mark};${b}-${mark}\n`
  const file = `Data;Suma;Detalii;Ref A ${mark};Ref B ${mark}\n${row('one', 'X', 'Y')}${row('two', 'Y', 'X')}${row('three', 'Z', 'Z')}`
  await misread(file, readBy('A'))
  expect(await added(file, readBy('B'))).toBe(1)
  expect((await lines()).map(({ text, name }) => [text.split(' ')[0], name])).toEqual([
    ['one', `Y-${mark}`],
    ['two', `X-${mark}`],
    ['three', `Z-${mark}`],
  ])
})

test('whoever took back what a colleague ignored has limits for it also under another name', async () => {
  await sql`update staff_limits set per_action = 40, per_day = 40 where verb = 'recordBankTransfer'`.execute(
    db,
  )
  const [one, two] = [paid('50.00', 'one'), paid('6.00', 'two')]
  expect(await added(camt([one]), {}, colleague)).toBe(1)
  const [line] = await lines()
  expect((await act('bank-lines', line?.id, 'ignoreLine', {}, colleague)).faults).toEqual([])
  expect((await act('bank-statements', line?.statement, 'takeBack')).faults).toEqual([])
  expect(await added(camt([one, two]), {}, colleague)).toBe(2)
  expect((await lines()).map(({ name }) => name[0])).toEqual(['#', '#'])
  expect(await match('one')).toEqual(['403 bank_line_own_import'])
})

test('a person who reads a matched line of a batch with another text has limits for what a whole day brings', async () => {
  const [one, two] = [paid('50.00', 'one'), paid('6.00', 'two')]
  const rest = paid('1.00', 'rest', { reference: `${batch}R` })
  const file = csv([one, rest])
  expect(await added(file, ask, colleague)).toBe(2)
  expect(await match('one', colleague)).toEqual(['403 bank_line_own_import'])
  expect(await match('one')).toEqual([])
  const [line] = await lines()
  expect((await act('bank-statements', line?.statement, 'takeBack')).faults).toEqual([])
  const misread = { ...ask, columns: { ...csvColumns, text: 'Cont' } }
  expect(await added(file, misread)).toBe(1)
  expect(await added(csv([one, two]), { columns: csvColumns }, colleague)).toBe(2)
  expect(await match('one')).toEqual(['403 bank_line_own_import'])
})

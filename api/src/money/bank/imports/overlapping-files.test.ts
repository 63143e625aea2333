import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { bankDesk, checkSuspense } from '#test/support/bank-desk.ts'
import { makePayer } from '#test/support/card.ts'
import { camt, csv, csvColumns, type Entry, importFile, mt940, ownIban } from '#test/support/statements.ts'

// A bank that gives several payments one reference, and files that overlap.

const { portal, db, importer: admin, colleague } = await bankDesk('admin')
let batch: string
let mark = 0

checkSuspense(db)
beforeEach(() => {
  batch = `BATCH${++mark}`
})

const paid = (amount: string, text: string, more: Partial<Entry> = {}): Entry => ({
  amount,
  text: `${text} ${mark}`,
  reference: batch,
  ...more,
})

/** How many lines a file adds, and how many are doubtful. */
async function brought(file: string, more: object = {}, by = admin): Promise<[number, number]> {
  const answer = await importFile(by, file, more)
  expect(answer.faults).toEqual([])
  const { imported, doubtful } = JSON.parse(answer.text)
  return [imported, doubtful]
}

/** How many lines a file adds, none of them doubtful. */
async function added(file: string, more: object = {}, by = admin): Promise<number> {
  const [imported, doubtful] = await brought(file, more, by)
  expect(doubtful).toBe(0)
  return imported
}

/** Every line of this test that was not taken back. */
const lines = async () =>
  (
    await sql<{ id: number; statement: number; name: string; text: string; amount: string; state: string }>`
      select id, statement_id as statement, bank_reference as name, text, amount, state from bank_lines
      where text like ${`% ${mark}`} and state not in ('taken_back', 'same', 'doubtful') order by id`.execute(
      db,
    )
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
  // Amounts of a CSV may be of another column.
  expect(await brought(csv([paid('8.00', 'four')]), { columns: csvColumns })).toEqual([0, 1])
  expect(await money()).toEqual([5, 6, 7])
})

test('an amount of another column under one reference is doubtful, and not taken for a payment of a batch', async () => {
  expect(await added(camt([paid('5.00', 'one')]))).toBe(1)
  // In a format with one reading it is another payment of the batch.
  expect(await added(camt([paid('6.00', 'one')]))).toBe(1)
  expect(await brought(csv([paid('1005.00', 'another text')]), { columns: csvColumns })).toEqual([0, 1])
})

test('two payers of one batch, day and amount whose accounts are not known are two', async () => {
  const who = (payer: string) => paid('5.00', payer, { payer, iban: 'none' })
  expect(await added(camt([who('Ana Pop')]))).toBe(1)
  expect(await added(camt([who('Bob Ion')]))).toBe(1)
  // Names are written differently in other formats, so that a third one is a doubt while one of the first two is not there.
  expect(await brought(mt940([who('Carl Stan'), who('Bob Ion')]))).toEqual([0, 1])
  expect(await money()).toEqual([5, 5])
})

test('a table read without references and a file with them bring each payment once', async () => {
  const all = [paid('5.00', 'invoice one'), paid('6.00', 'invoice two')]
  const { reference: _, ...without } = csvColumns
  expect(await added(csv(all), { columns: without })).toBe(2)
  expect(await added(camt([...all, paid('7.00', 'invoice three')]))).toBe(1)
  expect(await added(`${csv(all)}\n`, { columns: csvColumns, ask_columns: true })).toBe(0)
  expect(await money()).toEqual([5, 6, 7])
})

test('a table of which another column is read as the text is doubtful at most', async () => {
  const all = [paid('5.00', 'invoice one'), paid('6.00', 'invoice two')]
  const { reference: _, ...without } = csvColumns
  expect(await added(csv(all), { columns: without })).toBe(2)
  expect(
    await brought(`${csv(all)}\n`, { columns: { ...without, text: 'Cont' }, ask_columns: true }),
  ).toEqual([0, 2])
  expect(await money()).toEqual([5, 6])
})

/** A batch of payments, whose payers have names where they are given. */
const paidTo = (total: string, ...payments: readonly (readonly [amount: string, who?: string])[]) =>
  camt([paid(total, 'lot')]).replace(
    /<TxDtls>[\s\S]*<\/TxDtls>/,
    payments
      .map(
        ([
          amount,
          who = '',
        ]) => `<TxDtls><Amt Ccy="USD">${amount}</Amt><RltdPties><Dbtr><Nm>${who}</Nm></Dbtr></RltdPties>
          <RmtInf><Ustrd>${who || 'lot'} ${mark}</Ustrd></RmtInf></TxDtls>`,
      )
      .join(''),
  )
const batchOf = (total: string, ...amounts: readonly string[]) =>
  paidTo(total, ...amounts.map((amount) => [amount] as const))

test('the total of a batch adds nothing to its payments, and its payments to their total are doubtful', async () => {
  expect(await added(batchOf('80.00', '30.00', '50.00'))).toBe(2)
  expect(await added(mt940([paid('80.00', 'lot')]))).toBe(0)
  // Without the reference of the batch its sum says so, which may be an accident.
  expect(await brought(mt940([paid('80.00', 'lot', { reference: undefined })]))).toEqual([0, 1])
  batch = `${batch}B`
  expect(await added(mt940([paid('90.00', 'lot')]))).toBe(1)
  expect(await brought(batchOf('90.00', '40.00', '50.00'))).toEqual([0, 2])
})

test('a day that another format gives a payment is doubtful, and neither lost nor there twice', async () => {
  expect(await added(camt([paid('5.00', 'invoice one')]))).toBe(1)
  expect(await brought(mt940([paid('5.00', 'invoice one', { day: '2026-03-17' })]))).toEqual([0, 1])
  // Once decided, no file asks again.
  const { list } = await admin.get(`${base}/bank-lines?filter[state]=doubtful&filter[search]=${batch}`)
  expect((await act('bank-lines', list[0]?.id, 'sameMoney')).faults).toEqual([])
  expect(await added(`${mt940([paid('5.00', 'invoice one', { day: '2026-03-17' })])}\n`)).toBe(0)
  expect(await money()).toEqual([5])
})

test('a reference that MT940 cuts off is no other one, and does not tell two payments apart', async () => {
  batch = `${'LONG'.repeat(4)}${batch}`
  const [one, two] = [paid('5.00', 'invoice one'), paid('5.00', 'invoice two', { reference: `${batch}B` })]
  expect(await added(camt([one, two]))).toBe(2)
  expect(await added(mt940([two, one]))).toBe(0)
  expect(await brought(mt940([{ ...one, day: '2026-03-17' }]))).toEqual([0, 1])
})

const repeatedMt940 = (file: string, change = (one: string) => one) => `${file}${change(file)}`

test('a statement that a file has twice adds its lines once, and under another number they are doubtful', async () => {
  const one = mt940([paid('5.00', 'one'), paid('6.00', 'two')])
  expect(await added(repeatedMt940(one))).toBe(2)
  const other = mt940([paid('7.00', 'three')])
  expect(await brought(repeatedMt940(other, (text) => text.replace('00012', '00013')))).toEqual([1, 1])
  // The next statement begins where the other ended: its line is another payment just like it.
  const last = mt940([paid('8.00', 'four')])
  const next = last.replace('1000,00', '1008,00').replace('1008,00\n:62', '1008,00\n:62')
  const chained = last + next.replace(':62F:C260319USD1008,00', ':62F:C260319USD1016,00')
  expect(await added(chained)).toBe(2)
})

test('payments just alike of two statements that follow each other are not taken for one', async () => {
  const bare = paid('5.00', 'hosting', { reference: undefined })
  const morning = camt([bare])
  const noon = morning.replaceAll('1005.00', '1010.00').replace('1000.00', '1005.00')
  expect(await added(morning)).toBe(1)
  expect(await brought(noon)).toEqual([0, 1])
  expect(await added(`${morning}\n`)).toBe(0)
})

test('the payments of a batch that a person found in a total are known in every other file', async () => {
  expect(await added(mt940([paid('90.00', 'lot')]))).toBe(1)
  expect(await brought(paidTo('90.00', ['45.00', 'Ana'], ['45.00', 'Bob']))).toEqual([0, 2])
  const { list } = await admin.get(`${base}/bank-statements?sort=-createdAt`)
  expect((await act('bank-statements', list[0]?.id, 'sameAll')).faults).toEqual([])
  const rows = ['Ana', 'Bob'].map((who) =>
    paid('45.00', who, { payer: who, iban: 'none', reference: undefined }),
  )
  expect(await added(csv(rows), { columns: csvColumns })).toBe(0)
  expect(await added(mt940([paid('90.00', 'lot'), paid('1.00', 'more', { reference: `${batch}M` })]))).toBe(1)
  expect(await money()).toEqual([1, 90])
})

test('a doubtful line that nobody decided about hides no second payment', async () => {
  const ana = (text: string, more: Partial<Entry> = {}) =>
    paid('60.50', text, { reference: undefined, ...more })
  expect(await added(camt([ana('invoice one')]))).toBe(1)
  expect(await brought(csv([ana('Incasare', { iban: 'none' })]), { columns: csvColumns })).toEqual([0, 1])
  expect(await brought(mt940([ana('invoice one'), ana('invoice two')]))).toEqual([0, 1])
})

test('a payment just alike of the next statement is a doubt in another format, and with a reference', async () => {
  const bare = paid('60.50', 'hosting', { reference: undefined })
  expect(await added(mt940([bare]))).toBe(1)
  const next = camt([bare]).replaceAll('1060.50', '1121.00').replace('1000.00', '1060.50')
  expect(await brought(next)).toEqual([0, 1])
  const named = paid('61.00', 'hosting')
  expect(await added(camt([named]))).toBe(1)
  expect(await brought(camt([named]).replaceAll('1061.00', '1122.00').replace('1000.00', '1061.00'))).toEqual(
    [0, 1],
  )
})

test('a name in another order, or a text in other words, on the day before is a doubt', async () => {
  const one = paid('62.00', 'hosting', { payer: 'Ana Pop', iban: 'none', reference: undefined })
  expect(await added(camt([one]))).toBe(1)
  const other = { ...one, payer: 'POP ANA', text: `HOSTING ${mark}`, day: '2026-03-18' }
  expect(await brought(csv([other]), { columns: csvColumns })).toEqual([0, 1])
  const two = paid('63.00', 'invoice 5 hosting', { payer: '', iban: 'none', reference: undefined })
  expect(await added(camt([two]))).toBe(1)
  expect(await brought(mt940([{ ...two, text: `TRF ${two.text}`, day: '2026-03-18' }]))).toEqual([0, 1])
})

test('a file whose lines another import brought brings them once that one is taken back', async () => {
  const one = paid('5.00', 'one')
  expect(await added(camt([one]))).toBe(1)
  const longer = camt([one, paid('6.00', 'two')])
  expect(await added(longer)).toBe(1)
  const [first] = await lines()
  expect((await act('bank-statements', first?.statement, 'takeBack')).faults).toEqual([])
  const again = await importFile(admin, longer)
  expect(JSON.parse(again.text)).toMatchObject({ repeated: true, imported: 1, doubtful: 0 })
  expect(JSON.parse((await importFile(admin, longer)).text)).toMatchObject({ repeated: true, imported: 0 })
  expect(await money()).toEqual([5, 6])
})

test('the same file adds nothing once the number of the own account was corrected', async () => {
  const file = csv([paid('5.00', 'one')]).replaceAll(/^"[^"]*";|^Cont;/gm, '')
  const { account: _, ...columns } = csvColumns
  expect(await added(file, { columns })).toBe(1)
  await sql`update operator_profile set iban = 'DE89370400440532013000'`.execute(db)
  try {
    expect(await added(file, { columns })).toBe(0)
    expect(await brought(`${file}\n`, { columns })).toEqual([0, 1])
  } finally {
    await sql`update operator_profile set iban = ${ownIban}`.execute(db)
  }
})

test('a person who brings a line by a colleague’s file again has the limits of own imports', async () => {
  const [large, more] = [paid('90000.00', 'one'), paid('1.00', 'two')]
  expect(await added(camt([large]))).toBe(1)
  const longer = camt([large, more])
  expect(await added(longer, {}, colleague)).toBe(1)
  const [first] = await lines()
  expect((await act('bank-statements', first?.statement, 'takeBack')).faults).toEqual([])
  expect(await added(longer)).toBe(1)
  expect(await match('one')).toEqual(['403 bank_line_own_import'])
})

test('a file that has a line twice adds no further doubt when it comes again', async () => {
  expect(await added(csv([paid('5.00', 'one')]), { columns: csvColumns })).toBe(1)
  const twice = csv([paid('5.00', 'one'), paid('5.00', 'one')])
  expect(await brought(twice, { columns: csvColumns })).toEqual([0, 1])
  for (const again of [twice, `${twice}\n`])
    expect(await brought(again, { columns: csvColumns })).toEqual([0, 0])
})

test('a batch of which one payment is taken for another line is a doubt by the sum of all', async () => {
  const bare = (amount: string, text: string) =>
    paid(amount, text, { reference: undefined, iban: 'none', payer: text })
  expect(await added(mt940([bare('300.00', 'total'), bare('100.00', 'Ana')]))).toBe(2)
  const file = paidTo('300.00', ['100.00', 'Ana'], ['120.00', 'Bob'], ['80.00', 'Cid'])
  expect(await brought(file.replace(`>${batch}<`, '>NONREF<'))).toEqual([0, 2])
})

test('the total of a batch of which a part is taken back is doubtful again', async () => {
  expect(await added(batchOf('0.60', '0.30', '0.30'))).toBe(2)
  expect(await added(mt940([paid('0.60', 'lot')]))).toBe(0)
  const { id: client_id } = await makePayer(portal)
  const [first, second] = await lines()
  expect((await act('bank-lines', second?.id, 'matchLine', { client_id })).faults).toEqual([])
  expect((await act('bank-statements', first?.statement, 'takeBack')).faults).toEqual([])
  const { list } = await admin.get(`${base}/bank-lines?filter[state]=doubtful&filter[search]=${batch}`)
  expect(list.map(({ attributes }) => attributes?.amount)).toEqual([0.6])
})

test('a statement of one page keeps its balances, so that the next one is another', async () => {
  const page = (file: string) =>
    file.replace('</Id><Acct>', '</Id><StmtPgntn><PgNb>1</PgNb><LastPgInd>true</LastPgInd></StmtPgntn><Acct>')
  const bare = paid('5.00', 'hosting', { reference: undefined })
  const morning = page(camt([bare]))
  expect(await added(morning)).toBe(1)
  expect(await brought(morning.replaceAll('1005.00', '1010.00').replace('1000.00', '1005.00'))).toEqual([
    0, 1,
  ])
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

test('lines of before the upgrade are known by what they say', async () => {
  const [one, two] = [paid('5.00', 'one'), paid('6.00', 'two')]
  expect(await added(camt([one, two]))).toBe(2)
  await sql`update bank_lines set reference = case when text like 'one%' then bank_reference else reference end,
      bank_reference = case when text not like 'one%' then bank_reference end where text like ${`% ${mark}`}`.execute(
    db,
  )
  await sql`update bank_statements set reading = null, balances = null`.execute(db)
  expect(await added(camt([one, two, paid('7.00', 'three')]))).toBe(1)
  expect(await money()).toEqual([5, 6, 7])
})

const ask = { columns: csvColumns, ask_columns: true }

test('a file of a batch is taken back and read again, with its matched payment once', async () => {
  const [one, two, three] = [paid('5.00', 'one'), paid('6.00', 'two'), paid('7.00', 'three')]
  expect(await added(csv([two]), ask)).toBe(1)
  const file = csv([one, three])
  expect(await added(file, ask)).toBe(2)
  expect(await match('one')).toEqual([])
  expect((await act('bank-statements', (await lines()).at(-1)?.statement, 'takeBack')).faults).toEqual([])
  expect(await added(file, ask)).toBe(1)
  expect(await added(csv([one, two, three]), ask)).toBe(0)
  expect(await added(camt([three, one]))).toBe(0)
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

test('matched lines whose references moved by one are read again, and no other file brings them twice', async () => {
  const file = moved()
  await misread(file, readBy('A'))
  // The misread line proves nothing, so that this one is doubtful until the file is read again.
  expect(await brought(camt([paid('6.00', 'two', { reference: `S3-${mark}` })]))).toEqual([0, 1])
  expect(await added(file, readBy('B'))).toBe(1)
  expect((await lines()).map(({ text, name, state }) => [text.split(' ')[0], name, state])).toEqual([
    ['one', `S1-${mark}`, 'matched'],
    ['two', `S2-${mark}`, 'matched'],
    ['three', `T2-${mark}`, 'open'],
  ])
  expect(await added(`${file}\n`, readBy('B'))).toBe(0)
  expect(await added(camt([paid('5.00', 'one', { reference: `S2-${mark}` })]))).toBe(0)
})

test('a matched transfer that was read without its reference is not brought again by another file', async () => {
  const file = moved()
  await misread(file, readBy('A'))
  expect(await added(file, readBy(null))).toBe(1)
  const one = paid('5.00', 'one', { reference: `S1-${mark}` })
  expect(await added(camt([one]), {}, colleague)).toBe(0)
  // The third line is known by its text, though its reference is read now.
  expect(await added(`${file}\n`, readBy('A'))).toBe(0)
  expect(await money()).toEqual([5, 6, 9])
})

test('two equal lines exchange their references when their file is read again', async () => {
  const row = (text: string, a: string, b: string) =>
    `19.03.2026;5,00;${text} ${mark};${a}-${mark};${b}-${mark}\n`
  const file = `Data;Suma;Detalii;Ref A ${mark};Ref B ${mark}\n${row('one', 'X', 'Y')}${row('two', 'Y', 'X')}${row('three', 'Z', 'Z')}`
  await misread(file, readBy('A'))
  expect(await added(file, readBy('B'))).toBe(1)
  expect(await added(`${file}\n`, readBy('B'))).toBe(0)
  expect(
    await added(
      camt(['one', 'two'].map((text, n) => paid('5.00', text, { reference: `${'YX'[n]}-${mark}` }))),
    ),
  ).toBe(0)
  expect(await money()).toEqual([5, 5, 5])
})

test('a person who took back what a colleague ignored has limits for it also under another name', async () => {
  await sql`update staff_limits set per_action = 40, per_day = 40 where verb = 'recordBankTransfer'`.execute(
    db,
  )
  const [one, two] = [paid('50.00', 'one'), paid('6.00', 'two')]
  expect(await added(camt([one]), {}, colleague)).toBe(1)
  const [line] = await lines()
  expect((await act('bank-lines', line?.id, 'ignoreLine', {}, colleague)).faults).toEqual([])
  expect((await act('bank-statements', line?.statement, 'takeBack')).faults).toEqual([])
  expect(await added(camt([one, two]), {}, colleague)).toBe(2)
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
  // The misread text is a doubt, and the person who decides it has the limits.
  expect(await brought(csv([one, two]), { columns: csvColumns }, colleague)).toEqual([0, 2])
  const { list } = await admin.get(
    `${base}/bank-lines?filter[state]=doubtful&filter[search]=${batch}&sort=-amount`,
  )
  expect((await act('bank-lines', list[0]?.id, 'otherMoney')).faults).toEqual([])
  const { id: client_id } = await makePayer(portal)
  const matched = await act('bank-lines', list[0]?.id, 'matchLine', { client_id })
  expect(matched.faults).toEqual(['403 bank_line_own_import'])
})

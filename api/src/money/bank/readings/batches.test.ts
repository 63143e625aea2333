import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { bankDesk, checkSuspense } from '#test/support/bank-desk.ts'
import { camt, csv, csvColumns, type Entry, importFile, mt940 } from '#test/support/statements.ts'

// A batch that is one line in one format, and its payments in another.

const { db, importer } = await bankDesk('admin')
let mark = 0

checkSuspense(db)
beforeEach(() => {
  mark++
})

type Payment = readonly [amount: string, who: string]

const nameless = { payer: '', iban: 'none', reference: undefined }
const lot = (amount: string, more: Partial<Entry> = {}): Entry => ({
  amount,
  text: `lot ${mark}`,
  ...nameless,
  ...more,
})

/** A statement whose first entries are batches of payments of which the bank gives no reference. */
function withBatches(batches: readonly (readonly Payment[])[], more: readonly Entry[] = []): string {
  const entries = batches.map((payments) =>
    lot(payments.reduce((sum, [amount]) => sum + Number(amount), 0).toFixed(2)),
  )
  let at = 0
  return camt([...entries, ...more]).replaceAll(/<TxDtls>[\s\S]*?<\/TxDtls>/g, (own) =>
    (
      batches[at++]?.map(
        ([
          amount,
          who,
        ]) => `<TxDtls><Amt Ccy="USD">${amount}</Amt><RltdPties><Dbtr><Nm>${who}</Nm></Dbtr></RltdPties>
<RmtInf><Ustrd>${who} ${mark}</Ustrd></RmtInf></TxDtls>`,
      ) ?? [own]
    ).join('\n'),
  )
}

async function brought(file: string, more: object = {}) {
  const answer = await importFile(importer, file, more)
  expect(answer.faults).toEqual([])
  const { statement_id: statement, imported, doubtful } = JSON.parse(answer.text)
  return { statement, counts: [imported, doubtful] }
}

const linesOf = async (statement: number) =>
  (
    await sql<{
      id: number
      text: string
      state: string
      other: number | null
    }>`select id, text, state, same_as as other
      from bank_lines where statement_id = ${statement} order by id`.execute(db)
  ).rows
const act = async (type: string, id: number | undefined, verb: string, input: object = {}) =>
  (await importer.post(`${base}/${type}/${id}/-actions/${verb}`, input)).faults

const parts: readonly Payment[] = [
  ['30.00', 'Ana'],
  ['50.00', 'Bob'],
]

test('a payment of the amount of a batch is a doubt where the file has that batch too', async () => {
  await brought(withBatches([parts]))
  const total = await brought(mt940([lot('80.00')]))
  expect(total.counts).toEqual([0, 1])
  expect(await act('bank-statements', total.statement, 'sameAll')).toEqual([])
  // The file of the whole day has the batch, and another payment of its sum.
  expect((await brought(withBatches([parts], [lot('80.00')]))).counts).toEqual([0, 1])
})

test('a payment of the amount of a batch is a doubt where the batch is in the books as one line', async () => {
  await brought(mt940([lot('80.00')]))
  const batch = await brought(withBatches([parts]))
  expect(batch.counts).toEqual([0, 2])
  expect(await act('bank-statements', batch.statement, 'sameAll')).toEqual([])
  expect((await brought(withBatches([parts], [lot('80.00')]))).counts).toEqual([0, 1])
})

test('a line like a payment of a batch is a doubt where the file also has the sum of that batch', async () => {
  await brought(withBatches([parts]))
  const ana = { amount: '30.00', text: `Ana ${mark}`, ...nameless, payer: 'Ana' }
  const both = await brought(csv([lot('80.00'), ana]), { columns: csvColumns })
  expect(both.counts).toEqual([0, 2])
})

test('a payment like one of a batch whose sum is in the books is not new where the file has both', async () => {
  const ana = { amount: '30.00', text: `Ana ${mark}`, ...nameless, payer: 'Ana' }
  await brought(csv([lot('80.00'), ana]), { columns: csvColumns })
  const both = await brought(withBatches([parts], [ana]))
  expect(both.counts).toEqual([0, 3])
  expect(await act('bank-statements', both.statement, 'sameAll')).toEqual([])
  expect((await linesOf(both.statement)).map(({ state }) => state)).toEqual(['same', 'same', 'same'])
})

test('a line that another format has doubtfully is a doubt where the file has both', async () => {
  const ana = (text: string) => ({
    amount: '60.50',
    text: `${text} ${mark}`,
    iban: 'none',
    reference: undefined,
  })
  await brought(camt([ana('invoice one')]))
  expect((await brought(csv([ana('Incasare')]), { columns: csvColumns })).counts).toEqual([0, 1])
  const both = csv([ana('Incasare'), ana('invoice one')])
  expect((await brought(both, { columns: csvColumns })).counts).toEqual([0, 1])
})

test('a sum whose batch was taken back is the same as the batch that another file brought again', async () => {
  const file = withBatches([parts])
  const batch = await brought(file)
  const total = await brought(mt940([lot('80.00')]))
  expect(await act('bank-statements', batch.statement, 'takeBack')).toEqual([])
  const again = await brought(file)
  const payments = await linesOf(again.statement)
  for (const { id, state } of payments)
    if (state === 'doubtful') expect(await act('bank-lines', id, 'otherMoney')).toEqual([])
  const [doubt] = await linesOf(total.statement)
  expect(await act('bank-lines', doubt?.id, 'sameMoney')).toEqual(['409 bank_line_other_gone'])
  const { one } = await importer.get(`${base}/bank-lines/${doubt?.id}`)
  expect(one.attributes?.other_lines).toMatchObject([
    { state: 'taken_back' },
    ...payments.map(({ id }) => ({ id })),
  ])
  expect(await act('bank-lines', doubt?.id, 'sameMoney', { of: payments[0]?.id })).toEqual([])
})

import { describe, expect, test } from 'vitest'
import { Problem } from '#platform/errors/problem.ts'
import { camt, csv, csvColumns, type Entry, mt940, ownIban } from '#test/support/statements.ts'
import type { Columns } from './csv.ts'
import { readStatement } from './read-statement.ts'

const entries: readonly Entry[] = [
  { amount: '60.50', text: 'Plata PRF-1', reference: 'REF0001' },
  { amount: '-10.00', text: 'comision', reference: 'REF0002' },
  { amount: '1210.07', text: 'factura HST 12', payer: 'Acme SRL', reference: 'REF0003' },
]

const read = (content: string | Buffer, columns: object = csvColumns) =>
  // The columns of the tests are of the contract's shape.
  readStatement(Buffer.from(content), ownIban, async () => columns as Columns)

/** The refusal of a file, as a person reads it. */
async function refusal(content: string | Buffer, columns?: object): Promise<string> {
  const error = await read(content, columns).catch((thrown: unknown) => thrown)
  if (!(error instanceof Problem)) throw new Error('The file was not refused.', { cause: error })
  return `${error.code}: ${error.toObject('en').detail}`
}

test('one statement is the same lines in all three formats', async () => {
  const all = await Promise.all([camt(entries), mt940(entries), csv(entries)].map((one) => read(one)))
  const [first, ...others] = all.map(({ lines }) => lines.map(({ at: _at, ...line }) => line))
  expect(all.map(({ format }) => format)).toEqual(['camt053', 'mt940', 'csv'])
  expect(first).toEqual([
    {
      day: '2026-03-19',
      amount: '60.50',
      currency: 'USD',
      payer: 'Lumen Studio SRL',
      payerIban: 'RO09BCYP0000001234567890',
      text: 'Plata PRF-1',
      reference: 'REF0001',
      isReversal: false,
      part: 0,
      batch: null,
    },
    expect.objectContaining({ amount: '1210.07', payer: 'Acme SRL', reference: 'REF0003' }),
  ])
  for (const other of others) expect(other).toEqual(first)
})

test('what is pending, of another account or goes out is no incoming money', async () => {
  const pending = camt(entries).replace('<Sts>BOOK</Sts>', '<Sts><Cd>PDNG</Cd></Sts>')
  const sum = pending.replace('2260.57', '2200.07')
  expect((await read(sum)).lines.map(({ amount }) => amount)).toEqual(['1210.07'])
  const foreign = camt(entries, { iban: 'DE89370400440532013000' })
  const two = camt(entries).replace(
    '</BkToCstmrStmt>',
    `${/<Stmt>[\s\S]*<\/Stmt>/.exec(foreign)?.[0]}</BkToCstmrStmt>`,
  )
  expect((await read(two)).lines).toHaveLength(2)
})

test('a statement that a CAMT file has twice counts once, another of the same lines counts too', async () => {
  const one = camt([{ amount: '60.50', text: 'a' }])
  const withMore = (more: string) => one.replace('</BkToCstmrStmt>', `${more}</BkToCstmrStmt>`)
  const again = /<Stmt>[\s\S]*<\/Stmt>/.exec(one)?.[0] ?? ''
  expect((await read(withMore(again))).lines).toHaveLength(1)
  expect((await read(withMore(again.replace('<Id>1<', '<Id>2<')))).lines).toHaveLength(2)
})

test('pages of one statement with the same line count both, and a page that the file has twice once', async () => {
  const one = camt([{ amount: '60.50', text: 'a' }]).replace(/<Bal>[\s\S]*<\/Bal>/, '')
  const paged = (page: number) =>
    one.replace('</Id><Acct>', `</Id><StmtPgntn><PgNb>${page}</PgNb></StmtPgntn><Acct>`)
  const stmt = (page: number) => /<Stmt>[\s\S]*<\/Stmt>/.exec(paged(page))?.[0] ?? ''
  const file = paged(1).replace('</BkToCstmrStmt>', `${stmt(2)}${stmt(1)}</BkToCstmrStmt>`)
  expect((await read(file)).lines).toMatchObject([
    { amount: '60.50', part: 0 },
    { amount: '60.50', part: 0 },
  ])
})

test('a reversed debit is money that came back, and a reversed credit is none', async () => {
  const came = mt940([{ amount: '60.50', text: 'a' }]).replace('0319C60', '0319RD60')
  expect((await read(came)).lines).toMatchObject([{ amount: '60.50', isReversal: true }])
  const gone = mt940([{ amount: '-60.50', text: 'a' }]).replace('0319D60', '0319RC60')
  expect((await read(gone)).lines).toEqual([])
  const wrong = mt940([{ amount: '60.50', text: 'a' }]).replace('0319C60', '0319RC60')
  expect(await refusal(wrong)).toMatch(
    /^statement_balance_differs: .* 939.50, but the closing balance is 1060.50/,
  )
})

test('each payment of a batch is a line, with the reference of the payment and not of the batch', async () => {
  const detail = (amount: string, reference: string) =>
    `<TxDtls><Refs><AcctSvcrRef>${reference}</AcctSvcrRef></Refs><AmtDtls><TxAmt><Amt Ccy="USD">${amount}</Amt></TxAmt></AmtDtls></TxDtls>`
  const batch = camt([{ amount: '100.00', text: 'lot', reference: 'BATCH' }]).replace(
    /<TxDtls>[\s\S]*<\/TxDtls>/,
    detail('40.00', 'ONE') + detail('60.00', 'TWO'),
  )
  expect((await read(batch)).lines).toMatchObject([
    { amount: '40.00', reference: 'ONE', batch: { reference: 'BATCH', entry: 0 } },
    { amount: '60.00', reference: 'TWO', batch: { reference: 'BATCH', entry: 0 } },
  ])
})

const bomb = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]><Document>&lol2;</Document>`

/** A batch of payments of 1 with a text of its entry. */
const batchOf = (payments: number, text: string) =>
  camt([{ amount: `${payments}.00`, text: '' }]).replace(
    /<NtryDtls>[\s\S]*<\/NtryDtls>/,
    () =>
      `<AddtlNtryInf>${text}</AddtlNtryInf><NtryDtls>${'<TxDtls><Amt Ccy="USD">1</Amt></TxDtls>'.repeat(payments)}</NtryDtls>`,
  )

test('the text of a batch is read once, and not for each of its payments', async () => {
  // Read for each of them, these two megabytes take minutes.
  const { lines } = await read(batchOf(10_000, `plata ${'a '.repeat(1_000_000)}`))
  expect(lines).toHaveLength(10_000)
  expect(lines[9999]?.text).toMatch(/^plata a a/)
})

describe('a hostile or damaged file is refused by name, with its line', () => {
  test.each<[string, string | Buffer, string]>([
    ['an entity bomb', bomb, 'statement_doctype: Line 1:'],
    ['an outside entity', bomb.replace('"lol"', 'SYSTEM "file:///etc/passwd"'), 'statement_doctype: Line 1:'],
    ['a deep nest', '<a>'.repeat(100_000), 'statement_unreadable: Line 1:'],
    ['a cut XML', camt(entries).slice(0, 1100), 'statement_unreadable: Line'],
    [
      'a cut MT940',
      mt940(entries).slice(0, 160),
      'statement_incomplete: The statement has no closing balance',
    ],
    ['a damaged line', mt940(entries).replace('C60,50', 'C6x,50'), 'statement_unreadable: Line 5:'],
    ['11 MB', Buffer.alloc(11 * 1024 * 1024, 'a'), 'statement_too_large: A statement can have at most 10 MB'],
    [
      '100 001 lines',
      `:20:x\n${':86:\n'.repeat(100_000)}`,
      'statement_too_large: A statement can have at most 100,000 lines',
    ],
    [
      'a long text for each of very many payments',
      batchOf(60_000, 'a'.repeat(1000)),
      'statement_too_large: A statement can have at most 20 MB of text',
    ],
    [
      'a column whose name has the separator, half of which is named',
      csv(entries).replace('Cont;', '"Cont;1";'),
      'statement_column_missing: The file has no column “Cont”.',
    ],
    ['an open quote in the headings', csv(entries).replace('Cont;', '"Cont;'), 'statement_unreadable: Line'],
    ['an endless line', 'a;'.repeat(5000), 'statement_format_unknown:'],
    [
      'very many attributes',
      camt(entries).replace('<Ntry>', `<Ntry ${Array.from({ length: 40 }, (_, n) => `a${n}=""`).join(' ')}>`),
      'statement_unreadable: Line',
    ],
    ['nothing', '', 'statement_empty:'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), 'statement_encoding:'],
    ['a text', 'Hello bank', 'statement_format_unknown:'],
    [
      'another message',
      camt(entries).replaceAll('BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn'),
      'statement_format_unknown:',
    ],
    [
      'a wrong encoding',
      Buffer.from(camt([{ amount: '1.00', text: 'plat\u00e9' }]), 'latin1'),
      'statement_encoding: The file is not valid UTF-8',
    ],
    [
      'another account',
      camt(entries, { iban: 'DE89370400440532013000' }),
      'statement_other_account: This statement is of another account (DE89370400440532013000)',
    ],
    ['another account', mt940(entries, { iban: 'DE89370400440532013000' }), 'statement_other_account:'],
    ['another account', csv(entries, { iban: 'DE89370400440532013000' }), 'statement_other_account:'],
    ['a changed amount', camt(entries).replace('>60.50<', '>61.50<'), 'statement_balance_differs:'],
    ['a changed amount', mt940(entries).replace('C60,50', 'C61,50'), 'statement_balance_differs:'],
    ['a negative amount', camt(entries).replace('>60.50<', '>-60.50<'), 'statement_line_invalid: Line'],
    ['a third of a cent', camt(entries).replace('>60.50<', '>60.503<'), 'statement_line_invalid: Line'],
    ['no day', camt(entries).replace('2026-03-19', '2026-02-30'), 'statement_line_invalid: Line'],
    [
      'no day in a CSV',
      csv(entries).replace('19.03.2026', '30.02.2026'),
      'statement_line_invalid: Line 2: the day',
    ],
    [
      'no amount in a CSV',
      csv(entries).replace('60,50', 'abc'),
      'statement_line_invalid: Line 2: the amount',
    ],
    [
      'an amount with the other decimal mark',
      csv(entries).replace('60,50', '60.50'),
      'statement_line_invalid: Line 2: the amount',
    ],
    [
      'an amount in words of another notation',
      csv(entries).replace('60,50', '6e9'),
      'statement_line_invalid: Line 2',
    ],
    [
      'a day before the calendar',
      camt(entries).replace('2026-03-19', '0000-03-19'),
      'statement_line_invalid: Line',
    ],
    [
      'a day far away',
      csv(entries).replace('19.03.2026', '19.03.9999'),
      'statement_line_invalid: Line 2: the day',
    ],
    [
      'a column of the amount that is there twice',
      csv(entries).replace('IBAN plătitor', 'Suma'),
      'statement_column_twice: The file has several columns “Suma”',
    ],
    ['an open quote', csv(entries).replace('PRF-1"', 'PRF-1'), 'statement_unreadable: Line'],
  ])('%s', async (_name, content, expected) => {
    expect((await refusal(content)).slice(0, expected.length)).toBe(expected)
  })

  test('a line in another currency than the kept columns say', async () => {
    const { payer_iban: _, ...columns } = csvColumns
    const inEuro = csv(entries)
      .replace('IBAN plătitor', 'Moneda')
      .replaceAll('"RO09BCYP0000001234567890"', '"EUR"')
    expect(await refusal(inEuro, columns)).toMatch(/^statement_line_invalid: Line 2: the currency/)
    expect((await read(inEuro.replaceAll('"EUR"', '"USD"'), columns)).lines).toHaveLength(2)
  })

  test('a column that the file does not have', async () => {
    expect(await refusal(csv(entries), { ...csvColumns, text: 'Explicații' })).toBe(
      'statement_column_missing: The file has no column “Explicații”.',
    )
  })
})

test('amounts with thousands are read by the decimal mark', async () => {
  const amounts = async (text: string, decimal: string) =>
    (await read(csv(entries).replace('60,50', text), { ...csvColumns, decimal })).lines[0]?.amount
  expect(await amounts('1.234.567,50', ',')).toBe('1234567.50')
  expect(await amounts('+1 234', ',')).toBe('1234.00')
  const point = csv([{ amount: '1.00', text: 'a' }]).replace('1,00', '1,234.5')
  expect((await read(point, { ...csvColumns, decimal: '.' })).lines[0]?.amount).toBe('1234.50')
})

test('a declared encoding is read as such', async () => {
  const latin = camt([{ amount: '1.00', text: 'plată', payer: 'Ștefan' }])
  const western = latin
    .replace('UTF-8', 'ISO-8859-1')
    .replace('plată', 'plat\u00e9')
    .replace('Ștefan', 'St\u00e9fan')
  expect((await read(Buffer.from(western, 'latin1'))).lines).toMatchObject([
    { text: 'plat\u00e9', payer: 'St\u00e9fan' },
  ])
  const wide = Buffer.from(`\ufeff${latin.replace('UTF-8', 'UTF-16')}`, 'utf16le')
  expect((await read(wide)).lines).toMatchObject([{ text: 'plată', payer: 'Ștefan' }])
})

test.each([
  ['CSV', csv],
  ['CAMT.053', camt],
])('while a long %s is read, others get their turn', async (_name, format) => {
  const many = Array.from({ length: 3000 }, (_, n) => ({
    amount: '1.00',
    text: `Plata ${n}`,
    reference: `R${n}`,
  }))
  const content = format(many)
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  const { lines } = await read(content)
  clearInterval(timer)
  expect(lines).toHaveLength(3000)
  expect(turns).toBeGreaterThan(1)
})

import { statementColumns } from '@portico/contract/resources/bank-statements.ts'
import Big from 'big.js'
import { readStatement } from '#money/bank/files/read-statement.ts'
import type { Choices } from './choices.ts'
import { csv, csvColumns, type Entry, ownIban } from './statements.ts'

// Random payments of a bank, and the files in which it states them, whose every line is known.

/** A payment of the bank; those of one batch are in `batch`. */
export type Payment = Entry & { readonly payer: string; readonly iban: string; readonly day: string }

/** A movement of the account: one payment, a batch of some, or money that went out. */
type Movement = {
  readonly payments: readonly Payment[]
  readonly day: string
  readonly reference: string | undefined
  readonly opening: Big
  readonly closing: Big
}

const between = (choices: Choices, least: number, most: number): number =>
  least + choices.below(most - least + 1)

const payers = [
  ['Ana Pop', 'RO09BCYP0000000000000001'],
  ['Bob Ion', 'RO09BCYP0000000000000002'],
  ['Acme SRL', 'none'],
] as const

const amounts = ['1.00', '100.00', '101.00'] as const

/** Where payments are alike, nothing but their number says how many there are. */
function paymentOf(choices: Choices, day: string, n: number, isAlike: boolean): Payment {
  if (isAlike && choices.part() < 0.7)
    return {
      day,
      amount: '100.00',
      payer: 'Ana Pop',
      iban: 'none',
      text: 'hosting',
      reference: choices.oneOf(undefined, 'B0'),
    }
  const [payer, iban] = choices.oneOf<(typeof payers)[number]>(...payers)
  const amount = choices.oneOf<(typeof amounts)[number]>(...amounts)
  const text = choices.oneOf('hosting', `invoice ${n}`, `invoice ${n % 3}`)
  return { day, amount, payer, iban, text, reference: choices.oneOf(`R${n}`, `B${n % 3}`, undefined) }
}

/** Movements of some days, in their order. */
export function movements(choices: Choices): Movement[] {
  const days = Array.from({ length: between(choices, 3, 12) }, () => between(choices, 10, 14)).sort()
  const isAlike = choices.part() < 0.4
  let balance = new Big(1000)
  return days.map((date, n) => {
    const day = `2026-03-${date}`
    const isOut = choices.part() < 0.15
    const payments = isOut
      ? []
      : Array.from({ length: choices.part() < 0.25 ? between(choices, 2, 3) : 1 }, (_, k) =>
          paymentOf(choices, day, 3 * n + k, isAlike),
        )
    const moved = isOut
      ? new Big(choices.oneOf('-1.00', '-100.00'))
      : payments.reduce((sum, { amount }) => sum.plus(amount), new Big(0))
    const opening = balance
    balance = balance.plus(moved)
    return { payments, day, reference: choices.oneOf(`L${n}`, undefined), opening, closing: balance }
  })
}

const two = (amount: Big) => amount.toFixed(2)
const detail = ({ amount, payer, iban, text, reference }: Payment) => `<TxDtls>
<Refs><AcctSvcrRef>${reference ?? 'NONREF'}</AcctSvcrRef></Refs><Amt Ccy="USD">${amount}</Amt>
<RltdPties><Dbtr><Nm>${payer}</Nm></Dbtr><DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct></RltdPties>
<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`
const balanceXml = (code: string, amount: Big) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="USD">${two(amount)}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`

const ends = (some: readonly Movement[]) => ({
  opening: some[0]?.opening ?? new Big(0),
  closing: some.at(-1)?.closing ?? new Big(0),
})

/** The reference of a movement: that of its payment, or of its batch. */
const referenceOf = ({ payments, reference }: Movement) =>
  (payments.length === 1 ? payments[0]?.reference : reference) ?? 'NONREF'

function camtOf(some: readonly Movement[], hasBalances: boolean): string {
  const { opening, closing } = ends(some)
  const entries = some.map((one) => {
    const moved = one.closing.minus(one.opening)
    return `<Ntry><Amt Ccy="USD">${two(moved.abs())}</Amt><CdtDbtInd>${moved.gt(0) ? 'CRDT' : 'DBIT'}</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>${one.day}</Dt></BookgDt><AcctSvcrRef>${referenceOf(one)}</AcctSvcrRef>
<NtryDtls>${one.payments.map(detail).join('\n')}</NtryDtls></Ntry>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>1</Id>
<Acct><Id><IBAN>${ownIban}</IBAN></Id></Acct>${hasBalances ? balanceXml('OPBD', opening) + balanceXml('CLBD', closing) : ''}
${entries.join('\n')}</Stmt></BkToCstmrStmt></Document>`
}

const comma = (amount: Big) => two(amount.abs()).replace('.', ',')

/** The text and the payer by which another format has a movement as one line. */
const wordsOf = ({ payments: [one, ...more] }: Movement) =>
  one && more.length === 0 ? one : { payer: '', iban: 'none', text: 'lot' }

function mt940Of(some: readonly Movement[]): string {
  const { opening, closing } = ends(some)
  const entries = some.map((one) => {
    const moved = one.closing.minus(one.opening)
    const { payer, iban, text } = wordsOf(one)
    const date = one.day.slice(2).replaceAll('-', '')
    return `:61:${date}${date.slice(2)}${moved.gt(0) ? 'C' : 'D'}${comma(moved)}NTRFNONREF//${referenceOf(one)}
:86:?20TRF ${text}?31${iban}?32${payer}`
  })
  return `:20:ST1
:25:${ownIban}
:28C:00012/001
:60F:C260318USD${comma(opening)}
${entries.join('\n')}
:62F:C260319USD${comma(closing)}
`
}

const nextDay = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

/** The line of a table: a batch is one, since tables do not say which payments are one. */
const totalOf = (one: Movement): readonly Entry[] =>
  one.payments.length === 0
    ? []
    : [
        {
          ...wordsOf(one),
          iban: 'none',
          amount: two(one.closing.minus(one.opening)),
          day: one.day,
          reference: one.payments.length === 1 ? one.payments[0]?.reference : one.reference,
        },
      ]

const { reference: _, ...withoutReference } = csvColumns

type Format = {
  readonly name: string
  readonly columns: object | undefined
  /** The payments of each line of a movement. */
  readonly lines: (one: Movement) => readonly (readonly Payment[])[]
  readonly write: (some: readonly Movement[]) => string
}

const each = ({ payments }: Movement) => payments.map((one) => [one])
const whole = ({ payments }: Movement) => (payments.length === 0 ? [] : [payments])

export const formats: readonly [Format, ...Format[]] = [
  { name: 'CAMT', columns: undefined, lines: each, write: (some) => camtOf(some, true) },
  { name: 'CAMT without balances', columns: undefined, lines: each, write: (some) => camtOf(some, false) },
  { name: 'MT940', columns: undefined, lines: whole, write: mt940Of },
  {
    name: 'CSV',
    columns: csvColumns,
    lines: whole,
    write: (some) => csv(some.flatMap(totalOf)),
  },
  {
    name: 'CSV without references',
    columns: withoutReference,
    lines: whole,
    write: (some) => csv(some.flatMap(totalOf)),
  },
  {
    name: 'CSV of other days',
    columns: { ...csvColumns, payer_iban: undefined },
    lines: whole,
    write: (some) =>
      csv(
        some
          .flatMap(totalOf)
          .map((one) => ({ ...one, day: one.text === 'hosting' ? nextDay(one.day ?? '') : (one.day ?? '') })),
      ),
  },
]

/** A file of the bank, with the payments of each of its lines. */
export type File = {
  readonly format: Format
  readonly content: string
  readonly payments: ReadonlyMap<number, readonly Payment[]>
  readonly all: readonly Payment[]
}

export async function fileOf(some: readonly Movement[], format: Format): Promise<File> {
  const content = format.write(some)
  const lines = some.flatMap((one) => format.lines(one))
  const columns = statementColumns.parse(format.columns ?? csvColumns)
  const read = await readStatement(Buffer.from(content), ownIban, async () => columns)
  const payments = new Map(read.lines.map(({ at }, n) => [at, lines[n] ?? []]))
  if (payments.size !== lines.length) throw new Error('Each line of the file is not on one line of text.')
  return { format, content, payments, all: lines.flat() }
}

import { describe, expect, test } from 'vitest'
import { readingOf, type Statement, type StatementLine } from '#money/bank/files/statement.ts'
import { Choices } from '#test/support/choices.ts'
import { runSeed } from '#test/support/sweep.ts'
import type { Resolved } from './answers.ts'
import { type StoredLine, withWords } from './facts.ts'
import { resolveLines } from './resolve-lines.ts'

const iban = 'RO49AAAA1B31007593840000'
const noBalances = { opening: null, closing: null }

const line = (more: Partial<StatementLine> = {}): StatementLine => ({
  at: 1,
  day: '2026-11-02',
  amount: '60.50',
  currency: 'USD',
  payer: 'Ana Pop',
  payerIban: null,
  text: 'hosting',
  reference: 'R1',
  isReversal: false,
  part: 0,
  batch: null,
  ...more,
})

const statement = (lines: readonly StatementLine[], reading = readingOf('camt053')): Statement => ({
  format: reading.startsWith('csv') ? 'csv' : 'camt053',
  reading,
  iban,
  parts: [noBalances],
  lines,
})

type Row = StoredLine & { is: Resolved['is']; of: number; truth: string }

/** What is stored of files, one after another; `truth` says which payment a row is. */
class Books {
  readonly rows: Row[] = []
  #statements = 0

  async bring(
    file: Statement,
    truthOf: (line: StatementLine) => string = () => '',
  ): Promise<Resolved['is'][]> {
    this.#statements++
    const isOneDay = new Set(file.lines.map(({ day }) => day)).size === 1
    const resolved = await resolveLines(file, async () => this.rows)
    const own = new Map<StatementLine, number>()
    for (const one of resolved) {
      if (one.is === 'same' && one.isAlike) continue
      const row = this.rows.length + 1
      own.set(one.line, row)
      const repeats = one.is === 'doubtful' && one.repeats ? own.get(one.repeats) : undefined
      const of = one.is === 'new' ? row : (one.of ?? repeats ?? row)
      this.rows.push({
        ...withWords({
          ...one.line,
          iban,
          reading: file.reading,
          balances: file.parts[one.line.part] ?? noBalances,
          isOneDay,
        }),
        row,
        money: one.is === 'same' ? of : row,
        doubtOf: one.is === 'doubtful' ? of : null,
        statement: this.#statements,
        isTakenBack: false,
        misreadUntil: null,
        is: one.is,
        of,
        truth: truthOf(one.line),
      })
    }
    return resolved.map(({ is }) => is)
  }

  /** Decides about some doubtful lines as a person who knows the truth, and chooses the other line. */
  decide(isDecided: () => boolean, most: ReadonlyMap<string, number>): void {
    for (const row of this.rows) {
      if (row.is !== 'doubtful' || !isDecided()) continue
      const { truth } = row
      const inBooks = this.rows.filter((one) => one.is === 'new' && one.truth === truth)
      const [other] = inBooks
      const isSame = inBooks.length >= (most.get(truth) ?? 0)
      this.rows[row.row - 1] = {
        ...row,
        is: isSame ? 'same' : 'new',
        money: isSame ? (other?.money ?? row.row) : row.row,
        doubtOf: null,
      }
    }
  }
}

test('ten thousand lines just alike, and different lines of one reference, are compared within seconds', async () => {
  const alike = statement(Array.from({ length: 10_000 }, () => line()))
  const different = statement(
    Array.from({ length: 10_000 }, (_, n) => line({ day: '2026-11-03', text: `hosting ${n}` })),
  )
  const books = new Books()
  const begun = process.cpuUsage()
  for (const file of [alike, different]) {
    expect((await books.bring(file)).every((is) => is === 'new')).toBe(true)
  }
  for (const file of [alike, different]) {
    expect((await books.bring(file)).every((is) => is === 'same')).toBe(true)
  }
  // In another reading the text alone says which line is which.
  for (const file of [alike, different]) {
    const lines = file.lines.map((one) => ({ ...one, payer: null }))
    expect(
      (await books.bring(statement(lines, readingOf('csv', ['Data'])))).every((is) => is === 'same'),
    ).toBe(true)
  }
  // Compared each with each it would take hours.
  const { user } = process.cpuUsage(begun)
  expect(user / 1_000_000).toBeLessThan(10)
})

test('a line that a table repeats under one reference is a doubt, and equal ones without it are as many as there are', async () => {
  const csv = readingOf('csv', ['Data'])
  expect(await new Books().bring(statement([line(), line()], csv))).toEqual(['new', 'doubtful'])
  const bare = (count: number) =>
    statement(
      Array.from({ length: count }, () => line({ reference: null })),
      csv,
    )
  const books = new Books()
  expect(await books.bring(bare(2))).toEqual(['new', 'new'])
  expect(await books.bring(bare(3))).toEqual(['same', 'same', 'new'])
})

const between = (choices: Choices, least: number, most: number): number =>
  least + choices.below(most - least + 1)

type Payment = Pick<StatementLine, 'day' | 'amount' | 'payer' | 'payerIban' | 'text' | 'reference'>

const payers = [
  ['Ana Pop', 'RO09BCYP0000000000000001'],
  ['Bob Ion', 'RO09BCYP0000000000000002'],
  ['Acme SRL', 'RO09BCYP0000000000000003'],
] as const

/** Payments of ten days, of few payers, prices and references, in the order in which the bank booked them. */
function world(choices: Choices): Payment[] {
  return Array.from({ length: between(choices, 5, 40) }, (_, n) => {
    const [payer, payerIban] = choices.oneOf<(typeof payers)[number]>(...payers)
    return {
      day: `2026-11-${String(between(choices, 2, 11)).padStart(2, '0')}`,
      amount: choices.oneOf('10.00', '60.50'),
      payer,
      payerIban,
      text: choices.oneOf('hosting', `invoice ${n}`, `invoice ${n % 3}`),
      reference: choices.oneOf(`R${n}`, `B${n % 3}`, null),
    }
  }).toSorted((one, other) => one.day.localeCompare(other.day))
}

type Format = {
  readonly name: string
  readonly reading: string
  readonly read: (payment: Payment) => Payment
}

const formats: readonly [Format, ...Format[]] = [
  { name: 'CAMT', reading: readingOf('camt053'), read: (one) => one },
  { name: 'MT940', reading: readingOf('mt940'), read: (one) => ({ ...one, text: `TRF ${one.text}` }) },
  { name: 'CSV', reading: readingOf('csv', ['a']), read: (one) => ({ ...one, payerIban: null }) },
  {
    name: 'CSV without references',
    reading: readingOf('csv', ['b']),
    read: (one) => ({ ...one, payerIban: null, reference: null }),
  },
  {
    name: 'CSV of another text',
    reading: readingOf('csv', ['c']),
    read: (one) => ({ ...one, payerIban: null, reference: null, text: 'Incasare' }),
  },
]

/** Payments of some days, the last of them up to some moment. */
function someDays(choices: Choices, payments: readonly Payment[]) {
  const from = between(choices, 0, payments.length - 1)
  const first = payments.findIndex(({ day }) => day === payments[from]?.day)
  return payments.slice(first, between(choices, from + 1, payments.length))
}

/** Any of the payments, such as those of an afternoon. */
const anyOf = (choices: Choices, payments: readonly Payment[]) => payments.filter(() => choices.part() < 0.5)

function fileOf(some: readonly Payment[], { reading, read }: Format) {
  const truth = new Map<StatementLine, string>()
  const lines = some.map((payment, at) => {
    const made = line({ ...read(payment), at })
    truth.set(made, JSON.stringify(payment))
    return made
  })
  return { file: statement(lines, reading), truth, seen: some.map((payment) => JSON.stringify(payment)) }
}

const countOf = (all: readonly string[]) => {
  const counts = new Map<string, number>()
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}

/** Imports some files of a world, and says which payments are lost, which are there twice, and how many are doubtful. */
async function imports(
  choices: Choices,
  chosen: readonly [Format, ...Format[]],
  payments = world(choices),
  part = someDays,
) {
  const books = new Books()
  const most = new Map<string, number>()
  for (let n = 0; n < 5; n++) {
    const { file, truth, seen } = fileOf(part(choices, payments), choices.oneOf(...chosen))
    await books.bring(file, (one) => truth.get(one) ?? '')
    for (const [payment, count] of countOf(seen)) most.set(payment, Math.max(most.get(payment) ?? 0, count))
    books.decide(() => choices.part() < 0.3, most)
  }
  const sure = countOf(books.rows.flatMap(({ is, truth }) => (is === 'new' ? [truth] : [])))
  const all = countOf(books.rows.map(({ truth }) => truth))
  return {
    lost: [...most].filter(([payment, count]) => (all.get(payment) ?? 0) < count),
    twice: [...sure].filter(([payment, count]) => count > (most.get(payment) ?? 0)),
    rows: books.rows.length,
    doubts: books.rows.filter(({ is }) => is === 'doubtful').length,
  }
}

describe('files of a bank that overlap in whichever way', () => {
  test.each(formats)(
    'of $name alone lose nothing, bring nothing twice, and leave few doubts',
    async (format) => {
      let [doubtful, all] = [0, 0]
      for (let n = 0; n < 300; n++) {
        const { lost, twice, doubts, rows } = await imports(new Choices(runSeed + n), [format])
        expect({ seed: runSeed + n, lost, twice }).toEqual({ seed: runSeed + n, lost: [], twice: [] })
        doubtful += doubts
        all += rows
      }
      expect(doubtful / all).toBeLessThan(0.01)
    },
  )

  test('of all formats lose nothing and bring nothing twice', async () => {
    for (let n = 0; n < 300; n++) {
      const { lost, twice } = await imports(new Choices(runSeed + n), formats)
      expect({ seed: runSeed + n, lost, twice }).toEqual({ seed: runSeed + n, lost: [], twice: [] })
    }
  })

  test('with any part of a day lose nothing and bring nothing twice, where payer and text say which is which', async () => {
    const telling = formats.filter(({ name }) => name !== 'CSV of another text')
    for (let n = 0; n < 300; n++) {
      const choices = new Choices(runSeed + n)
      const payments = new Map(
        world(choices).map((one) => [[one.day, one.amount, one.payer, one.text].join(), one]),
      )
      const [first, ...others] = telling
      if (!first) throw new Error('There is no format.')
      const { lost, twice } = await imports(choices, [first, ...others], [...payments.values()], anyOf)
      expect({ seed: runSeed + n, lost, twice }).toEqual({ seed: runSeed + n, lost: [], twice: [] })
    }
  })
})

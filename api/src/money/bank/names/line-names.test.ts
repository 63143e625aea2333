import { expect, test } from 'vitest'
import type { StatementLine } from '#money/bank/files/statement.ts'
import { nameLines, type StoredLine } from './line-names.ts'

const iban = 'RO49AAAA1B31007593840000'
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
  ...more,
})
const named = (lines: readonly StatementLine[]) =>
  nameLines({ format: 'csv', iban, lines }).map(({ id }) => id)

test('a line that the file repeats is one, and a reference of different lines names none of them', () => {
  expect(named([line(), line(), line({ reference: 'R2' })])).toEqual(['R1', 'R2'])
  const several = named([line(), line({ amount: '10.00' }), line({ reference: 'R2' })])
  expect(several).toEqual([expect.stringMatching(/^#/), expect.stringMatching(/^#/), 'R2'])
})

test('equal lines without a reference are as many as there are, in whichever file', () => {
  const twice = [line({ reference: null }), line({ reference: null, at: 2 })]
  expect(new Set(named(twice)).size).toBe(2)
  expect(named(twice)).toEqual(named(twice.toReversed()))
})

test('a hundred thousand lines of one reference are not compared with each other', () => {
  const many = Array.from({ length: 100_000 }, (_, at) => line({ at }))
  expect(named(many)).toEqual(['R1'])
  const different = many.map((one, at) => ({ ...one, text: `hosting ${at}` }))
  expect(new Set(named(different)).size).toBe(100_000)
})

/** What is stored of a file. */
const stored = (lines: readonly StatementLine[], known: readonly StoredLine[] = []): StoredLine[] =>
  nameLines({ format: 'csv', iban, lines }, known).map(({ id, ...fact }) => ({
    ...fact,
    name: id,
    reference: fact.reference ?? id,
    format: 'csv',
    misreadUntil: null,
  }))
const namedAfter = (known: readonly StoredLine[], lines: readonly StatementLine[]) =>
  nameLines({ format: 'csv', iban, lines }, known).map(({ id }) => id)

test('a hundred thousand lines of one reference have their names when they come again', () => {
  const lines = Array.from({ length: 100_000 }, (_, at) => line({ at, text: `hosting ${at}` }))
  const known = stored(lines)
  const again = namedAfter(known, lines.toReversed())
  expect(again).toEqual(known.map(({ name }) => name).toReversed())
})

/** What is stored after one more file. */
const addedTo = (known: readonly StoredLine[], file: readonly StoredLine[]) => [
  ...new Map([...file, ...known].map((one) => [one.name, one])).values(),
]

test('any part of a file, in any order, has the names that it had, and no name is given twice', () => {
  const pool = [
    line({ reference: 'B1', text: 'one' }),
    line({ reference: 'B1', text: 'two' }),
    line({ reference: 'B1', text: 'two' }),
    line({ reference: 'B2', text: 'one' }),
    line({ reference: 'B2', text: 'one', amount: '7.00' }),
    line({ reference: null, text: 'one' }),
    line({ reference: null, text: 'one' }),
    line({ reference: 'R1', text: 'one' }),
  ]
  const parts = Array.from({ length: 2 ** pool.length }, (_, bits) =>
    pool.filter((_one, at) => bits & (2 ** at)),
  )
  for (const first of parts) {
    const before = stored(first)
    const all = stored(pool, before)
    expect(new Set(all.map(({ name }) => name)).size).toBe(pool.length)
    const known = addedTo(before, all)
    expect(known).toHaveLength(pool.length)
    for (const part of [first, pool, pool.toReversed()])
      expect(addedTo(known, stored(part, known))).toHaveLength(pool.length)
  }
})

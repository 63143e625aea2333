import { expect, test } from 'vitest'
import type { StatementLine } from './files/statement.ts'
import { nameLines } from './lines.ts'

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
  nameLines({ format: 'csv', iban: 'RO49AAAA1B31007593840000', lines }).map(({ id }) => id)

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

import Big from 'big.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runSeed } from '#test/support/sweep.ts'
import { roundParts, shownDifference, showParts } from './round-parts.ts'

const millionths = fc.integer({ min: -9_000_000_000, max: 9_000_000_000 }).map((n) => new Big(n).div(1e6))
const sum = (amounts: readonly Big[]) => amounts.reduce((all, one) => all.plus(one), new Big(0))
const text = (amounts: readonly Big[]) => amounts.map((one) => one.toFixed())

test('parts of any size add up to the difference of two rounded amounts, each within a cent of its exact amount', () => {
  fc.assert(
    fc.property(fc.array(millionths, { maxLength: 40 }), millionths, (amounts, before) => {
      const difference = shownDifference(before, before.plus(sum(amounts)))
      const rounded = roundParts(amounts, difference)
      expect(sum(rounded).toFixed()).toBe(difference.toFixed())
      for (const [at, one] of rounded.entries()) {
        expect(one.times(100).mod(1).toFixed()).toMatch(/^-?0$/)
        expect(
          one
            .minus(amounts[at] ?? 0)
            .abs()
            .lte('0.01'),
        ).toBe(true)
      }
      const shown = showParts(
        amounts.map((amount) => ({ amount })),
        difference,
      )
      expect(sum(shown.map(({ amount }) => amount)).toFixed()).toBe(difference.toFixed())
      expect(shown.length).toBeLessThanOrEqual(7)
    }),
    { seed: runSeed, numRuns: 2000 },
  )
})

test('the missing cents go to the largest remainders', () => {
  const amounts = ['0.333333', '0.333333', '0.333334'].map((one) => new Big(one))
  expect(text(roundParts(amounts, new Big(1)))).toEqual(['0.33', '0.33', '0.34'])
  const falling = ['-1.006', '0.002', '-2.001'].map((one) => new Big(one))
  expect(text(roundParts(falling, new Big('-3.01')))).toEqual(['-1.01', '0', '-2'])
})

test('six reasons are six lines, of seven the smallest two are one, and what is below half a cent joins them', () => {
  const parts = (...amounts: number[]) => amounts.map((amount) => ({ amount: new Big(amount) }))
  const counts = (given: { amount: Big }[]) =>
    showParts(given, shownDifference(new Big(0), sum(given.map(({ amount }) => amount)))).map(
      ({ count, amount }) => `${count}: ${amount}`,
    )
  expect(counts(parts(1, 2, 3, 4, 5, 6))).toEqual(['1: 6', '1: 5', '1: 4', '1: 3', '1: 2', '1: 1'])
  expect(counts(parts(1, 2, -3, 4, 5, 6, 7))).toEqual(['1: 7', '1: 6', '1: 5', '1: 4', '1: -3', '2: 3'])
  expect(counts(parts(1, 0.001, 0.001))).toEqual(['1: 1'])
  expect(counts(parts(1, 0.004, 0.004))).toEqual(['1: 1', '2: 0.01'])
  // Those that cancel out are still named.
  expect(counts(parts(9, 9, 9, 9, 9, 2, -2))).toEqual(['1: 9', '1: 9', '1: 9', '1: 9', '1: 9', '2: 0'])
  expect(counts([])).toEqual([])
})

test('parts are in the order of what is shown, where rounding turns that of two that are nearly as large', () => {
  const parts = [0.0136, -0.0135, -0.0002].map((amount) => ({ amount: new Big(amount) }))
  const shown = showParts(parts, shownDifference(new Big('0.005'), new Big('0.0049')))
  expect(shown.map(({ amount }) => Number(amount))).toEqual([-0.02, 0.01])
})

import { expect, test } from 'vitest'
import { columnTotal, layered, scale, stacked } from './series.ts'

const cell = (column: string, key: string, amount: number) => ({ column, key, name: `The ${key}`, amount })
const others = (count: number) => `${count} others`

test('amounts are stacked by what they are of, the largest first, with nothing where nothing was used', () => {
  const cells = [cell('1', 'a', 1), cell('2', 'b', 3), cell('2', 'a', 0.5), cell('0', 'a', 9)]
  expect(stacked(cells, ['1', '2'], others)).toEqual([
    { key: 'b', name: 'The b', values: [0, 3] },
    { key: 'a', name: 'The a', values: [1, 0.5] },
  ])
})

test('more kinds than colours: the small ones are added up, and nothing is lost', () => {
  const cells = 'abcdefghij'.split('').map((key, at) => cell('1', key, 0.1 * (at + 1)))
  const series = stacked(cells, ['1'], others)
  expect(series).toHaveLength(6)
  expect(series.at(-1)?.name).toBe('5 others')
  expect(columnTotal(series, 0)).toBe(5.5)
})

test('as many kinds as colours have one each, and the sum of the others is never above a named one', () => {
  const cells = 'abcdefg'.split('').map((key) => cell('1', key, 1))
  expect(stacked(cells.slice(1), ['1'], others).some(({ isRest }) => isRest)).toBe(false)
  expect(layered(stacked(cells, ['1'], others)).map(({ name }) => name)).toEqual([
    '2 others',
    'The a',
    'The b',
    'The c',
    'The d',
    'The e',
  ])
})

test('kinds that are too small to be seen are added up too, unless it is a single one', () => {
  const cells = [cell('1', 'a', 9), cell('1', 'b', 0.008), cell('1', 'c', 0.001)]
  expect(stacked(cells, ['1'], others).map(({ name }) => name)).toEqual(['The a', '2 others'])
  expect(stacked(cells.slice(0, 2), ['1'], others).map(({ name }) => name)).toEqual(['The a', 'The b'])
})

test('what the server has summed as the others is added to them, and has no place of its own', () => {
  const cells = [cell('1', 'a', 1), { column: '1', key: '', name: '', amount: 50 }, cell('1', 'b', 2)]
  expect(stacked(cells, ['1'], others)).toEqual([
    { key: 'b', name: 'The b', values: [2] },
    { key: 'a', name: 'The a', values: [1] },
    { key: '', name: '0 others', values: [50], isRest: true },
  ])
})

test('a scale has round steps and ends above the largest amount', () => {
  expect(scale(3.87)).toEqual([0, 2, 4])
  expect(scale(0.07)).toEqual([0, 0.025, 0.05, 0.075])
  expect(scale(0)).toEqual([0, 1])
})

test('a scale below zero has the same steps there, and zero among them', () => {
  expect(scale(90, -12)).toEqual([-50, 0, 50, 100])
  expect(scale(3, -40)).toEqual([-40, -20, 0, 20])
  expect(scale(-1, -8)).toEqual([-10, -5, 0])
})

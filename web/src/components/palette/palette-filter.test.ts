import { expect, test } from 'vitest'
import { fitting } from './palette-filter.ts'

const groups = [
  {
    group: 'Pages',
    actions: [
      { id: 'log', label: 'Billing log' },
      { id: 'bill', label: 'Facturare', description: 'Plăți și facturi' },
    ],
  },
  {
    group: 'Panels',
    actions: [
      { id: 'open', label: 'Open shop' },
      { id: 'shop', label: 'shop' },
    ],
  },
  { group: 'Recent', actions: [] },
]
const found = (typed: string) => fitting(typed, groups).flatMap(({ actions }) => actions.map(({ id }) => id))

test('names that begin with the text come first, then names that contain it', () => {
  expect(found('shop')).toEqual(['shop', 'open'])
  expect(found('log')).toEqual(['log'])
})

test('words are found in any order, and without diacritics', () => {
  expect(found('plati')).toEqual(['bill'])
  expect(found('log bill')).toEqual(['log'])
  expect(found('nothing')).toEqual([])
})

test('without a text every group is shown that has something', () => {
  expect(fitting(' ', groups).map(({ group }) => group)).toEqual(['Pages', 'Panels'])
})

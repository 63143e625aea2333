import { expect, test } from 'vitest'
import { type Preview, readAll } from './vat-sums.ts'

const home = { currency: 'EUR', country: 'RO', category: 'S', rate: 21 }
const abroad = { currency: 'EUR', country: 'DE', category: 'S', rate: 19 }
const rest = { refused: 1, uncharged: 0, later: 0, counted: 100 }

test('the answers for all clients are added up by country and rate, to the cent', async () => {
  const first = { bills: 1, net: 0.1, vat: 0.02, gross: 0.12 }
  const second = { bills: 2, net: 0.2, vat: 0.04, gross: 0.24 }
  const totals = [{ currency: 'EUR', ...first }]
  const answers: Record<string, Preview> = {
    none: { ...rest, sums: [{ ...home, ...first }], totals, next: 7 },
    7: {
      ...rest,
      sums: [
        { ...abroad, ...first },
        { ...home, ...second },
      ],
      totals,
      next: null,
    },
  }
  const asked: (number | undefined)[] = []
  const all = await readAll(async (after) => {
    asked.push(after)
    return answers[after ?? 'none'] ?? Promise.reject(new Error('Nobody is after this client.'))
  })
  expect(asked).toEqual([undefined, 7])
  expect(all).toEqual({
    refused: 2,
    uncharged: 0,
    later: 0,
    counted: 200,
    next: null,
    sums: [
      { ...abroad, ...first },
      { ...home, bills: 3, net: 0.3, vat: 0.06, gross: 0.36 },
    ],
    totals: [{ currency: 'EUR', bills: 2, net: 0.2, vat: 0.04, gross: 0.24 }],
  })
})

test('where there are too many clients, the sums are of the first ones, and say that others follow', async () => {
  const all = await readAll(async (after = 0) => ({ ...rest, sums: [], totals: [], next: after + 100 }))
  expect(all).toMatchObject({ counted: 2000, next: 2000 })
})

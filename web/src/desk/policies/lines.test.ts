import { expect, test } from 'vitest'
import { linesOf } from './lines.ts'

const change = (at: string, before: number, after: number) => ({
  at,
  changes: [{ policy: 'access-policies' as const, currency: null, field: 'warn_days', before, after }],
})

test('a value that was changed and changed back on one day held all the while', () => {
  const rows = [
    change('2026-03-01T10:00:00Z', 7, 14),
    change('2026-06-01T10:00:00Z', 14, 10),
    change('2026-06-01T11:00:00Z', 10, 14),
  ]
  const [line] = linesOf(rows.toReversed())
  expect(line?.spans).toEqual([
    { from: null, to: '2026-03-01', words: '7' },
    { from: '2026-03-01', to: null, words: '14' },
  ])
})

import { expect, test } from 'vitest'
import { lineOf } from './line.ts'

const of = (kind: string, ...days: number[]) =>
  days.map((day) => ({ kind, at: `2026-11-${String(day).padStart(2, '0')}T10:00:00Z` }))
const said = ({ events }: ReturnType<typeof lineOf<{ kind: string; at: string }>>) =>
  events.map(({ kind, at }) => `${kind} ${at.slice(8, 10)}`)

test('events of all kinds are in one order, the newest first', () => {
  const line = lineOf([
    { events: of('payment', 20, 3), isWhole: true },
    { events: of('letter', 12), isWhole: true },
  ])
  expect(said(line)).toEqual(['payment 20', 'letter 12', 'payment 03'])
  expect(line.isWhole).toBe(true)
})

test('the line ends where a kind has older events that were not read', () => {
  const line = lineOf([
    { events: of('payment', 20, 3), isWhole: true },
    { events: of('letter', 15, 12), isWhole: false },
  ])
  expect(said(line)).toEqual(['payment 20', 'letter 15', 'letter 12'])
  expect(line.isWhole).toBe(false)
})

test('kinds without an event end nothing', () => {
  const line = lineOf([
    { events: of('note'), isWhole: true },
    { events: of('letter', 2), isWhole: true },
  ])
  expect([said(line), lineOf([]).events]).toEqual([['letter 02'], []])
})

import { expect, test } from 'vitest'
import { dueAfterStop, responseDue, stageOf } from './service-levels.ts'

const due = (from: string, minutes: number, officeHours: boolean) =>
  responseDue(new Date(from), minutes, officeHours).toISOString()

test('around the clock minutes are minutes', () => {
  expect(due('2026-03-28T23:00:00Z', 240, false)).toBe('2026-03-29T03:00:00.000Z')
})

test.each([
  // Monday at noon in Bucharest: five hours are left of the day, three come on Tuesday.
  ['2026-01-12T10:00:00Z', '2026-01-13T10:00:00.000Z'],
  // At nine sharp the whole day counts.
  ['2026-01-12T07:00:00Z', '2026-01-12T15:00:00.000Z'],
  // Before nine it begins at nine, after 17:00 on the next day.
  ['2026-01-12T04:30:00Z', '2026-01-12T15:00:00.000Z'],
  ['2026-01-12T15:00:00Z', '2026-01-13T15:00:00.000Z'],
  // Friday's evening and the weekend wait for Monday.
  ['2026-01-16T16:00:00Z', '2026-01-19T15:00:00.000Z'],
  ['2026-01-17T12:00:00Z', '2026-01-19T15:00:00.000Z'],
  // Over the night in which summer time begins: Monday at 17:00 is 14:00 UTC.
  ['2026-03-28T12:00:00Z', '2026-03-30T14:00:00.000Z'],
])('eight office hours from %s are over at %s', (from, until) => {
  expect(due(from, 480, true)).toBe(until)
})

const at = (moment: string) => new Date(moment)

test('the remaining time of a ticket survives a pause, counted in working hours', () => {
  // Stopped at noon of Bucharest, due at 17:00: five hours are left at 11:00 on Thursday.
  const due = dueAfterStop(
    at('2026-01-12T15:00:00Z'),
    at('2026-01-12T10:00:00Z'),
    at('2026-01-15T09:00:00Z'),
    true,
  )
  expect(due.toISOString()).toBe('2026-01-15T14:00:00.000Z')
  const late = at('2026-01-12T09:00:00Z')
  expect(dueAfterStop(late, at('2026-01-12T10:00:00Z'), at('2026-01-15T09:00:00Z'), true)).toBe(late)
})

test.each([
  // They began on Friday at 11:00 of Bucharest; six pass that day, and two on Monday.
  ['2026-01-16T13:00:00Z', 0],
  ['2026-01-16T15:00:00Z', 75],
  ['2026-01-17T12:00:00Z', 75],
  ['2026-01-19T08:59:00Z', 75],
  ['2026-01-19T09:00:00Z', 100],
] as const)('at %s %i percent of eight office hours count as up', (now, stage) => {
  expect(stageOf(at(now), at('2026-01-19T09:00:00Z'), 480, true)).toBe(stage)
})

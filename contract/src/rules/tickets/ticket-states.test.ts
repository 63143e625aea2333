import { expect, test } from 'vitest'
import { stateAfter, type TicketEvent, type TicketState, ticketStates } from './ticket-states.ts'

const now = new Date('2026-03-31T12:00:00Z')
const closed = (daysAgo: number) => new Date(now.getTime() - daysAgo * 86_400_000).toISOString()
const after = (status: TicketState, event: TicketEvent, daysAgo = 1) =>
  stateAfter({ status, closed_at: status === 'closed' ? closed(daysAgo) : null }, event, now)

/** One line per event: the new state for each state, in their order; a dash where the event cannot happen. */
test.each([
  [
    'clientMessage',
    'awaiting_staff awaiting_staff awaiting_staff awaiting_staff awaiting_staff awaiting_staff',
  ],
  ['staffMessage', 'awaiting_client awaiting_client awaiting_client awaiting_client awaiting_client -'],
  ['hold', 'on_hold on_hold on_hold - - -'],
  ['resolve', 'resolved resolved resolved resolved - -'],
  ['close', 'closed closed closed closed closed -'],
  ['reopen', '- - - - awaiting_staff awaiting_staff'],
] as const)('%s: %s', (event, states) => {
  expect(ticketStates.map((state) => after(state, event) ?? '-').join(' ')).toBe(states)
})

test('a closed ticket opens again within thirty days, and never after', () => {
  expect(after('closed', 'reopen', 30)).toBe('awaiting_staff')
  expect(after('closed', 'clientMessage', 30)).toBe('awaiting_staff')
  expect(after('closed', 'reopen', 30.001)).toBeUndefined()
  expect(after('closed', 'clientMessage', 30.001)).toBeUndefined()
})

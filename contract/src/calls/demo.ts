import * as z from 'zod/mini'
import * as addresses from './addresses.ts'
import { call } from './call.ts'

// Controls the business day of a demo. Portals that are not a demo answer 404.

const businessDayOutput = z.object({
  /** The current business day (UTC), and the number of days it is ahead of the calendar. */
  day: z.iso.date(),
  ahead: z.int(),
})

export const businessDay = call(addresses.businessDay, {
  description: 'The day that the business of a demo is at. 404 anywhere else.',
  input: z.object({}),
  output: businessDayOutput,
})

export const advanceDay = call(addresses.advanceDay, {
  description:
    'Moves the business of a demo on by a day: its panels use what they would have used, the day is rated and charged, and everything follows that would have followed. Sign-in stays on real time. 404 anywhere else.',
  input: z.object({}),
  output: businessDayOutput,
})

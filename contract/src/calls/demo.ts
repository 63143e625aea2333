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
  description: 'The current business day of a demo. 404 in any other portal.',
  input: z.object({}),
  output: businessDayOutput,
})

export const advanceDay = call(addresses.advanceDay, {
  description:
    'Advances the business of a demo by a day: its panels use resources, the day is rated and charged, and all jobs of the day run. Sign-in stays on real time. 404 in any other portal.',
  input: z.object({}),
  output: businessDayOutput,
})

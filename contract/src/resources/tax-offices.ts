import * as z from 'zod/mini'
import { day, moment, noInput, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'

const code = z.string().check(z.regex(/^[\x21-\x7e]{1,2000}$/))

export const taxOffices = resource('tax-offices', {
  description:
    'The tax office that documents are sent to, as this portal is configured; none where nothing is sent. Tokens are never shown.',
  attributes: {
    /** The office’s test system, or the real one. */
    environment: z.enum(['test', 'prod']),
    /** Whether documents are sent, and from which day of issue. */
    is_on: z.boolean(),
    from_day: z.nullable(day),
    /** Whether a person has authorised the portal, and until when. */
    is_authorised: z.boolean(),
    refresh_ends_at: z.nullable(moment),
    /** Sending pauses while the office does not answer. */
    paused_until: z.nullable(moment),
    searched_at: z.nullable(moment),
    problem: z.nullable(z.string()),
    said: z.nullable(z.string()),
    ...stamps,
  },
  actions: {
    authorise: action({
      method: 'POST',
      on: 'one',
      description:
        'Begins an authorisation, which ends after 15 minutes: the address at the office where a person with a certificate gives it. Needs a recent sign-in.',
      input: noInput,
      output: z.object({ url: z.string() }),
    }),
    connect: action({
      method: 'POST',
      on: 'one',
      description: 'Ends the authorisation with what the office sent the person back with.',
      input: z.strictObject({ code, state: code }),
      output: z.object({ connected: z.boolean() }),
    }),
    switchOn: action({
      method: 'POST',
      on: 'one',
      description:
        'Sends documents issued from a day on, after an upload to the test system succeeded. Needs a recent sign-in.',
      input: z.strictObject({ from_day: day }),
      output: z.object({ is_on: z.boolean() }),
    }),
    switchOff: action({
      method: 'POST',
      on: 'one',
      description: 'Sends no more documents. Needs a recent sign-in.',
      input: noInput,
      output: z.object({ is_on: z.boolean() }),
    }),
  },
})

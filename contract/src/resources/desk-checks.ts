import * as z from 'zod/mini'
import { moment, noInput, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'

export const checkStates = ['stop', 'warn', 'hint', 'good'] as const

export const deskChecks = resource('desk-checks', {
  description:
    'The last result of each check of the installation, which `npm run doctor` makes too: every five minutes, and when an administrator asks.',
  attributes: {
    /** Its subject: `mail`, `rates`. */
    about: z.string(),
    /** `stop`: no money can be taken or nobody can be served. `warn` has to be repaired, `hint` may be intended. */
    state: z.enum(checkStates),
    /** The finding, and the step to take. */
    words_en: z.string(),
    words_ro: z.string(),
    checked_at: moment,
    ...stamps,
  },
  filters: { state: z.enum(checkStates) },
  actions: {
    run: action({
      method: 'POST',
      on: 'type',
      description: 'Queues a new run of all checks; it replaces all of them, which takes some seconds.',
      input: noInput,
      output: z.object({
        queued: z.literal(true),
        /** Results with this `checked_at` or a later one are of this run, or of one after it. */
        queued_at: moment,
      }),
    }),
  },
})

import * as z from 'zod/mini'
import { moment, noInput, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'

const states = ['waiting', 'running', 'failed'] as const

const done = z.object({ task: z.string() })

export const deskJobs = resource('desk-jobs', {
  description:
    'A job of the queue, for support, administrators and those who only read. Finished ones are not kept.',
  attributes: {
    task: z.string(),
    /** The ids in its payload: `panel 7`. */
    about: z.nullable(z.string()),
    /** `failed`: it has used all its attempts. */
    state: z.enum(states),
    attempts: z.int(),
    most_attempts: z.int(),
    /** The first line, without the paths of addresses. */
    last_error: z.nullable(z.string()),
    /** Its next attempt. */
    run_at: moment,
    ...stamps,
  },
  filters: { state: z.enum(states), task: z.string().check(z.maxLength(60)) },
  sorts: ['updatedAt', 'run_at'],
  actions: {
    retry: action({
      method: 'POST',
      on: 'one',
      description: 'Runs the job now, with all its attempts. `job_busy` while it runs.',
      input: noInput,
      output: done,
    }),
    drop: action({
      method: 'POST',
      on: 'one',
      description: 'Deletes the job without running it. `job_busy` while it runs. Needs a recent sign-in.',
      input: noInput,
      output: done,
    }),
  },
})

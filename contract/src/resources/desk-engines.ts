import * as z from 'zod/mini'
import { usageRefusal } from '../engine/usage.ts'
import { line, moment, noInput, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

/** The states of an engine, by its last answer. */
export const engineStates = ['up', 'down', 'unknown', 'disabled'] as const

/** Shown once: the engine signs with it, and so does the portal. */
const secret = z.object({ code: z.string(), secret: z.string() })

const done = z.object({ code: z.string() })

/** Rejected usage of one cause. */
const rejectionCause = z.object({
  code: usageRefusal,
  events: z.int(),
  would_take: z.int(),
  last_at: moment,
  /** The last event as it was sent, cut at 2000 characters. */
  example: z.string(),
})

export const deskEngines = resource('desk-engines', {
  description: 'The engines in which panels are created, with their last answer. Secrets are never listed.',
  attributes: {
    /** Its short name, in the header `webhook-engine` of its messages. */
    code: z.string(),
    name: z.string(),
    /** Null for the simulated engine, which is built in. */
    base_url: z.nullable(z.string()),
    is_default: z.boolean(),
    state: z.enum(engineStates),
    /** Why it does not answer, or what it says of itself when it is degraded. */
    detail: z.nullable(z.string()),
    version: z.nullable(z.string()),
    checked_at: z.nullable(moment),
    panels: z.int(),
    /** The valid secrets: two while they are exchanged. */
    secrets: z.int(),
    /** Usage events that were rejected, and are kept for 100 days. */
    rejected: z.int(),
    ...stamps,
  },
  sorts: ['name'],
  actions: {
    add: action({
      method: 'POST',
      on: 'type',
      description:
        'Administrators only: registers an engine and returns its secret, only this once. Needs a recent sign-in.',
      input: z.strictObject({
        name: line(60, { required: fault('value_required') }),
        url: line(300, { required: fault('value_required') }),
        is_default: z.boolean(),
      }),
      output: secret,
    }),
    probe: action({
      method: 'POST',
      on: 'one',
      description: 'Asks an engine for its health at once.',
      input: noInput,
      output: z.object({ state: z.enum(['up', 'down']), detail: z.nullable(z.string()) }),
    }),
    rotate: action({
      method: 'POST',
      on: 'one',
      description:
        'Adds a second secret next to the one in use, and returns it, only this once. Needs a recent sign-in.',
      input: noInput,
      output: secret,
    }),
    finish: action({
      method: 'POST',
      on: 'one',
      description: 'Ends all secrets but the newest. Needs a recent sign-in.',
      input: noInput,
      output: z.object({ ended: z.int() }),
    }),
    makeDefault: action({
      method: 'POST',
      on: 'one',
      description: 'Creates new panels there, unless their plan names engines. Needs a recent sign-in.',
      input: noInput,
      output: done,
    }),
    disable: action({
      method: 'POST',
      on: 'one',
      description: 'Stops requests to an engine, and events from it. Needs a recent sign-in.',
      input: noInput,
      output: done,
    }),
    enable: action({
      method: 'POST',
      on: 'one',
      description: 'Resumes requests to an engine, and events from it. Needs a recent sign-in.',
      input: noInput,
      output: done,
    }),
    rejections: action({
      method: 'GET',
      on: 'one',
      description:
        'What usage of an engine was rejected for, and how many events of each cause `takeAgain` would take now.',
      input: noInput,
      output: z.object({ causes: z.array(rejectionCause) }),
    }),
    takeAgain: action({
      method: 'POST',
      on: 'one',
      description:
        'Counts rejected usage whose cause is gone, such as a panel or a meter that the portal did not know, each event once; it is charged with the next rating. `before`: those that the engine sent again itself, or twice. `usage_none_takeable`, `engine_disabled`. Needs a recent sign-in.',
      input: noInput,
      output: z.object({ taken: z.int(), before: z.int() }),
    }),
  },
})

import * as z from 'zod/mini'
import { usageRefusal } from '../engine/usage.ts'
import { integerId, line, moment, noInput, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { mostAccounts } from '../rules/take-over.ts'

/** The states of an engine, by its last answer. */
export const engineStates = ['up', 'down', 'unknown', 'disabled'] as const

/** Shown once: the engine signs with it, and so does the portal. */
const secret = z.object({ code: z.string(), secret: z.string() })

const done = z.object({ code: z.string() })

const name = line(60, { required: fault('value_required') })
const url = line(300, { required: fault('value_required') })

/** Rejected usage of one cause. */
const rejectionCause = z.object({
  code: usageRefusal,
  events: z.int(),
  would_take: z.int(),
  last_at: moment,
  /** The last event as it was sent, cut at 2000 characters. */
  example: z.string(),
})

/** An account of an engine that is nobody's, and the one client whom it fits. */
const engineAccount = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.nullable(z.string()),
  email: z.nullable(z.string()),
  created_at: z.nullable(z.string()),
  /** The engine's plan, and the code of ours that its panel gets: its fee begins with the plan. */
  plan: z.nullable(z.string()),
  our_plan: z.nullable(z.string()),
  match: z.nullable(z.object({ client_id: z.int(), email: z.string(), by: z.enum(['mail', 'domain']) })),
  /** The number of clients that fit equally well. */
  candidates: z.int(),
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
    /** Those of them in error. */
    panels_failed: z.int(),
    /** The time up to which it has reported all usage; null before the first report. */
    used_through: z.nullable(moment),
    /** Sums of usage without a price, which are not charged. */
    unpriced: z.int(),
    /** The valid secrets: two while they are exchanged. */
    secrets: z.int(),
    /** Usage events that were rejected, and are kept for 100 days. */
    rejected: z.int(),
    ...stamps,
  },
  filters: { state: z.enum(engineStates) },
  sorts: ['name'],
  actions: {
    add: action({
      method: 'POST',
      on: 'type',
      description:
        'Administrators only: registers an engine and returns its secret, only this once. Needs a recent sign-in.',
      input: z.strictObject({ name, url, is_default: z.boolean() }),
      output: secret,
    }),
    edit: action({
      method: 'POST',
      on: 'one',
      description:
        'Administrators only: changes the name and the address of an engine; its code stays. A new address is stored once the engine answers there, unless it is disabled. `engine_unreachable`, `engine_built_in`, and the refusals of `add`. Needs a recent sign-in.',
      input: z.strictObject({ name, url }),
      output: done,
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
    accounts: action({
      method: 'POST',
      on: 'one',
      description:
        'Asks an engine for the accounts that it has from before the portal, with the client whom each fits by the address of its owner or its domain. `unclear`: those whose adoption got no answer; `linked`: those that may be released. `engine_disabled`, `engine_without_list`, `engine_unavailable`.',
      input: noInput,
      output: z.object({ accounts: z.array(engineAccount), unclear: z.int(), linked: z.int() }),
    }),
    takeOver: action({
      method: 'POST',
      on: 'one',
      description:
        'Links accounts to the clients whom they fit, and asks again for those without an answer. An account that fits another client by now than the one given is refused. Nothing is created, restarted or mailed. The same refusals as `accounts`. Needs a recent sign-in.',
      input: z.strictObject({
        accounts: z
          .array(z.strictObject({ id: z.string().check(z.maxLength(200)), client_id: z.int() }))
          .check(z.maxLength(mostAccounts)),
      }),
      output: z.object({ linked: z.int(), refused: z.int(), unclear: z.int() }),
    }),
    release: action({
      method: 'POST',
      on: 'one',
      description:
        'Undoes take-overs, the oldest first, some at a time: each account is nobody’s again and runs on, and its panel is gone here. `left`: without an answer, or of another owner by now. While `next` is there, repeat it with `after: next`. The same refusals as `accounts`. Needs a recent sign-in.',
      input: z.strictObject({ after: z.optional(integerId) }),
      output: z.object({ released: z.int(), left: z.int(), next: z.nullable(integerId) }),
    }),
  },
})

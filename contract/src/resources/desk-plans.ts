import * as z from 'zod/mini'
import { integerId, money, noInput, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { planVerbs } from './desk-plan-verbs.ts'
import { obstacles, planKind, planLimits, planState } from './plans.ts'

/** The most changes, and the most accounts, that a preview names. */
export const mostPlanned = { changes: 1000, clients: 100 } as const

const decimal = z.string()

const amount = z.nullable(z.int())
const [servers, clusters, domains, mailboxes, disk, traffic] = planLimits
const limits = z.object({
  [servers]: amount,
  [clusters]: amount,
  [domains]: amount,
  [mailboxes]: amount,
  [disk]: amount,
  [traffic]: amount,
})

/** The text of a file of plans and prices, at most 5 MB. */
const text = z.string()

const file = z.object({ text })

const change = z.object({
  of: z.enum(['plan', 'list', 'fee', 'meter']),
  act: z.enum(['new', 'changed', 'removed']),
  /** The code of the plan; null: any plan, or a list. */
  plan: z.nullable(z.string()),
  list: z.nullable(z.string()),
  meter: z.nullable(z.string()),
  resource_kind: z.nullable(z.string()),
  /** The first UTC day of a price; null: from the beginning. */
  from: z.nullable(z.iso.date()),
  /** Prices of before and after; null where there is none, and for tiers. */
  was: z.nullable(decimal),
  becomes: z.nullable(decimal),
  /** The other changes, by the names in the file. */
  fields: z.array(z.string()),
})

export const deskPlans = resource('desk-plans', {
  description:
    'The plans with their limits, and what they cost in each price list. They are changed by one file, which is compared first.',
  attributes: {
    code: z.string(),
    name_en: z.string(),
    name_ro: z.string(),
    kind: planKind,
    state: planState,
    position: z.int(),
    limits,
    /** The fees that count today, with the next that begins. */
    prices: z.array(
      z.object({
        list: z.string(),
        currency: z.string(),
        monthly: z.nullable(money),
        from: z.nullable(z.iso.date()),
        next: z.nullable(z.object({ monthly: money, from: z.iso.date() })),
      }),
    ),
    ...stamps,
  },
  sorts: ['position', 'code'],
  actions: {
    file: action({
      method: 'GET',
      on: 'type',
      description: 'The current plans and prices, as the text of their file.',
      input: noInput,
      output: file,
    }),
    example: action({
      method: 'GET',
      on: 'type',
      description:
        'The current file with two example plans, and with price lists for the currencies that need one. It changes nothing.',
      input: noInput,
      output: file,
    }),
    previewPlans: action({
      method: 'POST',
      on: 'type',
      mostBytes: 8 * 1024 * 1024,
      description: `Compares a file with what there is: its changes, its faults, and what accounts would have paid for the last 30 days. Nothing is written. The first ${mostPlanned.changes} changes and ${mostPlanned.clients} accounts are named, those with the largest difference first.`,
      input: z.strictObject({ text }),
      output: z.object({
        /** A hash of the comparison: `publishPlans` takes it, and refuses when something changed since. */
        state: z.string(),
        faults: obstacles,
        total: z.int(),
        changes: z.array(change),
        sums: z.array(
          z.object({ currency: z.string(), was: decimal, becomes: decimal, more: z.int(), less: z.int() }),
        ),
        clients: z.array(
          z.object({
            client_id: integerId,
            client_name: z.string(),
            currency: z.string(),
            was: decimal,
            becomes: decimal,
          }),
        ),
      }),
    }),
    publishPlans: action({
      method: 'POST',
      on: 'type',
      mostBytes: 8 * 1024 * 1024,
      description:
        'Makes the changes of a preview, all or nothing. `plans_changed_since` when plans, prices or the text are not those of the preview. Every fault is an error of its own. Needs a recent sign-in.',
      input: z.strictObject({ text, state: z.string().check(z.maxLength(64)) }),
      output: z.object({ changes: z.int() }),
    }),
    ...planVerbs,
  },
})

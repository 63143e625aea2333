import * as z from 'zod/mini'
import { moment, noInput } from '../fields.ts'
import * as addresses from './addresses.ts'
import { call } from './call.ts'
import { email } from './credentials.ts'

// What a person does with the account as a whole. Each call is about the own account, whatever others have opened to one.

/** A copy of everything that is kept of a person, as a ZIP. */
export const dataExport = z.object({
  id: z.int(),
  status: z.enum(['waiting', 'running', 'ready', 'failed']),
  /** Files that are in it so far, of how many; 0 of 0 until that is known. */
  done: z.int(),
  total: z.int(),
  /** In bytes, once it is ready. */
  size: z.nullable(z.int()),
  created_at: moment,
  /** When its file is deleted. */
  expires_at: z.nullable(moment),
})

export const dataExports = call(addresses.dataExports, {
  description: 'The copies of their data that the person asked for, the newest first.',
  input: z.object({}),
  output: z.object({ exports: z.array(dataExport) }),
})

export const startExport = call(addresses.startExport, {
  description:
    'Asks for a copy of everything that is kept of the person; a job makes it. 409 while one is being made, 429 after three in a day.',
  input: noInput,
  output: dataExport,
})

/** What stands in the way of closing an account; the words for it are the browser's. */
export const closingObstacles = ['panels', 'payment', 'usage', 'debt', 'money', 'bills'] as const

export const closing = call(addresses.closing, {
  description: 'Whether the person can close the account, and what would have to be done before.',
  input: z.object({}),
  output: z.object({
    obstacles: z.array(z.enum(closingObstacles)),
    /** What is left of the balance, credit apart; below zero it is owed. Two decimals, in `currency` (ISO 4217). */
    balance: z.number(),
    currency: z.string(),
    /** How many panels there are still. */
    panels: z.int(),
    /** Days after which what is not kept by law is erased. */
    erased_after_days: z.int(),
  }),
})

export const closeAccount = call(addresses.closeAccount, {
  description:
    'Closes the account for good: `email` is the own address, typed to confirm. 409 while `closing` names an obstacle, 403 `recent_sign_in_required`.',
  input: z.strictObject({ email }),
  output: z.object({ status: z.literal(true) }),
})

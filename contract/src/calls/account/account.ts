import * as z from 'zod/mini'
import { moment, noInput } from '../../fields.ts'
import { call } from '../call.ts'
import { email, opaque } from '../credentials.ts'
import * as addresses from './addresses.ts'

// Calls on the account as a whole. Each is about the caller's own account, whatever others have shared with
// them.

/** A ZIP with all data that is kept about a person. */
export const dataExport = z.object({
  id: z.int(),
  status: z.enum(['waiting', 'running', 'ready', 'failed']),
  /** Files written so far, and in total; 0 of 0 until the total is known. */
  done: z.int(),
  total: z.int(),
  /** Size in bytes, once the file is ready. */
  size: z.nullable(z.int()),
  created_at: moment,
  /** When the file is deleted. */
  expires_at: z.nullable(moment),
})

export const dataExports = call(addresses.dataExports, {
  description: 'The exports of the person’s data, newest first.',
  input: z.object({}),
  output: z.object({ exports: z.array(dataExport) }),
})

export const startExport = call(addresses.startExport, {
  description:
    'Requests an export of all data kept about the person; a job makes it. 409 while one is being made, 429 after three in a day.',
  input: noInput,
  output: dataExport,
})

export const unsubscribe = call(addresses.unsubscribe, {
  description:
    'Turns off letters with news for the account of the link, without signing in; mail programs send the form of RFC 8058. `link_invalid`. A GET is the page that asks.',
  input: z.object({ token: opaque }),
  output: z.object({ status: z.literal(true) }),
})

/** Reasons why an account cannot be closed; the browser words them. */
export const closingObstacles = ['panels', 'payment', 'usage', 'debt', 'money', 'bills'] as const

export const closing = call(addresses.closing, {
  description: 'Whether the person can close the account, and the obstacles.',
  input: z.object({}),
  output: z.object({
    obstacles: z.array(z.enum(closingObstacles)),
    /**
     * The remaining balance without credit; negative when the client owes money. Two decimals, in `currency`
     * (ISO 4217).
     */
    balance: z.number(),
    currency: z.string(),
    /** The number of panels that are not deleted. */
    panels: z.int(),
    /** Days until everything that the law does not require to keep is erased. */
    erased_after_days: z.int(),
  }),
})

export const closeAccount = call(addresses.closeAccount, {
  description:
    'Closes the account for good: `email` is the person’s own address, typed to confirm. 409 while `closing` names an obstacle, 403 `recent_sign_in_required`.',
  input: z.strictObject({ email }),
  output: z.object({ status: z.literal(true) }),
})

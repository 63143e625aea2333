import * as z from 'zod/mini'
import { integerId, moment, noInput, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'

/** What a verification compares with the entries of the ledger. */
export const ledgerComparisons = [
  'sum of a transaction',
  'balance of an account',
  'balance after an entry',
  'what a client holds',
  'since when a client is below zero',
  'charges of a day',
  'posting of a charge',
  'billing log',
] as const

/** The most differences that a verification lists. */
export const mostDifferencesListed = 100

export const ledgerChecks = resource('ledger-checks', {
  description:
    'A verification of the ledger: everything that is derived from its entries is computed again and compared. One is made each night, as by `npm run ledger:verify`; administrators ask for others.',
  attributes: {
    status: z.enum(['waiting', 'done', 'failed']),
    /** How many differences there are; null until it is done. */
    differences: z.nullable(z.int()),
    /** The first of them. */
    found: z.array(
      z.object({
        what: z.enum(ledgerComparisons),
        /** The row that differs. */
        place: z.string(),
        /** The stored and the computed value. */
        found: z.nullable(z.string()),
        expected: z.nullable(z.string()),
      }),
    ),
    /** Who asked; null: it is that of a night. */
    asked_by: z.nullable(z.string()),
    finished_at: z.nullable(moment),
    ...stamps,
  },
  sorts: ['createdAt'],
  actions: {
    verifyLedger: action({
      method: 'POST',
      on: 'type',
      description:
        'Administrators only: queues a verification, which changes nothing in the ledger. `ledger_check_running` while another one is waiting.',
      input: noInput,
      output: z.object({ check_id: integerId }),
    }),
  },
})

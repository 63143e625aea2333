import * as z from 'zod/mini'
import { day, idParameter, integerId, money, stamps } from '../fields.ts'
import { resource } from '../jsonapi.ts'

/** The steps of a debt, as the operator's policy orders them. */
export const debtStep = z.enum(['negative', 'warned', 'suspended', 'terminated'])

const flag = z.enum(['true', 'false'])

export const deskDebts = resource('desk-debts', {
  description:
    'An account whose balance with its credit is below zero: what is owed, since when, and what comes next. Its verbs are those of `desk-clients`.',
  attributes: {
    client_id: integerId,
    client_name: z.string(),
    email: z.string(),
    currency: z.string(),
    /** Above zero. */
    owed: money,
    owed_since: z.nullable(day),
    /** 3 negative, 4 warned, 5 suspended, 6 terminated; others before the next evaluation. */
    billing_status: z.int(),
    /** The next step if nothing is paid; null after the last. */
    next_step: z.nullable(debtStep),
    next_on: z.nullable(day),
    /** Until this day no panel is suspended for a debt. */
    dunning_hold_until: z.nullable(day),
    /** The day of the last letter about this debt. */
    last_letter_on: z.nullable(day),
    ...stamps,
  },
  filters: {
    client_id: idParameter,
    currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
    step: z.enum(['negative', 'warned', 'suspended']),
    held: flag,
  },
  sorts: ['negative_since', 'account_balance'],
  /** Verbs of `desk-clients` that the reader may use on the account. */
  abilities: ['holdDunning', 'endHold', 'remind'],
})

import * as z from 'zod/mini'
import { integerId, moment, money, stamps, wideSearchParameter } from '../fields.ts'
import { resource } from '../jsonapi.ts'

const flag = z.enum(['true', 'false'])

export const deskClients = resource('desk-clients', {
  description:
    'A client as staff see them: who they are, what they have, what they owe. Members of staff are none.',
  attributes: {
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    company_name: z.nullable(z.string()),
    /** ISO 3166-1, of the billing details. */
    country: z.nullable(z.string()),
    language: z.string(),
    currency: z.string(),
    /** 0 blocked, 1 active, 2 never signed in, 3 closing, 4 closed. */
    status: z.int(),
    /** 0 trial, 1 ok, 2 low, 3 negative, 4 warned, 5 suspended, 6 terminated. */
    billing_status: z.int(),
    account_balance: money,
    credit_balance: money,
    /** Both together. */
    available: money,
    daily_use: money,
    /** The day on which the available amount is used up; null when it is not, or not within five years. */
    exhaustion_date: z.nullable(z.iso.date()),
    /** The day since which the available amount has been below zero. */
    owed_since: z.nullable(z.iso.date()),
    trial_ends_at: z.nullable(moment),
    suspended_on: z.nullable(z.iso.date()),
    /** Until this day no step of dunning is taken. */
    dunning_hold_until: z.nullable(z.iso.date()),
    panels: z.int(),
    /** Tickets that are not resolved, of those that the reader sees. */
    open_tickets: z.int(),
    last_sign_in_at: z.nullable(moment),
    current_project_id: z.nullable(integerId),
    ...stamps,
  },
  filters: {
    search: wideSearchParameter,
    status: z.enum(['0', '1', '2', '3', '4']),
    country: z.string().check(z.regex(/^[A-Z]{2}$/)),
    currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
    owing: flag,
    trial: flag,
  },
  sorts: ['createdAt', 'last_name', 'email'],
  /** Whether the reader sees the money of clients, and the log of staff. */
  abilities: ['readMoney', 'readLog'],
})

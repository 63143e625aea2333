import * as z from 'zod/mini'
import { idParameter, integerId, line, moment, noInput, stamps } from '../fields.ts'
import { action, resource, toMany, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { mailKinds } from '../rules/notification-kinds.ts'

const mailOff = z.array(z.enum(mailKinds)).check(
  z.overwrite((kinds) => [...new Set(kinds)]),
  z.maxLength(mailKinds.length),
)

/** The currency of an account, those that are offered, and what keeps it. */
export const currencyChoice = z.object({
  currency: z.string(),
  offered: z.array(z.string()),
  /** Its first transaction, use, open payment, automatic payment, or prices of its own. */
  fixed_by: z.nullable(z.enum(['transactions', 'use', 'payment', 'automatic', 'prices'])),
})

export const chosenCurrency = z.strictObject({ currency: z.string() })

export const clients = resource('clients', {
  description:
    'An account holder: the person who signs in, owns workspaces and is billed. Of a person who shares with them, in either direction, a reader sees names and e-mail address.',
  attributes: {
    auth_id: z.nullable(z.string()),
    email: z.email(),
    first_name: line(80, { required: fault('first_name_required') }),
    last_name: line(80, { required: fault('last_name_required') }),
    company_url: z.nullable(line(200)),
    language_id: integerId,
    currency_id: integerId,
    /** 0 blocked, 1 active, 2 first login, 3 closing, 4 closed. */
    status: z.int(),
    /** 0 trial, 1 ok, 2 low, 3 negative, 4 warned, 5 suspended, 6 terminated. */
    billing_status: z.int(),
    two_fa_enabled: z.int(),
    /** 0 means that a registration with Google is not completed. */
    google_process: z.int(),
    email_verified_at: z.nullable(moment),
    current_project_id: z.nullable(integerId),
    trial_ends_at: z.nullable(moment),
    /** Whether the dashboard shows the first steps of a new account, until the person hides them. */
    get_started: z.boolean(),
    /** The kinds of news without letters; security letters are always sent. */
    mail_off: mailOff,
    ...stamps,
  },
  relationships: {
    clientEntity: toOne('client-entities', { nullable: true }),
    accountBalance: toOne('account-balances', { nullable: true }),
    billingProfile: toOne('billing-profiles', { nullable: true }),
    currentProject: toOne('projects', { nullable: true }),
    currency: toOne('currencies'),
    projects: toMany('projects'),
    panels: toMany('panels'),
  },
  update: [
    'first_name',
    'last_name',
    'company_url',
    'language_id',
    'mail_off',
    'get_started',
    'currentProject',
  ],
  ignored: ['auth_id', 'two_fa_enabled'],
  filters: { client_id: idParameter },
  sorts: ['createdAt', 'email'],
  actions: {
    updateCurrentProject: action({
      method: 'POST',
      on: 'one',
      description: 'Chooses the workspace the person works in; it must be visible to them.',
      input: z.strictObject({ current_project_id: integerId }),
      output: z.object({ current_project_id: integerId }),
    }),
    acceptTerms: action({
      method: 'POST',
      on: 'one',
      description:
        'The person accepts the terms of service that apply today, which they are asked for when a new version does. `terms_changed` for another version.',
      input: z.strictObject({ version: line(20, { required: fault('value_required') }) }),
      output: z.object({ version: z.string() }),
    }),
    waiting: action({
      method: 'GET',
      on: 'type',
      description:
        'What waits for the reader, counted, in all accounts that they reach. Staff have notifications alone.',
      input: noInput,
      output: z.object({
        /** Unread ones. */
        notifications: z.int(),
        /** Tickets that support has answered and that wait for the client. */
        tickets: z.int(),
        /** Invitations to the reader's address whose links are valid. */
        invitations: z.int(),
        /** Invitations that the reader sent and that nobody has accepted yet. */
        sent: z.int(),
        /** The reader's cards that end within 30 days. */
        cards: z.int(),
      }),
    }),
    currencyChoice: action({
      method: 'GET',
      on: 'one',
      description:
        'The currency of the account, the available ones, and what prevents a change, if anything.',
      input: noInput,
      output: currencyChoice,
    }),
    changeCurrency: action({
      method: 'POST',
      on: 'one',
      description:
        'Changes the currency of the account (ISO 4217), unless something is recorded in the present one: `currency_fixed_by_…` names it.',
      input: chosenCurrency,
      output: chosenCurrency,
    }),
    checkNegativeNumberOfDays: action({
      method: 'GET',
      on: 'one',
      description: 'Complete UTC days since the balance, credit included, went below zero; 0 when it is not.',
      input: noInput,
      output: z.object({ days: z.int() }),
    }),
  },
})

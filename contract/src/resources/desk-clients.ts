import * as z from 'zod/mini'
import { email } from '../calls/credentials.ts'
import {
  countryCode,
  day,
  integerId,
  leastMoney,
  line,
  moment,
  money,
  moneyInput,
  noInput,
  stamps,
  wideSearchParameter,
} from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { clientFlag } from '../rules/client-flags.ts'
import { billVerbs } from './desk-bill-verbs.ts'
import { panelVerbs } from './desk-panel-verbs.ts'
import { priceVerbs } from './desk-price-verbs.ts'
import { viewVerbs } from './desk-view-verbs.ts'
import { soldLines } from './invoice-drafts.ts'

/** An amount in the account's currency; limits of staff follow from their role. */
const amount = moneyInput({ least: leastMoney, most: 1_000_000 })

/** For the client, who reads it in the history of their balance; the reason of the action is for staff. */
const message = z.optional(line(300, { required: fault('message_required') }))

/** The amounts of the account afterwards. */
const heldMoney = z.object({ account_balance: money, credit_balance: money })

const flag = z.enum(['true', 'false'])

/** The most days for which the suspension for a debt is held. */
export const mostHoldDays = 90

const clientMoved = z.object({ status: z.int() })
const held = z.object({ dunning_hold_until: z.nullable(z.iso.date()) })
const flagged = z.strictObject({
  flags: z.array(clientFlag).check(z.maxLength(clientFlag.options.length)),
})
const queued = z.object({ status: z.literal('queued') })

/** When invoices are due after their day, in days; null: as those of other clients. */
const terms = z.strictObject({
  due_days: z.nullable(
    z
      .int()
      .check(z.gte(0, fault('number_least', { least: 0 })), z.lte(365, fault('number_most', { most: 365 }))),
  ),
})

/** A list by its code, from a UTC day on; null: the default prices. */
const givenList = z.strictObject({ list: z.nullable(line(40)), from: day })

/** By what the list of clients is narrowed. */
const filters = {
  search: wideSearchParameter,
  status: z.enum(['0', '1', '2', '3', '4']),
  country: countryCode,
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
  /** Those who are charged by this list of prices today. */
  list: line(40),
  owing: flag,
  trial: flag,
  /** Those whose trial ends within three days. */
  trial_ends: flag,
  /** Those with a panel that does not have the plan that staff gave it. */
  plan_waits: flag,
  /** Clients who have this flag. */
  flag: clientFlag,
}

/** A list of clients as it is kept or exported. */
export const clientFilter = z.partial(z.strictObject(filters))

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
    /** When they confirmed their address; null: not yet. */
    email_verified_at: z.nullable(moment),
    /** For staff alone. */
    flags: z.array(clientFlag),
    language: z.string(),
    currency: z.string(),
    /** 0 blocked, 1 active, 2 never signed in, 3 closing, 4 closed. */
    status: z.int(),
    /** 0 trial, 1 ok, 2 low, 3 negative, 4 warned, 5 suspended, 6 terminated. */
    billing_status: z.int(),
    account_balance: money,
    credit_balance: money,
    /** Both together; `available` of billing-profiles subtracts the use that is not charged yet. */
    available: money,
    daily_use: money,
    /** When both, less the use that is not charged yet, are used up; null when they are not, or not within five years. */
    exhaustion_date: z.nullable(z.iso.date()),
    /** The day since which both together have been below zero. */
    owed_since: z.nullable(z.iso.date()),
    trial_ends_at: z.nullable(moment),
    /** When their invoices are due after their day, in days; null: as those of other clients. */
    due_days: z.nullable(z.int()),
    closed_at: z.nullable(moment),
    /** When everything that no law retains was erased. */
    erased_at: z.nullable(moment),
    suspended_on: z.nullable(z.iso.date()),
    /** Since when staff hold all panels stopped; null: they do not. */
    stopped_at: z.nullable(moment),
    /** Until this day no panel is suspended for a debt. */
    dunning_hold_until: z.nullable(z.iso.date()),
    panels: z.int(),
    /** Tickets that are not resolved, of those that the reader sees. */
    open_tickets: z.int(),
    last_sign_in_at: z.nullable(moment),
    /** The lists of prices of their own, now and planned; without one the default prices of the currency count. */
    price_lists: z.array(
      z.object({
        code: z.string(),
        from_day: z.nullable(z.iso.date()),
        /** The first day on which it no longer counts; null: without end. */
        to_day: z.nullable(z.iso.date()),
      }),
    ),
    current_project_id: z.nullable(integerId),
    ...stamps,
  },
  filters,
  sorts: ['createdAt', 'last_name', 'email'],
  /** Whether the reader sees the cards of clients and the rules that charge them, and the log of staff, may write notes, and issue proformas. */
  abilities: ['readCards', 'readLog', 'note', 'requestProforma'],
  actions: {
    ...panelVerbs,
    ...viewVerbs,
    resetSecondFactor: action({
      method: 'POST',
      on: 'one',
      description:
        'Turns off two-factor authentication of the client, who lost it, and ends their sessions. They are written to. Always `second_person_required`: ask for it by `desk-requests`. `two_factor_off` when it is off.',
      input: noInput,
      output: z.object({ ended: z.int() }),
    }),
    changeEmail: action({
      method: 'POST',
      on: 'one',
      description:
        'Sends the link that confirms a new address of the client, who cannot do it themselves, to that address; the address that they have is written to at once, with the reason. Always `second_person_required`: ask for it by `desk-requests`. `email_unchanged`, `email_taken`, `client_not_active`.',
      input: z.strictObject({ email }),
      output: queued,
    }),
    endSessions: action({
      method: 'POST',
      on: 'one',
      description:
        'Signs the client out everywhere, and voids sign-ins and links that have begun; API keys stay. They are written to, with the reason. `client_not_active` for one who is blocked or closed. Needs a recent sign-in.',
      input: noInput,
      output: z.object({ ended: z.int() }),
    }),
    block: action({
      method: 'POST',
      on: 'one',
      description:
        'Blocks the client: sessions end, API keys are refused, panels stop, and their plans cost nothing until the client is unblocked. The client is written to, with the reason. `client_not_active` for one who is blocked or closed, `second_person_required` as for `suspendPanel`. Needs a recent sign-in.',
      input: noInput,
      output: clientMoved,
    }),
    unblock: action({
      method: 'POST',
      on: 'one',
      description:
        'Ends the block of the client, and of the panels that it stopped. `client_not_blocked` for others. Needs a recent sign-in.',
      input: noInput,
      output: clientMoved,
    }),
    resendConfirmation: action({
      method: 'POST',
      on: 'one',
      description:
        'Sends the link that confirms the address of the client again, to that address; earlier links end. `client_email_confirmed`, and `letters_most` beyond ten letters of this kind in an hour.',
      input: noInput,
      output: queued,
    }),
    confirmEmail: action({
      method: 'POST',
      on: 'one',
      description:
        'Confirms the address of the client, who cannot follow the link, as where no mail server is set; the letter with the link is given up. They are written to, with the reason. `client_email_confirmed`, `client_not_active`, and `client_registered_twice` where several browsers have registered the address, because the password may be a stranger’s. Needs a recent sign-in.',
      input: noInput,
      output: z.object({ email_verified_at: moment }),
    }),
    flag: action({
      method: 'POST',
      on: 'one',
      description: 'Sets the flags of the client, for other staff; those that are left out end.',
      input: flagged,
      output: flagged,
    }),
    exportData: action({
      method: 'POST',
      on: 'one',
      description:
        'Prepares the copy of all data of the client, as they can themselves. Only they can download it: they are written to when it is ready. `client_not_active`, `data_export_running`, `data_exports_most`.',
      input: noInput,
      output: queued,
    }),
    closeAccount: action({
      method: 'POST',
      on: 'one',
      description:
        'Closes the account for a client who asks for it, as they can themselves: sign-in, API keys, sharing, cards and tickets end, documents stay. They are written to, with the reason. `client_closed`, and while something is unsettled `account_has_…`, `account_in_debt`, `account_payment_unfinished`, `account_usage_uncharged`. `second_person_required` as for `suspendPanel`. Needs a recent sign-in.',
      input: noInput,
      output: clientMoved,
    }),
    erase: action({
      method: 'POST',
      on: 'one',
      description:
        'Erases at once what no law retains of a closed account, which otherwise happens 30 days after it was closed. Always `second_person_required`: ask for it by `desk-requests`, with the address of the account. `client_not_closed`, `client_email_differs`, `client_use_unbilled`.',
      input: z.strictObject({ email }),
      output: z.object({ erased_at: moment }),
    }),
    setTerms: action({
      method: 'POST',
      on: 'one',
      description:
        'Sets when invoices of the client are due, in days after their day; null: as those of other clients. Invoices that are issued already keep their day.',
      input: terms,
      output: terms,
    }),
    holdDunning: action({
      method: 'POST',
      on: 'one',
      description: `Suspends no panel for a debt until the end of a UTC day, today or at most ${mostHoldDays} days ahead. \`hold_out_of_range\` for another day.`,
      input: z.strictObject({ until: z.iso.date() }),
      output: held,
    }),
    endHold: action({
      method: 'POST',
      on: 'one',
      description: 'Ends the hold, if there is one.',
      input: noInput,
      output: held,
    }),
    remind: action({
      method: 'POST',
      on: 'one',
      description:
        'Sends the letter about the debt again: of the step that it has reached. `client_owes_nothing`, and `reminded_today` where a letter about it was sent on the same UTC day.',
      input: noInput,
      output: queued,
    }),
    giveList: action({
      method: 'POST',
      on: 'one',
      description:
        'Charges the client by a list of prices from a day to come on, or by the default prices where `list` is null; what was planned for later is replaced. `price_list_currency` for a list in another currency. Needs a recent sign-in.',
      input: givenList,
      output: givenList,
    }),
    ...priceVerbs,
    goodwill: action({
      method: 'POST',
      on: 'one',
      keyed: true,
      description:
        'Gives credit that is spent before money and never paid out, as compensation. `staff_limit_action` and `staff_limit_day` above the limits of the role, in the currency of the operator; `recent_sign_in_required` without a sign-in of the last ten minutes.',
      input: z.strictObject({ amount, message }),
      output: heldMoney,
    }),
    manualInvoice: action({
      method: 'POST',
      on: 'one',
      keyed: true,
      description:
        'Issues an invoice for something other than usage, with the VAT of the day. It is owed like a bill, and paid by any means. Limits as for `goodwill`, VAT included. With `draft_id` it ends that draft: `draft_changed` unless the draft has these very lines.',
      input: z.strictObject({ lines: soldLines, draft_id: z.optional(integerId) }),
      output: z.object({ invoice_id: integerId, full_number: z.string(), total: money }),
    }),
    ...billVerbs,
    adjust: action({
      method: 'POST',
      on: 'one',
      keyed: true,
      description:
        'Corrects the balance up or down, without a document: it is neither a sale nor a payment. The balance may go below zero. `adjust_debt_open` for an amount up while the client owes money that was given back twice, which `writeOffDebt` of `transactions` forgives. Limits as for `goodwill`.',
      input: z.strictObject({ amount, direction: z.enum(['up', 'down']), message }),
      output: heldMoney,
    }),
  },
})

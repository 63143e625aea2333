import * as z from 'zod/mini'
import { day, integerId, moment, money, noInput, wideSearchParameter } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'

/** The kinds of open work for staff, by urgency; the desk has a text and a page for each. */
export const deskNeed = z.enum([
  'checks_stop',
  'disputes',
  'alerts',
  'engines_down',
  'payments_stuck',
  'jobs_dead',
  'panels_failed',
  'month_open',
  'requests',
  'addresses_waiting',
  'checks_warn',
  'einvoices_due',
  'bank_open',
  'bank_doubtful',
  'tickets_overdue',
  'tickets_unassigned',
  'einvoices_unknown',
  'einvoices_rejected',
  'payments_failed',
  'letters_failed',
  'usage_rejected',
  'plans_waiting',
  'trials_ending',
])

/** The results of a search; each belongs to a client. */
export const deskFound = z.enum([
  'client',
  'panel',
  'domain',
  'server',
  'document',
  'payment',
  'card',
  'ticket',
])

const period = z.object({ from: day, to: day })

const counted = z.object({ now: z.int(), before: z.int() })

export const deskHome = resource('desk-home', {
  description:
    'The first page of a staff member: what waits for their role, and the figures of the month. Its id is the member’s.',
  attributes: { display_name: z.string() },
  /** Whether the figures are for the reader. */
  abilities: ['readFigures'],
  actions: {
    needs: action({
      method: 'GET',
      on: 'type',
      description:
        'What waits for the role of the reader, counted, the worst first; nothing that is at zero.',
      input: noInput,
      output: z.object({
        needs: z.array(
          z.object({
            need: deskNeed,
            /** Money or service is at risk while it waits. */
            urgent: z.boolean(),
            count: z.int(),
            /** Since when the oldest waits; null where that is not known. */
            since: z.nullable(moment),
            /** The first deadline of those that wait; null where there is none. */
            until: z.nullable(moment),
          }),
        ),
      }),
    }),
    find: action({
      method: 'GET',
      on: 'type',
      description:
        'Clients by name, e-mail, company or VAT number, panels and domains by name, servers by address, documents, tickets and payments by their number, cards by their last four digits: at most five of each, of what the reader may see.',
      input: z.object({ search: wideSearchParameter }),
      output: z.object({
        found: z.array(
          z.object({
            found: deskFound,
            id: integerId,
            client_id: integerId,
            /** Its name or number. */
            title: z.string(),
            /** Whose it is, or how it is reached. */
            about: z.string(),
          }),
        ),
      }),
    }),
    figures: action({
      method: 'GET',
      on: 'type',
      description:
        'The figures of the operator’s month so far, and of the same days of the month before. Sums are by currency and never added up over currencies.',
      input: noInput,
      output: z.object({
        now: period,
        before: period,
        money: z.array(
          z.object({
            currency: z.string(),
            /** Use and plan fees that were charged, net of VAT. */
            charged: money,
            charged_before: money,
            /** The same on each day of the month so far, from its first. */
            charged_by_day: z.array(money),
            /** Payments that arrived less refunds, with VAT. */
            received: money,
            received_before: money,
            /** The sum of negative balances today, and the number of such accounts. */
            owed: money,
            owing: z.int(),
            /** The monthly prices of running panels by the last reports, and at the end of the month before; null before the first. */
            mrr: z.nullable(money),
            mrr_before: z.nullable(money),
          }),
        ),
        joined: counted,
        left: counted,
      }),
    }),
  },
})

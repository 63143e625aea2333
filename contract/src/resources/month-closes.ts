import * as z from 'zod/mini'
import { day, integerId, moment, money, noInput, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'

/** The most clients that a preview names. */
export const mostPreviewed = 100

/** The clients whose bills one answer adds up: each is made as the close would make it. */
export const summedAtOnce = 100

const sums = { currency: z.string(), bills: z.int(), net: money, vat: money, gross: money }

export const monthCloses = resource('month-closes', {
  description:
    'The close of the operator’s last month: clients with charges of it that no bill asks for yet, and the bills that were issued.',
  attributes: {
    from_day: day,
    /** The last day of the month. */
    to_day: day,
    /** Clients who have charges of the month and no bill of it. */
    waiting: z.int(),
    /** Of them, those whose bill could not be issued. */
    failed: z.int(),
    ...stamps,
  },
  actions: {
    preview: action({
      method: 'GET',
      on: 'one',
      description: `What the close would bill: charges by currency before credit, advances and VAT, and the first ${mostPreviewed} clients, those that lack something first.`,
      input: noInput,
      output: z.object({
        sums: z.array(z.object({ currency: z.string(), clients: z.int(), net: money })),
        clients: z.array(
          z.object({
            client_id: integerId,
            client_name: z.string(),
            currency: z.string(),
            net: money,
            /** Fields of the billing details that a bill needs. */
            lacks: z.array(z.string()),
            /** The refusals of the last attempt, by their codes. */
            reasons: z.array(z.string()),
            failed_at: z.nullable(moment),
          }),
        ),
      }),
    }),
    previewVat: action({
      method: 'GET',
      on: 'one',
      description: `The bills that the close would make, added up by country, category and rate of VAT: of ${summedAtOnce} clients at once, those after the client \`after\`.`,
      input: z.strictObject({ after: z.optional(integerId) }),
      output: z.object({
        sums: z.array(
          z.object({
            ...sums,
            country: z.string(),
            /** As in EN 16931: S, AE or O. */
            category: z.string(),
            /** In percent. */
            rate: z.number(),
          }),
        ),
        totals: z.array(z.object(sums)),
        /** Clients whose bill lacks something, so that it cannot be made. */
        refused: z.int(),
        /** Clients whose bill waits, because a day is not charged yet. */
        uncharged: z.int(),
        /** Clients whose bill of an earlier month is in the sums, but not the one of the month after it. */
        later: z.int(),
        /** The clients who were looked at, and the last of them where others follow. */
        counted: z.int(),
        next: z.nullable(integerId),
      }),
    }),
    closeMonth: action({
      method: 'POST',
      on: 'one',
      description:
        'Closes the month for every client who waits, now instead of with the next hour. `month_nothing_open` when nobody waits. Needs a recent sign-in.',
      input: noInput,
      output: z.object({ status: z.literal('queued') }),
    }),
    retryClose: action({
      method: 'POST',
      on: 'one',
      description:
        'Closes the month of one client, and answers its bill; null where there was nothing to bill. Refused for what the bill lacks, as `billing_info_incomplete`, and with `month_client_not_open` for a client who does not wait. Needs a recent sign-in.',
      input: z.strictObject({ client_id: integerId }),
      output: z.object({ full_number: z.nullable(z.string()) }),
    }),
  },
})

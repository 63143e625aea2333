import * as z from 'zod/mini'
import { integerId, line, moment, noInput, stamps, text } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

export const audiences = ['all', 'engine', 'plan'] as const

const title = line(120, { required: fault('value_required') })
const body = text(1000)
const code = z.string().check(z.maxLength(60))
const words = { title_en: z.string(), title_ro: z.string(), body_en: z.string(), body_ro: z.string() }

export const announcements = resource('announcements', {
  description:
    'What the operator announces above the pages of its customers, in both languages, from a moment to another.',
  attributes: {
    ...words,
    starts_at: moment,
    /** Null: until it is ended. */
    ends_at: z.nullable(moment),
    /** Whom it concerns: everybody and visitors, or accounts with panels of an engine or a plan. */
    audience: z.enum(audiences),
    /** The code of the engine or the plan; null: everybody. */
    of: z.nullable(z.string()),
    /** Maintenance, incidents, terms: its letter goes also to customers who turned off news by letter. */
    about_service: z.boolean(),
    /** When it was to be sent by letter; null: it is not. */
    letters_asked_at: z.nullable(moment),
    /** When the last letter was queued; null: not yet. */
    letters_done_at: z.nullable(moment),
    /** The letters that were queued. */
    letters: z.int(),
    ...stamps,
  },
  sorts: ['starts_at'],
  actions: {
    current: action({
      method: 'GET',
      on: 'type',
      open: true,
      personal: true,
      description:
        'What is announced now to the reader, the newest first. Visitors read what concerns everybody.',
      input: noInput,
      output: z.object({ announcements: z.array(z.object({ id: integerId, ...words })) }),
    }),
    recipients: action({
      method: 'GET',
      on: 'type',
      description:
        'Administrators only: how many customers would get a letter now; those who turned off news count for what is about the service alone. `announcement_audience` for an unknown engine or plan.',
      input: z.strictObject({
        audience: z.enum(audiences),
        of: z.optional(code),
        about_service: z.optional(z.enum(['true', 'false'])),
      }),
      output: z.object({ recipients: z.int() }),
    }),
    announce: action({
      method: 'POST',
      on: 'type',
      description:
        'Administrators only: announces something. `announcement_end` where it ends before it begins or has ended already.',
      input: z.strictObject({
        title_en: title,
        title_ro: title,
        body_en: body,
        body_ro: body,
        starts_at: moment,
        ends_at: z.nullable(moment),
        audience: z.enum(audiences),
        of: z.nullable(code),
        /** Also by letter, to each customer whom it concerns, in their language. */
        by_letter: z.optional(z.boolean()),
        /** About the service or the contract; by default it is news, which customers can turn off. */
        about_service: z.optional(z.boolean()),
      }),
      output: z.object({ id: integerId }),
    }),
    sendLetters: action({
      method: 'POST',
      on: 'one',
      description:
        'Administrators only: sends it by letter to each customer whom it concerns, once. `announcement_letters_asked` where that was done, `announcement_over` where it has ended.',
      input: noInput,
      output: z.object({ letters_asked_at: moment }),
    }),
    end: action({
      method: 'POST',
      on: 'one',
      description: 'Administrators only: ends an announcement now. `announcement_over` where it has ended.',
      input: noInput,
      output: z.object({ ends_at: moment }),
    }),
  },
})

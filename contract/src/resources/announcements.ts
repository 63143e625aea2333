import * as z from 'zod/mini'
import { integerId, line, moment, noInput, stamps, text } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

export const audiences = ['all', 'engine', 'plan'] as const

const title = line(120, { required: fault('value_required') })
const body = text(1000)
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
        of: z.nullable(z.string().check(z.maxLength(60))),
      }),
      output: z.object({ id: integerId }),
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

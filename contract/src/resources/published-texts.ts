import * as z from 'zod/mini'
import { day, integerId, line, stamps, text } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

/** The texts that an operator publishes: the terms of service, and how personal data are handled. */
export const textKinds = ['terms', 'privacy'] as const

const kind = z.enum(textKinds)

/** The length of a text in one language, in characters. */
export const longestText = 60_000

const body = text(longestText, { required: fault('message_required') })

export const publishedTexts = resource('published-texts', {
  description:
    'A version of the terms of service or of the privacy policy, in both languages, from a day on until the next one. It never changes.',
  attributes: {
    kind,
    /** The name that an acceptance is stored with. */
    version: z.string(),
    /** The first UTC day that it applies on. */
    from_day: z.iso.date(),
    /** Markdown. */
    body_en: z.string(),
    body_ro: z.string(),
    ...stamps,
  },
  filters: { kind },
  sorts: ['from_day'],
  actions: {
    current: action({
      method: 'GET',
      on: 'type',
      open: true,
      fresh: 60,
      description: 'The text that applies today; nulls where none is published. Without sign-in.',
      input: z.strictObject({ kind }),
      output: z.object({
        version: z.nullable(z.string()),
        from_day: z.nullable(z.iso.date()),
        body_en: z.nullable(z.string()),
        body_ro: z.nullable(z.string()),
      }),
    }),
    publish: action({
      method: 'POST',
      on: 'type',
      description:
        'Administrators only: publishes a version that applies from today or a later day on. `text_version_taken` and `text_day_taken` where another text of the kind has the version or the day. Needs a recent sign-in.',
      input: z.strictObject({
        kind,
        version: line(20, { required: fault('value_required') }),
        from_day: day,
        body_en: body,
        body_ro: body,
      }),
      output: z.object({ id: integerId }),
    }),
  },
})

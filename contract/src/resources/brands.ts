import * as z from 'zod/mini'
import { line, noInput, stamps, text } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { isColour } from '../rules/brand/accent.ts'
import { logoLimits } from '../rules/brand/logo.ts'

const foot = z.nullable(text(500))

/** What the operator writes of its brand. Null: as the portal comes. */
export const brandFields = {
  /** What the portal calls itself: in titles, letters, authenticator apps, and consents to charge a card. */
  name: z.nullable(line(40, { required: fault('name_required') })),
  accent: z.nullable(
    z.string().check(
      z.trim(),
      z.toLowerCase(),
      z.refine((one) => isColour(one), fault('colour_invalid', { example: '#0f5c4d' })),
    ),
  ),
  /** Below the pages that need no sign-in, in each language. */
  legal_en: foot,
  legal_ro: foot,
  /** Below each letter, in its language. */
  letters_en: foot,
  letters_ro: foot,
} as const

export const brands = resource('brands', {
  description: 'How the portal looks to customers; there is one. Every page that opens later has it.',
  attributes: {
    ...brandFields,
    /** The path of the logo, and its size in pixels; null where there is none. */
    logo: z.nullable(z.string()),
    logo_width: z.nullable(z.int()),
    logo_height: z.nullable(z.int()),
    /** Whether documents can show it: a PNG that is not interlaced, or a JPEG. */
    logo_prints: z.boolean(),
    ...stamps,
  },
  actions: {
    save: action({
      method: 'POST',
      on: 'type',
      description:
        'Administrators only: sets the name, the colour and the footers. `accent_unreadable` where white text on the colour has a contrast below 4.5:1; the shades of both looks follow from it. Needs a recent sign-in.',
      input: z.strictObject(brandFields),
      output: z.object({ name: z.string() }),
    }),
    setLogo: action({
      method: 'POST',
      on: 'type',
      mostBytes: Math.ceil((logoLimits.bytes * 4) / 3) + 2000,
      description:
        'Administrators only: takes a PNG, JPEG or WebP of at most 256 KB as the logo, without its metadata. `logo_type`, `logo_too_large`, `logo_size` and `logo_damaged` where it is none. Needs a recent sign-in.',
      input: z.strictObject({
        filename: line(200, { required: fault('name_required') }),
        /** The bytes of the file in Base64. */
        content: z.string(),
      }),
      output: z.object({ logo: z.string() }),
    }),
    removeLogo: action({
      method: 'POST',
      on: 'type',
      description: 'Administrators only: goes back to the logo of the portal. Needs a recent sign-in.',
      input: noInput,
      output: z.object({ logo: z.null() }),
    }),
  },
})

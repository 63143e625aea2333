import * as z from 'zod/mini'
import { fault } from '../../refusals/fields.ts'
import { mostTags } from './ticket-limits.ts'

/** A word by which staff sort tickets: small letters, digits and hyphens. */
export const ticketTag = z.string().check(
  z.overwrite((text) => text.trim().toLowerCase()),
  z.regex(/^[\p{L}\p{N}][\p{L}\p{N}_-]{0,29}$/u, fault('tag_form')),
)

export const ticketTags = z.array(ticketTag).check(
  z.overwrite((tags) => [...new Set(tags)]),
  z.maxLength(mostTags, fault('tags_most', { most: mostTags })),
)

import { fault } from '@portico/contract/refusals/fields.ts'
import * as z from 'zod/mini'

/** The reason of an action of staff, in characters. */
export const reasonRule = z
  .string()
  .check(
    z.trim(),
    z.minLength(3, fault('characters_least', { least: 3 })),
    z.maxLength(300, fault('characters_most', { most: 300 })),
  )

/** A number of days as it is typed. */
export const wholeNumber = z.string().check(z.trim(), z.regex(/^\d{1,3}$/, fault('value_not_whole')))

import * as z from 'zod/mini'

// C0 and C1 controls, and the marks that turn the reading direction: in a name they only serve to deceive.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const unfit = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** One line of text that a person typed: trimmed, without control or direction characters. Lengths in characters. */
export function line(max: number, more: { required?: string } = {}) {
  return z.string().check(
    z.trim(),
    ...(more.required === undefined ? [] : [z.minLength(1, more.required)]),
    z.maxLength(max, `At most ${max} characters`),
    z.refine((text) => !unfit.test(text), 'Contains characters that cannot be shown'),
  )
}

/** An id of ours inside an attribute: a positive integer. */
export const integerId = z.int().check(z.positive())

/** The same in a query parameter, where everything is text. */
export const idParameter = z.pipe(
  z.string().check(z.regex(/^[1-9][0-9]{0,14}$/, 'Expected a positive integer')),
  z.transform((text) => Number(text)),
)

/** What a search box sends. */
export const searchParameter = z.string().check(z.trim(), z.minLength(1), z.maxLength(100))

/** A moment, as ISO 8601 in UTC with milliseconds or finer. */
export const moment = z.iso.datetime()

/** The two time stamps every row has. */
export const stamps = { createdAt: moment, updatedAt: moment }

/** An amount of money in the account's currency, as a JSON number; exact to 6 decimals on the server. */
export const money = z.number()

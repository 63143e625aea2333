import * as z from 'zod/mini'
import { type Fault, fault } from './refusals/fields.ts'
import { firstDay, lastDay, pickers } from './rules/pickers.ts'

// Control characters, lone surrogates, line separators and bidirectional marks: in a name they only serve to
// deceive. Code points that are no characters cannot be in the XML of an invoice.
const unfit = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/u

// White space, fillers and joiners render as nothing; U+2800 is a braille cell without dots.
const seen = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Counts code points as PostgreSQL does, not UTF-16 units. */
const isLonger = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || [...text].length > max)

/** A string. A required one reports the same fault when it is empty and when it is missing. */
const stringOf = ({ required }: { required?: Fault }) =>
  required === undefined
    ? z.string()
    : z.string({ error: ({ input }) => (input === undefined || input === null ? required : undefined) })

/** One line of text that a person typed: trimmed, without control or direction characters. Lengths in characters. */
export function line(max: number, more: { required?: Fault } = {}) {
  return stringOf(more).check(
    z.trim(),
    ...(more.required === undefined ? [] : [z.refine<string>((text) => seen.test(text), more.required)]),
    // Skips the further checks of a text that is too long: it may be a megabyte.
    z.refine((text) => !isLonger(text, max), { error: fault('characters_most', { most: max }), abort: true }),
    z.refine((text) => !unfit.test(text), fault('characters_unfit')),
  )
}

/** A language of the portal. */
export const language = z.enum(['en', 'ro'])

/** A country by ISO 3166-1. */
export const countryCode = z.string().check(z.regex(/^[A-Z]{2}$/))

// Terminal colours and other control characters come with pasted logs and mean nothing to a reader.
const unseenInText = /[^\P{Cc}\t\n]/gu

/** Several lines typed by a person, trimmed and without invisible characters. Lengths in characters. */
export function text(max: number, more: { required?: Fault } = {}) {
  return stringOf(more).check(
    z.overwrite((value) => value.replaceAll(unseenInText, '').trim()),
    ...(more.required === undefined ? [] : [z.refine<string>((value) => seen.test(value), more.required)]),
    z.refine((value) => !isLonger(value, max), fault('characters_most', { most: max })),
  )
}

const phonePattern = /^\+?[\d\s()./-]+(?:(?:ext\.?|x|#)\s*\d{1,20})?$/i

/** A phone number as people write it: at least two digits, separators, an optional extension. */
export const phoneNumber = line(25).check(
  z.refine((text) => phonePattern.test(text) && text.replace(/\D/g, '').length >= 2, fault('phone_invalid')),
)

/** An id of a portal resource inside an attribute: a positive integer. */
export const integerId = z.int().check(z.positive())

/** An id in a query parameter, where every value is text. */
export const idParameter = z.pipe(
  z.string().check(z.regex(/^[1-9][0-9]{0,14}$/, fault('id_invalid'))),
  z.transform((text) => Number(text)),
)

/** The text of a search box. */
export const searchParameter = z.string().check(z.trim(), z.minLength(1), z.maxLength(100))

/** The fewest letters that a search over everything takes. */
export const leastOfWideSearch = 3

/** The text of a search over everything, which indexes of three letters answer. */
export const wideSearchParameter = z
  .string()
  .check(z.trim(), z.minLength(leastOfWideSearch), z.maxLength(100))

/** A moment, as ISO 8601 in UTC with milliseconds or finer. */
export const moment = z.iso.datetime()

/** A day as `2026-11-22`, within the years of the date pickers: the database has no year 0. */
export const day = z.iso
  .date()
  .check(
    z.refine(
      (text) => firstDay <= text && text <= lastDay,
      fault('day_out_of_range', { first: pickers.firstYear, last: pickers.lastYear }),
    ),
  )

/** The two time stamps every row has. */
export const stamps = { createdAt: moment, updatedAt: moment }

/** An amount of money in the account's currency, as a JSON number; exact to 6 decimals on the server. */
export const money = z.number()

/** The smallest amount of money: a cent of each currency that accounts are kept in. */
export const leastMoney = 0.01

const inCents = /^\d+(?:\.\d{1,2})?$/

/** An amount in a request, within limits. It is kept exactly as written and never rounded. */
export const moneyInput = ({ least, most }: { readonly least: number; readonly most: number }) =>
  z.number().check(
    z.gte(least, fault('number_least', { least })),
    z.lte(most, fault('number_most', { most })),
    z.refine((value) => inCents.test(String(value)), fault('decimals_most')),
  )

/** An amount in a request whose limits follow from the currency, so that the verb checks them. */
export const accountMoney = moneyInput({ least: leastMoney, most: 99_999_999 })

/** The input of an action or call that takes none. */
export const noInput = z.strictObject({})

import type { Part } from '#money/bank/files/statement.ts'
import { type Facts, factsKey, type Read, type StoredLine } from './facts.ts'

/** Whether a line of a file is the money of a stored one, may be, or is not. */
export type Verdict = 'same' | 'doubtful' | 'other'

type Sign = 'agrees' | 'differs' | 'unknown'

const dayMs = 86_400_000

/** A bank may say another day of the same money in another format; a week later it is the next standing order. */
export const nearDays = 6

/** The day with its day and month read for each other, where that is a day. */
export const swapped = (day: string): string => `${day.slice(0, 4)}-${day.slice(8)}-${day.slice(5, 7)}`

const isNear = (one: string, other: string): boolean =>
  Math.abs(Date.parse(one) - Date.parse(other)) <= nearDays * dayMs || swapped(one) === other

const signOf = (one: string | null, other: string | null): Sign => {
  if (!one || !other) return 'unknown'
  return one === other ? 'agrees' : 'differs'
}

/** The references of a line: the bank's own, and that of its batch, which other formats give to each of its payments. */
export const referencesOf = ({ reference, batch }: Facts): readonly string[] =>
  [reference, batch?.reference ?? null].filter((one) => one !== null)

// MT940 has room for so many characters of a reference, and cuts a longer one off.
const cutOff = 16

const isCut = (one: string, other: string): boolean => one.length === cutOff && other.startsWith(one)

export function referenceSign(line: Facts, other: Facts): Sign {
  const theirs = referencesOf(other)
  if (referencesOf(line).some((one) => theirs.includes(one))) return 'agrees'
  const [own, their] = [line, other].map(({ reference, batch }) => reference ?? batch?.reference ?? null)
  if (!own || !their || isCut(own, their) || isCut(their, own)) return 'unknown'
  return 'differs'
}

/** By the account where both say it. The operator's own is a column that was read wrongly. */
function accountSign(line: Read, stored: Read): Sign {
  const isOwn = [line, stored].some(({ payerIban }) => payerIban === line.iban || payerIban === stored.iban)
  return isOwn ? 'unknown' : signOf(line.payerIban, stored.payerIban)
}

// A shorter text is a part of many.
const leastText = 5

const isIn = ({ textWords, words }: Read, { words: all }: Read): boolean =>
  textWords.length >= leastText && [...words].every((word) => all.has(word))

/** Texts agree where one has every word of the other: a bank may write the payer, or words of its own, into one of them. */
function textSign(line: Read, stored: Read): Sign {
  const sign = signOf(line.textWords, stored.textWords)
  if (sign !== 'differs') return sign
  return isIn(line, stored) || isIn(stored, line) ? 'agrees' : 'differs'
}

/**
 * Two lines of one reading that differ are other money. Only with one reference, amount and payer it may be one payment of which the
 * bank changed the text or the day.
 */
function withinReading(line: Read, stored: Read): Verdict {
  const mayBe =
    line.amount === stored.amount &&
    signOf(line.reference, stored.reference) === 'agrees' &&
    (line.day === stored.day || (line.text === stored.text && isNear(line.day, stored.day))) &&
    accountSign(line, stored) !== 'differs' &&
    signOf(line.payerWords, stored.payerWords) !== 'differs'
  return mayBe ? 'doubtful' : 'other'
}

type Compared = {
  readonly verdict: Verdict
  /** How many signs say that it is the same. */
  readonly agreeing: number
}

type Signs = {
  readonly reference: Sign
  readonly payer: Sign
  readonly text: Sign
  readonly agreeing: number
}

function signsOf(line: Read, stored: Read): Signs {
  const account = accountSign(line, stored)
  const payer = account === 'unknown' ? signOf(line.payerWords, stored.payerWords) : account
  const [reference, text] = [referenceSign(line, stored), textSign(line, stored)]
  return {
    reference,
    payer,
    text,
    agreeing: [reference, payer, text].filter((sign) => sign === 'agrees').length,
  }
}

/** Lines of one day and amount are the same where a sign says so and none contradicts. */
function onOneDay({ reference, payer, text, agreeing }: Signs): Verdict {
  if (reference === 'differs' && agreeing === 0) return 'other'
  return agreeing > 0 && ![reference, payer, text].includes('differs') ? 'same' : 'doubtful'
}

/** The column of a CSV may be another one, and a batch may be in a file as a whole and in parts. */
const mayHaveOtherAmount = ({ reading, batch }: Read): boolean =>
  batch !== null || reading === null || reading.startsWith('csv')

/** Lines of other readings. Another account is other money; a day nearby, or another amount of one reference, is a doubt. */
function acrossReadings(line: Read, stored: Read): Compared {
  const signs = signsOf(line, stored)
  const { reference, agreeing } = signs
  const as = (verdict: Verdict): Compared => ({ verdict, agreeing })
  const doubtIf = (mayBe: boolean) => as(mayBe && isNear(line.day, stored.day) ? 'doubtful' : 'other')
  if (accountSign(line, stored) === 'differs') return as('other')
  if (line.amount !== stored.amount)
    return doubtIf(reference === 'agrees' && [line, stored].some(mayHaveOtherAmount))
  if (line.day !== stored.day) return doubtIf(agreeing > (reference === 'differs' ? 1 : 0))
  return as(onOneDay(signs))
}

/** Compares a line with a stored one that does not say just the same. */
export function compare(line: Read, stored: StoredLine): Compared {
  if (line.currency !== stored.currency) return { verdict: 'other', agreeing: 0 }
  // Of a file that was read wrongly the day may be any.
  const mayBeItsDay = stored.misreadUntil !== null && line.day <= stored.misreadUntil
  if (mayBeItsDay && line.amount === stored.amount && referenceSign(line, stored) === 'agrees')
    return { verdict: 'doubtful', agreeing: 1 }
  const isOwn = line.iban === stored.iban
  if (isOwn && !stored.isTakenBack && stored.reading !== null && line.reading === stored.reading)
    return { verdict: withinReading(line, stored), agreeing: 0 }
  // An account whose number was corrected has the same lines as before.
  if (!isOwn && factsKey({ ...line, iban: stored.iban }) === factsKey(stored))
    return { verdict: 'doubtful', agreeing: 3 }
  const { verdict, agreeing } = acrossReadings(line, stored)
  if (verdict === 'same' && (stored.isTakenBack || !isOwn || isOtherPart(line, stored)))
    return { verdict: 'doubtful', agreeing }
  return { verdict: isOwn ? verdict : 'other', agreeing }
}

const isKnown = ({ opening, closing }: Part) => opening !== null && closing !== null

const moves = ({ opening, closing }: Part) => opening !== closing

/**
 * Whether one part of a statement begins with the balance with which the other ends, so that it has other money. Over several days an
 * account that is emptied each night comes back to one balance.
 */
export function isNext(line: Read, other: Read): boolean {
  const [one, two] = [line.balances, other.balances]
  const isChain = one.opening === two.closing || one.closing === two.opening
  const isCopy = one.opening === two.opening && one.closing === two.closing
  const isSure = (moves(one) && moves(two)) || (line.isOneDay && other.isOneDay)
  return isKnown(one) && isKnown(two) && isChain && !isCopy && isSure
}

/** Whether two parts are of different hours of one day by their balances, so that a line just alike may be another payment. */
export function isOtherPart(line: Read, other: Read): boolean {
  const [one, two] = [line.balances, other.balances]
  const isApart =
    line.isOneDay && other.isOneDay && one.opening !== two.opening && one.closing !== two.closing
  return isKnown(one) && isKnown(two) && (isApart || isNext(line, other))
}

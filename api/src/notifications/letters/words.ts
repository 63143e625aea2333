import { cardBrands } from '@portico/contract/rules/card-brands.ts'
import { sayable } from './clean.ts'
import type { Between, Letter, LetterKind, Sum, Where } from './letters.ts'

/** What the portal calls itself in letters. */
export const brand = 'Portico'

/** Pages of the portal that letters lead to without a secret. */
export const pages = {
  account: '/manage-account',
  copy: '/manage-account#export',
  signIn: '/login',
  dashboard: '/',
  reset: '/forgot-password',
  team: '/team-members',
  payment: '/payment',
  billing: '/billing',
  newCard: '/add-new-card',
  ticket: (id: number) => `/view-ticket/${id}`,
} as const

/** What a link is called, and its path in the portal. */
export type Link = { readonly label: string; readonly path: string }

/** What a letter says, before it is dressed as text or HTML. Nothing in it is escaped yet. */
export type Words = {
  readonly subject: string
  /** Paragraphs. Where it was done from, when the letter tells it, follows the first. */
  readonly say: readonly string[]
  readonly button: Link
  /** Paragraphs below the button. */
  readonly after: readonly string[]
  /** A second way out, below everything. */
  readonly other?: Link
}

export type LetterOf = { readonly [K in LetterKind]: Extract<Letter, { kind: K }> }

/** All that one language has to say. A letter without its words does not compile. */
export type Language = {
  readonly letters: { readonly [K in LetterKind]: (letter: LetterOf[K]) => Words }
  /** Without a name when there is none that can be said. */
  readonly greeting: (name: string | undefined) => string
  readonly where: (where: Where) => string
  readonly ifButtonFails: string
  /** Below the line; `host` is the portal's. `answered`: what is answered to the letter is read. */
  readonly footer: (host: string, answered: boolean) => string
}

/** A moment as a letter tells it: day, month in words, and the time in UTC, which holds wherever it is read. */
export function momentIn(locale: string): (at: string) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return (at) => `${format.format(new Date(at))} UTC`
}

/** A UTC day as a letter tells it, from ISO 8601. */
export function dayIn(locale: string): (day: string) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  return (day) => format.format(new Date(day))
}

/** An amount as it is written everywhere in the portal, whatever the language. */
export function moneyIn({ amount, currency }: Sum): string {
  // A decimal in a text is formatted as it is, but the types know that of literals alone.
  const exact = amount as `${number}`
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(exact)
}

/** "Visa ", to stand before how a card ends, or nothing for a brand that has no name. */
export function cardName(brand: string): string {
  const name = cardBrands[brand]
  return name === undefined ? '' : `${name} `
}

/** Whom a letter is about. A name that cannot be said, because it may advertise, is left out; the address was confirmed. */
export function person({ other, email }: Between): string {
  const name = sayable(other)
  return name === undefined ? email : `${name} (${email})`
}

/** The parts that are known, as one sentence without its full stop. */
export function sentence(...parts: (string | null)[]): string {
  const text = parts.filter((part) => part !== null).join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

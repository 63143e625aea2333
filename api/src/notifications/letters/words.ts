import { type AlertNoun, alertNoun } from '@portico/contract/rules/alert-topics.ts'
import { factInWords, factName } from '@portico/contract/rules/alert-words.ts'
import { cardBrands } from '@portico/contract/rules/money/card-brands.ts'
import { minorUnits } from '@portico/contract/rules/money/minor-units.ts'
import { sayable } from './clean.ts'
import type { Between, Letter, LetterKind, Sum, Where } from './letters.ts'

/** Stands for the name of the portal, which `render` puts in its place: a character that no keyboard has. */
export const brand = '\uE000'

/** Pages of the portal that letters link to without a secret. */
export const pages = {
  account: '/manage-account',
  notices: '/manage-account#staff-notices',
  requests: '/desk/requests',
  staff: '/desk/staff',
  copy: '/manage-account#export',
  signIn: '/login',
  dashboard: '/',
  reset: '/forgot-password',
  team: '/team-members',
  payment: '/payment',
  billing: '/billing',
  newCard: '/add-new-card',
  tickets: '/tickets',
  ticket: (id: number) => `/view-ticket/${id}`,
} as const

/** The label and the path of a link in the portal. */
export type Link = { readonly label: string; readonly path: string }

/** The text of a letter before it is formatted as text or HTML. Nothing in it is escaped yet. */
export type Words = {
  readonly subject: string
  /** Paragraphs. The origin, if the letter states it, follows the first. */
  readonly say: readonly string[]
  /** The link to the page that handles it; none where the portal has no such page. */
  readonly button?: Link
  /** Paragraphs below the button. */
  readonly after: readonly string[]
  /** A secondary link at the end. */
  readonly other?: Link
}

export type LetterOf = { readonly [K in LetterKind]: Extract<Letter, { kind: K }> }

/** All texts of a language. A letter without its text does not compile. */
export type Language = {
  readonly letters: { readonly [K in LetterKind]: (letter: LetterOf[K]) => Words }
  /** Without a name when there is none that is safe to use. */
  readonly greeting: (name: string | undefined) => string
  readonly where: (where: Where) => string
  readonly ifButtonFails: string
  /** The footer; `host` is the portal's. `answered`: replies are read. */
  readonly footer: (host: string, answered: boolean) => string
}

/**
 * Formats a moment for letters: day, month as a word, and the time in UTC, which is unambiguous everywhere.
 */
export function momentIn(locale: string): (at: string) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return (at) => `${format.format(new Date(at))} UTC`
}

/** Formats a UTC day for letters, from ISO 8601. */
export function dayIn(locale: string): (day: string) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  return (day) => format.format(new Date(day))
}

/** An amount in the portal's format, the same in every language. */
export function moneyIn({ amount, currency }: Sum): string {
  // A decimal in a text is formatted as it is, but the types only accept literals.
  const exact = amount as `${number}`
  const digits = minorUnits(currency)
  const shown = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat('en-US', { style: 'currency', currency, ...shown }).format(exact)
}

/** "Visa " to precede the card's last digits, or empty for an unknown brand. */
export function cardName(brand: string): string {
  const name = cardBrands[brand]
  return name === undefined ? '' : `${name} `
}

/** The person in a letter. A name that may advertise is left out; the address is confirmed. */
export function person({ other, email }: Between): string {
  const name = sayable(other)
  return name === undefined ? email : `${name} (${email})`
}

/** The person of an invitation with their company; undefined when the name may advertise. */
export function inviter({ other, company }: { other: string; company?: string | null }): string | undefined {
  const name = sayable(other)
  const firm = sayable(company ?? '')
  return name !== undefined && firm !== undefined ? `${name} (${firm})` : name
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The non-null parts as one sentence without its full stop. */
export function sentence(...parts: (string | null)[]): string {
  return capital(parts.filter((part) => part !== null).join(', '))
}

/** The subject of an alert in a language. */
export function aboutIn(nouns: Readonly<Record<AlertNoun, string>>, about: string): string {
  const known = alertNoun(about)
  return known ? `${nouns[known.noun]} ${known.name}`.trim() : about
}

/** The known facts of an alert, one line each, without internal ids. */
export const factsIn = (language: 'en' | 'ro', facts: readonly string[]): string[] =>
  facts.flatMap((fact) => {
    const [name = '', ...value] = fact.split(': ')
    const known = factName(name, language)
    if (known === undefined) return []
    const said = value.join(': ')
    return [`${known}: ${name === 'rules' ? factInWords(said.split(', '), name, language) : said}`]
  })

import type { checks } from './env-checks.ts'
import { isThisMachine } from './env-values.ts'

type Name = keyof typeof checks
type Source = Readonly<Record<string, string | undefined>>

/** The identity provider when no other is configured. */
export const googleIssuer = 'https://accounts.google.com'

// An empty value is how compose files and shells say that a variable is not set.
const textOf = (source: Source, name: Name): string => source[name]?.trim() ?? ''

/** Whether NODE_ENV says so, also where it was written in another way. */
export const isProduction = (text: string): boolean => /^prod(?:uction)?$/i.test(text)

const isElsewhere = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && !isThisMachine(url.hostname)
}

// Keys of an organization have one part more: `sk_org_live_`.
const isLiveKey = (text: string): boolean => /^[a-z]+(?:_org)?_live_/i.test(text)

const hasRealIssuer = (_: string, source: Source): boolean =>
  isElsewhere(textOf(source, 'GOOGLE_ISSUER') || googleIssuer)

/** The variables that only a portal for real people sets, and the values of each that say so. */
const signs: readonly (readonly [name: Name, isSign: (text: string, source: Source) => boolean])[] = [
  ['NODE_ENV', isProduction],
  ['PUBLIC_URL', isElsewhere],
  ['STRIPE_SECRET_KEY', isLiveKey],
  ['STRIPE_PUBLISHABLE_KEY', isLiveKey],
  ['SMTP_URL', isElsewhere],
  ['IMAP_URL', isElsewhere],
  ['S3_ENDPOINT', isElsewhere],
  ['GOOGLE_ISSUER', isElsewhere],
  ['GOOGLE_CLIENT_ID', hasRealIssuer],
  ['GOOGLE_CLIENT_SECRET', hasRealIssuer],
]

/** The variables by which this configuration is one for real people; none for a demo. */
export const productionSigns = (source: Source): Name[] =>
  signs.flatMap(([name, isSign]) => {
    const text = textOf(source, name)
    return text !== '' && isSign(text, source) ? [name] : []
  })

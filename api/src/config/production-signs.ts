import type { checks } from './env-checks.ts'
import { isThisMachine } from './env-values.ts'

type Name = keyof typeof checks
type Source = Readonly<Record<string, string | undefined>>

/** The default identity provider. */
export const googleIssuer = 'https://accounts.google.com'

// Compose files and shells use an empty value for an unset variable.
const textOf = (source: Source, name: Name): string => source[name]?.trim() ?? ''

/** Whether NODE_ENV means production, in any spelling. */
export const isProduction = (text: string): boolean => /^prod(?:uction)?$/i.test(text)

const isElsewhere = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && !isThisMachine(url.hostname)
}

// Keys of an organization have one more part: `sk_org_live_`.
const isLiveKey = (text: string): boolean => /^[a-z]+(?:_org)?_live_/i.test(text)

const hasRealIssuer = (_: string, source: Source): boolean =>
  isElsewhere(textOf(source, 'GOOGLE_ISSUER') || googleIssuer)

/** The variables that only a real portal sets, with a predicate on their values. */
const signs: readonly (readonly [name: Name, isSign: (text: string, source: Source) => boolean])[] = [
  ['NODE_ENV', isProduction],
  ['PUBLIC_URL', isElsewhere],
  ['STRIPE_SECRET_KEY', isLiveKey],
  ['STRIPE_PUBLISHABLE_KEY', isLiveKey],
  ['EFACTURA_ENV', (text) => text === 'prod'],
  ['SMTP_URL', isElsewhere],
  ['IMAP_URL', isElsewhere],
  ['S3_ENDPOINT', isElsewhere],
  ['GOOGLE_ISSUER', isElsewhere],
  ['GOOGLE_CLIENT_ID', hasRealIssuer],
  ['GOOGLE_CLIENT_SECRET', hasRealIssuer],
]

/** The variables that mark this configuration as a real portal; none for a demo. */
export const productionSigns = (source: Source): Name[] =>
  signs.flatMap(([name, isSign]) => {
    const text = textOf(source, name)
    return text !== '' && isSign(text, source) ? [name] : []
  })

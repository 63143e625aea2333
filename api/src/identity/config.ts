import { linkLifetimes } from '@portico/contract/rules/link-lifetimes.ts'
import { dayMs, hourMs, minuteMs } from '@portico/contract/time.ts'
import { getDomain } from 'tldts'
import type { Env } from '#config/env.ts'
import { recentMs } from '#platform/recent-sign-in.ts'

const seconds = 1000

/** How long everything lives, in milliseconds; docs/decisions/0006-tokens.md says why. */
export const lifetimes = {
  accessToken: 10 * minuteMs,
  /** A session that is not refreshed for this long ends. */
  idle: 1 * dayMs,
  /** A session ends after this long, however busy it is. */
  absolute: 30 * dayMs,
  /** Between the answer to a sign-in and the callback. */
  code: 60 * seconds,
  /** Between the first step of a sign-in and the second. */
  challenge: 5 * minuteMs,
  /** After signing in, changing how one signs in needs no further proof for this long. */
  recent: recentMs,
  verifyEmail: linkLifetimes.verifyEmail * hourMs,
  resetPassword: linkLifetimes.resetPassword * minuteMs,
  confirmEmail: linkLifetimes.confirmEmail * hourMs,
  undoEmail: linkLifetimes.undoEmail * hourMs,
  /** What was added to sign in with for this long before an address was changed goes when that is undone. */
  beforeUndone: linkLifetimes.beforeUndone * hourMs,
  /** As long as the link that it waits for. */
  registration: linkLifetimes.verifyEmail * hourMs,
  /** The cookie that a code is bound to. */
  signInCookie: 10 * minuteMs,
  /** Between going to Google and coming back. */
  elsewhere: 10 * minuteMs,
  /** For this long the refresh token that was just used answers its successor again: another tab, a lost answer. */
  refreshGrace: 10 * seconds,
  /** How often a session's "last seen", and when a key was last used, is written at most. */
  lastSeen: 1 * minuteMs,
  usedRefreshToken: 1 * dayMs,
  deadSession: 30 * dayMs,
  /** A browser in which nobody signed in for this long is as good as unknown. */
  device: 365 * dayMs,
  securityEvent: 365 * dayMs,
  /** Links that were followed or have expired are told so for this long. */
  deadLink: 7 * dayMs,
  /** An account that nobody confirmed is deleted this long after it was registered last. */
  unconfirmed: linkLifetimes.unconfirmed * dayMs,
  quietThrottle: 1 * dayMs,
} as const

/** How often something may be tried before it is blocked. */
export type Limit = {
  readonly name: string
  readonly tries: number
  readonly window: number
  /** How long the first block lasts; each further one lasts twice as long, up to `longestBlock`. */
  readonly block: number
  /** The longest block; 1 hour by default. */
  readonly longest?: number
  /** How many tries are given after a block before the next; 1 by default. */
  readonly again?: number
}

export const longestBlock = 1 * hourMs

/** Wrong passwords and codes; the general rate limits of the server are others, and their scale does not touch these. */
export const limits = {
  account: { name: 'password:account', tries: 10, window: 15 * minuteMs, block: 1 * minuteMs },
  address: { name: 'password:address', tries: 50, window: 15 * minuteMs, block: 1 * minuteMs },
  /** Of one account in one browser that was signed in to it before; the other three do not count there. */
  device: { name: 'password:device', tries: 10, window: 15 * minuteMs, block: 1 * minuteMs },
  /**
   * Of all accounts, from everywhere: many addresses that each try a few. A minute's share of the tries is given again after
   * each minute, so that a flood is thinned without shutting everybody else out for longer.
   */
  everywhere: {
    name: 'password:everywhere',
    tries: 2000,
    window: 15 * minuteMs,
    block: 1 * minuteMs,
    longest: 1 * minuteMs,
    again: 133,
  },
  /** The password that somebody signed in gives to change it. */
  current: { name: 'password:current', tries: 10, window: 15 * minuteMs, block: 1 * minuteMs },
  /** Codes of an authenticator app and recovery codes together, of one account. */
  secondFactor: { name: 'second-factor', tries: 5, window: 15 * minuteMs, block: 5 * minuteMs },
  /** Answers of passkeys that were refused, from one address. */
  passkey: { name: 'passkey:address', tries: 20, window: 15 * minuteMs, block: 1 * minuteMs },
  /** Sign-ins with Google that are begun from one address; a whole office may have one, so a flood is only thinned. */
  elsewhere: {
    name: 'elsewhere:address',
    tries: 100,
    window: 15 * minuteMs,
    block: 1 * minuteMs,
    longest: 1 * minuteMs,
    again: 10,
  },
} as const satisfies Record<string, Limit>

/** Somebody else who vouches for people, by OpenID Connect. */
export type Provider = {
  readonly name: 'google'
  /** As people know it. */
  readonly label: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** How often something may happen in a time that begins when it first happens. */
export type Allowance = Pick<Limit, 'name' | 'tries' | 'window'>

/**
 * Letters that strangers can cause, and what asks for them. Whoever asks for more is answered as ever, and nothing is sent;
 * only `network` is told, because it says nothing of any address.
 */
export const letterLimits = {
  /** Registrations, resets and confirmations that are asked for from one address. */
  network: { name: 'letters:network', tries: 60, window: 1 * hourMs },
  /** The same for the whole installation: a flood from many addresses must not make it a sender of junk. */
  everywhere: { name: 'letters:everywhere', tries: 1000, window: 1 * hourMs },
  minute: { name: 'letters:minute', tries: 1, window: 1 * minuteMs },
  hour: { name: 'letters:hour', tries: 3, window: 1 * hourMs },
  /** Addresses that somebody signed in asks to change to. */
  changes: { name: 'letters:changes', tries: 10, window: 1 * hourMs },
  newDevice: { name: 'letters:new-device', tries: 5, window: 1 * dayMs },
} as const satisfies Record<string, Allowance>

/** What identity needs to know of the installation. */
export type IdentityConfig = {
  /** Who issues the tokens. */
  readonly issuer: string
  /** Whom the tokens are for; staff will have another. */
  readonly audience: string
  readonly secureCookies: boolean
  /** Undefined: cookies return to the host that set them only. */
  readonly cookieDomain: string | undefined
  /** Whether the accounts of the demo are told to whoever asks. */
  readonly demo: boolean
  /** Undefined: signing in with Google is not offered. */
  readonly google: Provider | undefined
  /** Asked by browsers for the country of their address; null when nobody is. */
  readonly countryLookup: string | null
}

/**
 * The domain that the token cookies are shared across: the parent of the portal's host, unless browsers would refuse it
 * because everybody can register below it (`co.uk`), or because the host is an address or a bare name.
 */
function parentDomain(host: string): string | undefined {
  const registrable = getDomain(host, { allowPrivateDomains: true })
  if (registrable === null) return undefined
  return host === registrable ? host : host.slice(host.indexOf('.') + 1)
}

function googleOf({ googleIssuer, googleClientId, googleClientSecret }: IdentityEnv): Provider | undefined {
  if (!(googleIssuer && googleClientId && googleClientSecret)) return undefined
  return {
    name: 'google',
    label: 'Google',
    issuer: googleIssuer,
    clientId: googleClientId,
    clientSecret: googleClientSecret,
  }
}

/** What of the configuration matters here; what is optional is left out by a test. */
export type IdentityEnv = Pick<Env, 'publicUrl' | 'seed'> &
  Partial<Pick<Env, 'googleIssuer' | 'googleClientId' | 'googleClientSecret' | 'countryLookupUrl'>>

export function identityConfig(env: IdentityEnv): IdentityConfig {
  const url = new URL(env.publicUrl)
  return {
    issuer: url.origin,
    audience: 'portico-api',
    secureCookies: url.protocol === 'https:',
    cookieDomain: parentDomain(url.hostname),
    demo: env.seed === 'demo',
    google: googleOf(env),
    countryLookup: env.countryLookupUrl ?? null,
  }
}

import { linkLifetimes } from '@portico/contract/rules/link-lifetimes.ts'
import { dayMs, hourMs, minuteMs } from '@portico/contract/time.ts'
import { getDomain } from 'tldts'
import type { Env } from '#config/env.ts'
import { deskOpenTo, type Trust } from '#platform/http/trust.ts'
import { recentMs } from '#platform/recent-sign-in.ts'

const seconds = 1000

/** Lifetimes in milliseconds; docs/decisions/0006-tokens.md gives the reasons. */
export const lifetimes = {
  accessToken: 10 * minuteMs,
  /** The idle timeout of a session. */
  idle: 1 * dayMs,
  /** The absolute timeout of a session. */
  absolute: 30 * dayMs,
  /** Those of staff, whose sessions open the data of all clients. */
  staffIdle: 2 * hourMs,
  staffAbsolute: 12 * hourMs,
  /** Between the response to a sign-in and the callback. */
  code: 60 * seconds,
  /** Between the first and the second step of a sign-in. */
  challenge: 5 * minuteMs,
  /** After signing in, changes to sign-in methods need no further proof for this long. */
  recent: recentMs,
  verifyEmail: linkLifetimes.verifyEmail * hourMs,
  resetPassword: linkLifetimes.resetPassword * minuteMs,
  confirmEmail: linkLifetimes.confirmEmail * hourMs,
  undoEmail: linkLifetimes.undoEmail * hourMs,
  staffInvitation: linkLifetimes.staffInvitation * hourMs,
  /** The link of a new portal for its first administrator. */
  setupLink: 1 * dayMs,
  /** Undoing an address change also removes sign-in methods that were added up to this long before it. */
  beforeUndone: linkLifetimes.beforeUndone * hourMs,
  /** As long as the confirmation link. */
  registration: linkLifetimes.verifyEmail * hourMs,
  /** The cookie that binds a code to the browser. */
  signInCookie: 10 * minuteMs,
  /** Between redirecting to Google and the return. */
  elsewhere: 10 * minuteMs,
  /** For this long a just-used refresh token returns its successor again: another tab, or a lost response. */
  refreshGrace: 10 * seconds,
  /** The minimum interval for updating the last use of a session or key. */
  lastSeen: 1 * minuteMs,
  usedRefreshToken: 1 * dayMs,
  deadSession: 30 * dayMs,
  /** A browser without a sign-in for this long counts as unknown. */
  device: 365 * dayMs,
  securityEvent: 365 * dayMs,
  /** Used or expired links are reported as such for this long. */
  deadLink: 7 * dayMs,
  /** An unconfirmed account is deleted this long after its last registration. */
  unconfirmed: linkLifetimes.unconfirmed * dayMs,
  quietThrottle: 1 * dayMs,
} as const

/** A limit of attempts with a block after it. */
export type Limit = {
  readonly name: string
  readonly tries: number
  readonly window: number
  /** The duration of the first block; each further one is twice as long, up to `longest`. */
  readonly block: number
  /** The longest block; 1 hour by default. */
  readonly longest?: number
  /** The number of attempts after a block before the next; 1 by default. */
  readonly again?: number
}

export const longestBlock = 1 * hourMs

/** Limits on wrong passwords and codes; independent of the server's general rate limits and their scale. */
export const limits = {
  account: { name: 'password:account', tries: 10, window: 15 * minuteMs, block: 1 * minuteMs },
  address: { name: 'password:address', tries: 50, window: 15 * minuteMs, block: 1 * minuteMs },
  /** Per account and known browser; the other three limits do not apply there. */
  device: { name: 'password:device', tries: 10, window: 15 * minuteMs, block: 1 * minuteMs },
  /**
   * For all accounts from all addresses, against distributed guessing. A minute's share of the attempts is
   * restored after each minute, which slows a flood without locking everybody out for longer.
   */
  everywhere: {
    name: 'password:everywhere',
    tries: 2000,
    window: 15 * minuteMs,
    block: 1 * minuteMs,
    longest: 1 * minuteMs,
    again: 133,
  },
  /** The current password, entered by a signed-in person to change it. */
  current: { name: 'password:current', tries: 10, window: 15 * minuteMs, block: 1 * minuteMs },
  /** Authenticator codes and recovery codes together, per account. */
  secondFactor: { name: 'second-factor', tries: 5, window: 15 * minuteMs, block: 5 * minuteMs },
  /** Unknown links of a new portal, per address. */
  setupLink: { name: 'setup-link:address', tries: 10, window: 15 * minuteMs, block: 1 * minuteMs },
  /** Rejected passkey responses, per address. */
  passkey: { name: 'passkey:address', tries: 20, window: 15 * minuteMs, block: 1 * minuteMs },
  /** Sign-ins with Google begun from one address; a whole office may share one, so the block is short. */
  elsewhere: {
    name: 'elsewhere:address',
    tries: 100,
    window: 15 * minuteMs,
    block: 1 * minuteMs,
    longest: 1 * minuteMs,
    again: 10,
  },
} as const satisfies Record<string, Limit>

/** An external OpenID Connect provider. */
export type Provider = {
  readonly name: 'google'
  /** The display name. */
  readonly label: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** A limit of events within a window that begins with the first one. */
export type Allowance = Pick<Limit, 'name' | 'tries' | 'window'>

/**
 * Limits on letters that strangers can trigger. Beyond them the response is the same, but nothing is sent;
 * only `network` is reported, because it discloses nothing about an address.
 */
export const letterLimits = {
  /** Registrations, resets and confirmations requested from one address. */
  network: { name: 'letters:network', tries: 60, window: 1 * hourMs },
  /** The same for the whole installation: a distributed flood must not turn it into a spam source. */
  everywhere: { name: 'letters:everywhere', tries: 1000, window: 1 * hourMs },
  minute: { name: 'letters:minute', tries: 1, window: 1 * minuteMs },
  hour: { name: 'letters:hour', tries: 3, window: 1 * hourMs },
  /** Address changes requested by a signed-in person. */
  changes: { name: 'letters:changes', tries: 10, window: 1 * hourMs },
  newDevice: { name: 'letters:new-device', tries: 5, window: 1 * dayMs },
} as const satisfies Record<string, Allowance>

/** The configuration of identity. */
export type IdentityConfig = {
  /** The issuer of the tokens. */
  readonly issuer: string
  /** The audience of the tokens. */
  readonly audience: string
  readonly secureCookies: boolean
  /** Undefined: cookies return only to the host that set them. */
  readonly cookieDomain: string | undefined
  /** Whether the demo accounts are listed publicly. */
  readonly demo: boolean
  /** Whether a mail server is set; the letters of a demo are on its outbox page. */
  readonly sendsMail: boolean
  /** Undefined: sign-in with Google is disabled. */
  readonly google: Provider | undefined
  /** The service that browsers ask for the country of their address; null for none. */
  readonly countryLookup: string | null
  /** Whether sessions of staff are accepted from an address. */
  readonly deskOpenTo: Trust
}

/**
 * The domain for the token cookies: the parent of the portal's host, unless browsers would refuse it as a
 * public suffix (`co.uk`), or the host is an address or a bare name.
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

/** The relevant part of the configuration; tests leave out the optional parts. */
export type IdentityEnv = Pick<Env, 'publicUrl' | 'seed'> &
  Partial<
    Pick<
      Env,
      | 'smtpUrl'
      | 'googleIssuer'
      | 'googleClientId'
      | 'googleClientSecret'
      | 'countryLookupUrl'
      | 'deskNetworks'
    >
  >

export function identityConfig(env: IdentityEnv): IdentityConfig {
  const url = new URL(env.publicUrl)
  return {
    issuer: url.origin,
    audience: 'portico-api',
    secureCookies: url.protocol === 'https:',
    cookieDomain: parentDomain(url.hostname),
    demo: env.seed === 'demo',
    sendsMail: env.seed === 'demo' || env.smtpUrl !== undefined,
    google: googleOf(env),
    countryLookup: env.countryLookupUrl ?? null,
    deskOpenTo: deskOpenTo(env.deskNetworks),
  }
}

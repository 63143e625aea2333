import type { FastifyBaseLogger } from 'fastify'
import type * as openid from 'openid-client'
import * as z from 'zod/mini'
import type { Provider } from '#identity/config.ts'
import { unauthenticated } from '#identity/sessions/refusal.ts'
import { type Problem, reason, refuse } from '#platform/errors/problem.ts'

/** What a provider said of a person, in an ID token that was checked. */
export type Vouched = {
  readonly issuer: string
  /** Names the person at the issuer, for ever; an e-mail address may change hands. */
  readonly subject: string
  /** Undefined unless the issuer says that it is the person's. */
  readonly email: string | undefined
  readonly firstName: string | undefined
  readonly lastName: string | undefined
}

/** What only we know of a sign-in elsewhere, kept until it comes back. */
export type Secrets = { readonly verifier: string; readonly nonce: string }

/** What the provider sent back through the browser. */
export type Returned = {
  readonly code?: string | undefined
  readonly state?: string | undefined
  readonly iss?: string | undefined
  readonly error?: string | undefined
}

const optionalText = z.catch(z.optional(z.string()), undefined)
const claimsOf = z.object({
  iss: z.string(),
  // As OpenID Connect Core 1.0 says of it, section 2.
  sub: z.string().check(z.regex(/^[\x20-\x7e]{1,255}$/)),
  email: z.catch(z.optional(z.email().check(z.maxLength(254))), undefined),
  email_verified: z.optional(z.unknown()),
  given_name: optionalText,
  family_name: optionalText,
})

/** Said of everything that does not add up, so that whoever tries learns nothing of how far they came. */
export const notSignedIn = () => unauthenticated(reason('external_sign_in_incomplete'))

const timeoutSeconds = 10

// Faults of the provider, or of what it knows of us: whoever signs in can do nothing about them.
const outages = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
  'invalid_client',
  'unauthorized_client',
  'server_error',
  'temporarily_unavailable',
])

/** The codes of an error and of what caused it. Never its texts: they may quote what the browser brought. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const own = ['code', 'error'].map(
    (name): unknown => Object.entries(error).find(([key]) => key === name)?.[1],
  )
  const known = own.filter((one): one is string => typeof one === 'string' && /^\w{1,60}$/.test(one))
  return [...known, ...codesOf(error.cause)]
}

const isOutage = (error: Error, codes: readonly string[]) =>
  codes.some((code) => outages.has(code)) ||
  // What `fetch` says when nobody answers; the library's own complaints of our arguments have no cause.
  (error instanceof TypeError && error.cause !== undefined)

/** The portal as a client of one OpenID Connect provider: the code flow with PKCE, state and nonce, every signature checked. */
export class RelyingParty {
  readonly provider: Provider
  readonly #redirectUri: string
  readonly #log: FastifyBaseLogger
  readonly #timeout: number
  #connected: Promise<{ library: typeof openid; configuration: openid.Configuration }> | undefined

  constructor(provider: Provider, redirectUri: string, log: FastifyBaseLogger, timeout = timeoutSeconds) {
    this.provider = provider
    this.#redirectUri = redirectUri
    this.#log = log
    this.#timeout = timeout
  }

  /** Asks the provider what it offers, when that is first needed; after a failure, when it is needed again. */
  #connect() {
    this.#connected ??= this.#discover().catch((error: unknown) => {
      this.#connected = undefined
      throw this.#outage(error)
    })
    return this.#connected
  }

  async #discover() {
    // Few installations need it in every process, and it is not small.
    const library = await import('openid-client')
    const { issuer, clientId, clientSecret } = this.provider
    const url = new URL(issuer)
    const metadata = { client_secret: clientSecret, id_token_signed_response_alg: 'RS256' }
    const configuration = await library.discovery(url, clientId, metadata, undefined, {
      timeout: this.#timeout,
      execute: [
        // Without this the library trusts TLS alone, and looks at no signature.
        library.enableNonRepudiationChecks,
        // Only an issuer on this machine can be configured so.
        ...(url.protocol === 'http:' ? [library.allowInsecureRequests] : []),
      ],
    })
    return { library, configuration }
  }

  /**
   * Begins a sign-in: what is to be kept until the browser comes back, and where it is to go, with the state that it is to
   * bring back. Throws `provider_unreachable` when the provider cannot be reached.
   */
  async begin(): Promise<{ secrets: Secrets; url: (state: string) => string }> {
    const { library, configuration } = await this.#connect()
    const secrets = { verifier: library.randomPKCECodeVerifier(), nonce: library.randomNonce() }
    const parameters = {
      redirect_uri: this.#redirectUri,
      scope: 'openid email profile',
      prompt: 'select_account',
      nonce: secrets.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    }
    return {
      secrets,
      url: (state) => library.buildAuthorizationUrl(configuration, { ...parameters, state }).href,
    }
  }

  /**
   * Ends a sign-in: exchanges what came back for what the provider says of the person. Throws
   * `external_sign_in_incomplete` when anything is not as it must be, `provider_unreachable` when the provider cannot be reached.
   */
  async vouched(returned: Returned, state: string, { verifier, nonce }: Secrets): Promise<Vouched> {
    const address = new URL(this.#redirectUri)
    for (const [name, value] of Object.entries(returned)) if (value) address.searchParams.set(name, value)
    const { library, configuration } = await this.#connect()
    const checks = {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    }
    const tokens = await library
      .authorizationCodeGrant(configuration, address, checks)
      .catch((error: unknown) => {
        throw this.#refused(error)
      })
    const { success, data } = z.safeParse(claimsOf, tokens.claims())
    if (!success) throw notSignedIn()
    return {
      issuer: data.iss,
      subject: data.sub,
      email: data.email_verified === true ? data.email : undefined,
      firstName: data.given_name,
      lastName: data.family_name,
    }
  }

  #refused(error: unknown): unknown {
    const codes = codesOf(error)
    const { name, label } = this.provider
    if (error instanceof Error && isOutage(error, codes)) return this.#outage(error)
    // Not of the library's making: a bug.
    if (codes.length === 0) return error
    if (codes.includes('access_denied'))
      return unauthenticated(reason('external_sign_in_declined', { provider: label }))
    this.#log.info({ provider: name, codes }, 'a sign-in elsewhere was refused')
    return notSignedIn()
  }

  #outage(error: unknown): Problem {
    const { name, issuer } = this.provider
    this.#log.warn({ provider: name, issuer, codes: codesOf(error) }, 'a sign-in elsewhere was not possible')
    return this.unavailable()
  }

  /** What people are told while the provider cannot be reached. */
  unavailable(): Problem {
    return refuse(
      'provider_unreachable',
      { provider: this.provider.label },
      { headers: { 'retry-after': '30' } },
    )
  }
}

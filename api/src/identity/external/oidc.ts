import type { FastifyBaseLogger } from 'fastify'
import type * as openid from 'openid-client'
import * as z from 'zod/mini'
import type { Provider } from '#identity/config.ts'
import { unauthenticated } from '#identity/sessions/refusal.ts'
import { type Problem, reason, refuse } from '#platform/errors/problem.ts'

/** The claims of a verified ID token. */
export type Vouched = {
  readonly issuer: string
  /** The person's permanent id at the issuer; an e-mail address may change owners. */
  readonly subject: string
  /** Undefined unless the issuer has verified it. */
  readonly email: string | undefined
  readonly firstName: string | undefined
  readonly lastName: string | undefined
}

/** The secrets of an external sign-in, stored until the return. */
export type Secrets = { readonly verifier: string; readonly nonce: string }

/** The parameters that the provider returned through the browser. */
export type Returned = {
  readonly code?: string | undefined
  readonly state?: string | undefined
  readonly iss?: string | undefined
  readonly error?: string | undefined
}

const optionalText = z.catch(z.optional(z.string()), undefined)
const claimsOf = z.object({
  iss: z.string(),
  // The limits of OpenID Connect Core 1.0, section 2.
  sub: z.string().check(z.regex(/^[\x20-\x7e]{1,255}$/)),
  email: z.catch(z.optional(z.email().check(z.maxLength(254))), undefined),
  email_verified: z.optional(z.unknown()),
  given_name: optionalText,
  family_name: optionalText,
})

/** One refusal for every inconsistency, so that an attacker learns nothing about their progress. */
export const notSignedIn = () => unauthenticated(reason('external_sign_in_incomplete'))

const timeoutSeconds = 10

// Faults of the provider or of its configuration, which the person cannot fix.
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

/** The codes of an error and its causes. Never their messages: they may quote input from the browser. */
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
  // `fetch` reports network errors this way; the library's own argument errors have no cause.
  (error instanceof TypeError && error.cause !== undefined)

/**
 * The portal as a client of one OpenID Connect provider: the code flow with PKCE, state and nonce, and
 * verified signatures.
 */
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

  /** Runs discovery on first use; after a failure, on the next use. */
  #connect() {
    this.#connected ??= this.#discover().catch((error: unknown) => {
      this.#connected = undefined
      throw this.#outage(error)
    })
    return this.#connected
  }

  async #discover() {
    // Loaded on use: it is not small, and few installations need it.
    const library = await import('openid-client')
    const { issuer, clientId, clientSecret } = this.provider
    const url = new URL(issuer)
    const metadata = { client_secret: clientSecret, id_token_signed_response_alg: 'RS256' }
    const configuration = await library.discovery(url, clientId, metadata, undefined, {
      timeout: this.#timeout,
      execute: [
        // Without this the library relies on TLS alone and does not verify signatures.
        library.enableNonRepudiationChecks,
        // The configuration allows http only for an issuer on this machine.
        ...(url.protocol === 'http:' ? [library.allowInsecureRequests] : []),
      ],
    })
    return { library, configuration }
  }

  /**
   * Starts a sign-in: the secrets to store until the browser returns, and the address to redirect to for a
   * given state. Throws `provider_unreachable`.
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
   * Completes a sign-in: exchanges the returned code for the provider's claims. Throws
   * `external_sign_in_incomplete` for any mismatch, `provider_unreachable` when the provider cannot be
   * reached.
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
    // An error without a library code is a bug.
    if (codes.length === 0) return error
    if (codes.includes('access_denied'))
      return unauthenticated(reason('external_sign_in_declined', { provider: label }))
    this.#log.info({ provider: name, codes }, 'an external sign-in was refused')
    return notSignedIn()
  }

  #outage(error: unknown): Problem {
    const { name, issuer } = this.provider
    this.#log.warn({ provider: name, issuer, codes: codesOf(error) }, 'an external sign-in failed')
    return this.unavailable()
  }

  /** The failure while the provider cannot be reached. */
  unavailable(): Problem {
    return refuse(
      'provider_unreachable',
      { provider: this.provider.label },
      { headers: { 'retry-after': '30' } },
    )
  }
}

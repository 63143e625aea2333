import { type KeyObject, randomUUID } from 'node:crypto'
import { errors, type JWTHeaderParameters, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod/mini'
import { type IdentityConfig, lifetimes } from '#identity/config.ts'
import type { Deps } from '#identity/deps.ts'
import type { Clock } from '#platform/clock.ts'
import type { Opened } from './sessions.ts'
import type { Keys } from './signing-keys.ts'

const type = 'at+jwt'
const algorithm = 'HS256'

const payload = z.object({ sub: z.uuid(), sid: z.uuid(), amr: z.array(z.string()), exp: z.int() })

/** The claims of a verified access token. */
export type Claims = {
  readonly accountId: string
  readonly sessionId: string
  /** In milliseconds. */
  readonly expires: number
}

// Enough for all concurrently active people; at about 600 bytes each, a few megabytes.
const mostRemembered = 5000

/** Signs and verifies access tokens. A valid signature is cached; the expiry is always checked. */
export class AccessTokens {
  readonly #keys: Keys
  readonly #config: IdentityConfig
  readonly #clock: Clock
  readonly #verified = new Map<string, Claims>()
  readonly #room: number

  constructor({ keys, config, clock }: Pick<Deps, 'keys' | 'config' | 'clock'>, room = mostRemembered) {
    this.#room = room
    this.#keys = keys
    this.#config = config
    this.#clock = clock
  }

  /** An access token of a session, valid for ten minutes. */
  async sign({ accountId, sessionId, amr }: Omit<Opened, 'refreshToken'>): Promise<string> {
    const seconds = Math.floor(this.#clock.now().getTime() / 1000)
    return (
      new SignJWT({ sid: sessionId, amr: [...amr] })
        .setProtectedHeader({ alg: algorithm, typ: type, kid: this.#keys[0].id })
        .setIssuer(this.#config.issuer)
        .setAudience(this.#config.audience)
        .setSubject(accountId)
        // Two tabs compare tokens to learn whether the other has renewed it, so no two are equal.
        .setJti(randomUUID())
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + lifetimes.accessToken / 1000)
        .sign(this.#keys[0].accessToken)
    )
  }

  /** The claims of a token; undefined when it is not ours, was altered, or has expired. */
  claims(token: string): Claims | undefined | Promise<Claims | undefined> {
    const now = this.#clock.now()
    const known = this.#verified.get(token)
    if (known === undefined) return this.#verify(token, now)
    if (known.expires > now.getTime()) return known
    this.#verified.delete(token)
    return undefined
  }

  async #verify(token: string, currentDate: Date): Promise<Claims | undefined> {
    if (!isCanonical(token)) return undefined
    try {
      const verified = await jwtVerify(token, (header) => this.#keyFor(header), {
        algorithms: [algorithm],
        typ: type,
        issuer: this.#config.issuer,
        audience: this.#config.audience,
        currentDate,
      })
      const { sub, sid, exp } = payload.parse(verified.payload)
      const claims = { accountId: sub, sessionId: sid, expires: exp * 1000 }
      this.#remember(token, claims)
      return claims
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof z.core.$ZodError) return undefined
      throw error
    }
  }

  #keyFor(header: JWTHeaderParameters): KeyObject {
    const key = this.#keys.find(({ id }) => id === header.kid)
    if (key === undefined) throw new errors.JWSInvalid('signed with an unknown key')
    return key.accessToken
  }

  #remember(token: string, claims: Claims): void {
    if (this.#verified.size >= this.#room) {
      // A Map keeps insertion order, so the oldest token is the next to expire.
      for (const oldest of this.#verified.keys()) {
        this.#verified.delete(oldest)
        break
      }
    }
    this.#verified.set(token, claims)
  }
}

/**
 * Whether the signature has its canonical encoding. The last character of a base64url text carries bits that
 * decoders ignore, so four spellings of one token would otherwise be valid.
 */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}

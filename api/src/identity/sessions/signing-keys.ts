import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { CannotStart } from '#config/env.ts'
import { shortestKey } from '#config/env-checks.ts'

/** The keys that follow from one secret, each for one use. */
export type Key = {
  /** Names the secret in a token's header without telling it. */
  readonly id: string
  readonly accessToken: KeyObject
  readonly refreshToken: Buffer
  readonly throttle: Buffer
}

/** The first key signs; all verify. */
export type Keys = readonly [Key, ...Key[]]

function derive(secret: string, use: string, bytes = 32): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `portico ${use}`, bytes))
}

function keyOf(secret: string): Key {
  if (secret.length < shortestKey)
    throw new CannotStart(
      `TOKEN_SECRET: each of its parts, which commas separate, needs at least ${shortestKey} characters.`,
    )
  return {
    id: derive(secret, 'key id', 6).toString('base64url'),
    accessToken: createSecretKey(derive(secret, 'access token')),
    refreshToken: derive(secret, 'refresh token'),
    throttle: derive(secret, 'throttle'),
  }
}

/**
 * The key ring of a token secret. To change the secret without signing anybody out, put the new one behind the old one,
 * separated by a comma, until every replica knows both, and then in front of it; an hour later nothing of the old one is left
 * (`reseal`), and it can go. A replica that does not know the secret another one signs with would take its tokens for forged.
 */
export function keyRing(tokenSecret: string): Keys {
  const [first = '', ...others] = tokenSecret.split(',').map((part) => part.trim())
  return [keyOf(first), ...others.map(keyOf)]
}

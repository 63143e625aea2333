import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { CannotStart } from '#config/env.ts'
import { shortestKey } from '#config/env-checks.ts'

/** A key derived from a token secret, for one use. */
export type Key = {
  /** Identifies the secret in a token's header without revealing it. */
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
    throw new CannotStart(`TOKEN_SECRET: each comma-separated part needs at least ${shortestKey} characters.`)
  return {
    id: derive(secret, 'key id', 6).toString('base64url'),
    accessToken: createSecretKey(derive(secret, 'access token')),
    refreshToken: derive(secret, 'refresh token'),
    throttle: derive(secret, 'throttle'),
  }
}

/**
 * The key ring of a token secret. To rotate the secret without signing anybody out, append the new one to the
 * old one with a comma until every replica knows both, then put it first; an hour later nothing depends on
 * the old one (`reseal`), and it can be removed. A replica that does not know another one's signing secret
 * would reject its tokens as forged.
 */
export function keyRing(tokenSecret: string): Keys {
  const [first = '', ...others] = tokenSecret.split(',').map((part) => part.trim())
  return [keyOf(first), ...others.map(keyOf)]
}

import type { Keys } from '#identity/sessions/signing-keys.ts'
import type { Clock } from '#platform/clock.ts'
import type { Pool } from '#platform/db/pool.ts'
import type { Vault } from '#platform/vault.ts'
import type { IdentityConfig } from './config.ts'

/** The dependencies of identity. */
export type Deps = {
  readonly pool: Pool
  readonly clock: Clock
  readonly keys: Keys
  readonly vault: Vault
  readonly config: IdentityConfig
  /** The portal's name in authenticator apps and for passkeys. */
  readonly brandName: () => string
}

/** The origin of a request, as stored with a session. */
export type Origin = {
  readonly ip: string
  readonly userAgent: string | undefined
  /** The value of its device cookie. */
  readonly device?: string | undefined
  /** True for a program, which is no browser. */
  readonly program?: boolean
}

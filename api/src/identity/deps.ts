import type { Keys } from '#identity/sessions/signing-keys.ts'
import type { Clock } from '#platform/clock.ts'
import type { Pool } from '#platform/db/pool.ts'
import type { Vault } from '#platform/vault.ts'
import type { IdentityConfig } from './config.ts'

/** What every part of identity works with. */
export type Deps = {
  readonly pool: Pool
  readonly clock: Clock
  readonly keys: Keys
  readonly vault: Vault
  readonly config: IdentityConfig
}

/** Where a request came from, as it is kept with a session. */
export type Origin = {
  readonly ip: string
  readonly userAgent: string | undefined
  /** What its device cookie holds. */
  readonly device?: string | undefined
  /** A program, and no browser. */
  readonly program?: boolean
}

import type { Selectable } from 'kysely'
import type { Database } from './pool.ts'
import type { DB } from './types.ts'
import type { Vault } from './vault.ts'

/** What a grant can open of somebody else's account; an owner has all of them on their own. */
export type Capability = 'billing' | 'tickets' | 'my_workspaces'

/** Who is asking, read anew for each request. */
export type Actor = {
  readonly kind: 'client'
  /** clients.id */
  readonly id: number
  /** auth_accounts.id */
  readonly accountId: string
  readonly sessionId: string
  readonly emailVerified: boolean
  /** The accounts whose resources of a kind the actor reaches, the own one first. */
  readonly owners: (capability: Capability) => readonly number[]
}

/** What a verb is handed: the transaction it works in, who asks and from where, the one clock's time, and where secrets are sealed. */
export type Context = {
  readonly tx: Database
  readonly actor: Actor
  /** As a column of type `inet` holds it; null when it is not known. */
  readonly ip: string | null
  readonly now: Date
  readonly vault: Vault
}

/** A whole row of a table or view, as it is read. */
export type RowOf<T extends keyof DB> = Selectable<DB[T]>

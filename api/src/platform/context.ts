import type { Language } from '@portico/contract/refusals/refusal.ts'
import type { Selectable } from 'kysely'
import type { Database, ServedRow } from '#platform/db/pool.ts'
import type { AccessLevel, DB } from '#platform/db/types.ts'
import type { Vault } from './vault.ts'

/** What a grant can open of somebody else's account; an owner has all of them on their own. */
export type Capability = 'billing' | 'tickets' | 'my_workspaces'

/** What one owner opens to the actor, by a permission that counts at this moment. */
export type Grant = {
  /** share_permissions.id */
  readonly id: number
  /** clients.id of the owner, and their first name. */
  readonly owner: number
  readonly ownerName: string
  readonly billing: boolean
  readonly tickets: boolean
  readonly my_workspaces: boolean
  readonly add_panels: boolean
  readonly delete_panels: boolean
  readonly workspace_resources: AccessLevel
  /** Where not all workspaces are open: those that are. Where all are: those in which less is allowed than in general. */
  readonly spaces: readonly Space[]
  /** Panels that are opened one by one. */
  readonly panels: readonly number[]
  readonly domain_access: AccessLevel
  readonly domains: readonly number[]
}

/** A workspace that a permission speaks of. */
export type Space = {
  /** projects.id */
  readonly id: number
  readonly access_type: AccessLevel
  readonly add_panels: boolean
  readonly delete_panels: boolean
}

/** What must be allowed in a workspace, beside that it is seen. */
export type Need = 'see' | 'add_panels' | 'delete_panels'

/** Where something is open to a guest, as sets of ids that a row is held against. */
export type Reach = {
  /** All workspaces of these clients, but for those in `except`. */
  readonly accounts: readonly number[]
  readonly except: readonly number[]
  /** These workspaces with all that is in them. */
  readonly projects: readonly number[]
  /** These workspaces, with those of `panels` that are in them. */
  readonly listedIn: readonly number[]
  readonly panels: readonly number[]
}

/** A member of staff, and what they are there for. */
export type Staff = {
  /** admins.id */
  readonly id: number
  readonly role: 'support' | 'billing' | 'admin' | 'readonly'
}

/** An API key by which a program acts as its owner, and how far. */
export type Key = {
  /** api_keys.id */
  readonly id: string
  readonly scopes: readonly string[]
  /** projects.id of the workspace that it is limited to. */
  readonly project: number | null
}

/** Who is asking, read anew for each request. */
export type Actor = {
  readonly kind: 'client' | 'staff' | 'key'
  /** clients.id; of staff 0, which nobody has, so that nothing is theirs. */
  readonly id: number
  /** Of staff who have their second factor. They see what a rule says of staff, and nothing else. */
  readonly staff?: Staff | undefined
  /** Of programs alone: they see and do what their owner does on their own account, within what the key was given. */
  readonly key?: Key | undefined
  /** auth_accounts.id */
  readonly accountId: string
  readonly sessionId: string
  /** What refusals are worded in. */
  readonly language: Language
  readonly emailVerified: boolean
  /** When they last proved in this session who they are, ISO 8601; absent where no person is there who could. */
  readonly authenticatedAt?: string | undefined
  readonly grants: readonly Grant[]
  /** The accounts whose resources of a kind the actor reaches, the own one first. */
  readonly owners: (capability: Capability) => readonly number[]
  readonly reach: (need: Need) => Reach
}

/** What a verb is handed: the transaction it works in, who asks and from where, the one clock's time, and where secrets are sealed. */
export type Context = {
  readonly tx: Database
  readonly actor: Actor
  /** As a column of type `inet` holds it; null when it is not known. */
  readonly ip: string | null
  readonly now: Date
  readonly vault: Vault
  /** A row as the actor sees it, whole, and held against change. Throws `not_found`. */
  readonly see: (type: string, id: number) => Promise<ServedRow>
}

/**
 * What is outside, by name: engines, later cards. Who declares a port adds it here (`declare module`), and so the compiler
 * holds whoever starts the portal, or a test, to hand it in.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by those who know the ports, which the database does not.
export interface Ports {}

/** What a verb is handed that calls outside. No transaction is open while it runs; `within` opens a short one. */
export type OutsideContext = Omit<Context, 'tx' | 'see'> & {
  readonly ports: Ports
  /** One transaction, committed when `work` resolves. Permissions of a guest are read again in it, and held. */
  readonly within: <T>(work: (context: Context) => Promise<T>) => Promise<T>
}

/** A whole row of a table or view, as it is read. */
export type RowOf<T extends keyof DB> = Selectable<DB[T]>

/** Rows that relationships of the request name, each looked up through its own type's `visible`. */
export type Related = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>

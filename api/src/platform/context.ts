import type { Language } from '@portico/contract/refusals/refusal.ts'
import type { Selectable } from 'kysely'
import type { Database, ServedRow } from '#platform/db/pool.ts'
import type { AccessLevel, DB } from '#platform/db/types.ts'
import type { Vault } from './vault.ts'

/** The kinds of access that a grant can give to another person's account; an owner has all of them. */
export type Capability = 'billing' | 'tickets' | 'my_workspaces'

/** The access that one owner grants to the actor by an active permission. */
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
  /**
   * The open workspaces where not all are open; where all are open, those with fewer rights than the general
   * ones.
   */
  readonly spaces: readonly Space[]
  /** Panels that are shared individually. */
  readonly panels: readonly number[]
  readonly account_access: boolean
  readonly domain_access: AccessLevel
  readonly domains: readonly number[]
}

/** A workspace in a permission. */
export type Space = {
  /** projects.id */
  readonly id: number
  readonly access_type: AccessLevel
  readonly add_panels: boolean
  readonly delete_panels: boolean
}

/** The right needed in a workspace besides seeing it. */
export type Need = 'see' | 'add_panels' | 'delete_panels'

/** The rows a guest may access, as sets of ids to compare with a row. */
export type Reach = {
  /** All workspaces of these clients, except those in `except`. */
  readonly accounts: readonly number[]
  readonly except: readonly number[]
  /** These workspaces with everything in them. */
  readonly projects: readonly number[]
  /** These workspaces, with only those of their panels that are in `panels`. */
  readonly listedIn: readonly number[]
  readonly panels: readonly number[]
}

/** A verb of staff that one person asked for, as another approves it, or as it is tried when it is asked for. */
export type Second = {
  /** admins.id of the person who approves; null while it is only tried. */
  readonly by: number | null
  /** Takes note of what the verb moves; throws when that is not what was asked for. */
  readonly weigh: (moved: { readonly amount: string; readonly currency: string }) => void
}

/** A verb to run for the member of staff who asked for it. */
export type Asked = {
  readonly staff: Staff
  readonly second: Second
  readonly type: string
  readonly verb: string
  readonly ref: string | null
  readonly input: unknown
  readonly reason: string
}

/** A member of staff and their role. */
export type Staff = {
  /** admins.id */
  readonly id: number
  readonly role: 'support' | 'billing' | 'admin' | 'readonly'
}

/** An API key, by which a program acts for its owner within limits. */
export type Key = {
  /** api_keys.id */
  readonly id: string
  readonly scopes: readonly string[]
  /** projects.id of the workspace that the key is limited to. */
  readonly project: number | null
}

/** A member of staff who sees an account as its owner does, and changes nothing. */
export type View = {
  /** The name that clients see above an answer. */
  readonly by: string
  /** ISO 8601. */
  readonly until: string
}

/** The authenticated requester, loaded for each request. */
export type Actor = {
  readonly kind: 'client' | 'staff' | 'key' | 'view'
  /** clients.id; 0 for staff, which no row has, so that staff own nothing. */
  readonly id: number
  /** Set for staff with a second factor. They see only what a rule allows staff. */
  readonly staff?: Staff | undefined
  /**
   * Set for programs only: they act for their owner on the owner's own account, within the rights of the key.
   */
  readonly key?: Key | undefined
  /** Set where the rows are those of the owner and the reader is a member of staff, who writes nothing. */
  readonly view?: View | undefined
  /** auth_accounts.id */
  readonly accountId: string
  readonly sessionId: string
  /** The language of refusals. */
  readonly language: Language
  readonly emailVerified: boolean
  /**
   * The last time that the person authenticated in this session, ISO 8601; absent where there is no person.
   */
  readonly authenticatedAt?: string | undefined
  readonly grants: readonly Grant[]
  /** The accounts whose resources of a kind the actor may access, their own first. */
  readonly owners: (capability: Capability) => readonly number[]
  readonly reach: (need: Need) => Reach
}

/**
 * The context of a verb: its transaction, the requester and their address, the current time, and the vault
 * for secrets.
 */
export type Context = {
  readonly tx: Database
  readonly actor: Actor
  /** In the format of an `inet` column; null when unknown. */
  readonly ip: string | null
  readonly now: Date
  readonly vault: Vault
  /** A whole row as the actor sees it, locked. Throws `not_found`. */
  readonly see: (type: string, id: number) => Promise<ServedRow>
  /** Set for a verb that needs two persons, or that is above the limit of one. */
  readonly second?: Second
  /** Runs a verb of staff in this transaction with the rights of the person who asked for it, and logs it as theirs. */
  readonly perform: (asked: Asked) => Promise<void>
}

/**
 * Outside services by name, such as engines. A module that declares a port adds it here (`declare module`),
 * and the compiler then requires every start of the portal, and every test, to provide it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by those who know the ports, which the database does not.
export interface Ports {}

/**
 * The context of a verb that makes outside calls. No transaction is open while it runs; `within` opens a
 * short one.
 */
export type OutsideContext = Omit<Context, 'tx' | 'see' | 'second' | 'perform'> & {
  readonly ports: Ports
  /**
   * Runs one transaction, committed when `work` resolves. The permissions of a guest are read again in it and
   * locked.
   */
  readonly within: <T>(work: (context: Context) => Promise<T>) => Promise<T>
}

/** A whole row of a table or view, as read. */
export type RowOf<T extends keyof DB> = Selectable<DB[T]>

/** Rows of the request's relationships, each looked up under its own type's read rule. */
export type Related = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>

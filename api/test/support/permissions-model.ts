import type { Permissions } from '@portico/contract/permission-object.ts'
import { allowsInWorkspace, opensPanel, opensWorkspace } from '@portico/contract/rules/permissions.ts'

// The permission rules stated a second time, for one thing at a time. The server decides by sets in SQL
// (docs/decisions/0013) and must come to the same result.

/** The permissions that one owner granted to a person who accepted. */
export type Grant = {
  /** The owner's client id. */
  readonly owner: number
  readonly permissions: Permissions
  /** Revoked, or past its `expires_at`. */
  readonly ended: boolean
}

/** A caller: a client with the grants that they were given. */
export type Person = { readonly id: number; readonly grants: readonly Grant[] }

/** The things of each kind. `owner` is the client that it belongs to, `project` the workspace that it is in. */
type Things = {
  account: { readonly owner: number }
  workspace: { readonly owner: number; readonly id: number }
  panel: { readonly owner: number; readonly project: number; readonly id: number }
  domain: { readonly owner: number; readonly project: number; readonly panel: number; readonly id: number }
}
type Kind = keyof Things

/** The verbs on a thing of each kind. */
export type Deeds = {
  /** `billing`: read and manage what is paid; `tickets`: answer and open them; `manage`: all that only an owner does. */
  readonly account: 'billing' | 'tickets' | 'manage'
  /** `name`: know that it is there and how it is called, as the filters of Billing need. */
  readonly workspace: 'name' | 'see' | 'addPanel' | 'manage'
  readonly panel: 'see' | 'change' | 'delete' | 'move'
  readonly domain: 'see'
}

type Opens<K extends Kind> = (permissions: Permissions, deed: Deeds[K], thing: Things[K]) => boolean

/** The verbs that a valid permission allows a guest; all others are denied. */
const opens: { readonly [K in Kind]: Opens<K> } = {
  account: (permissions, deed) => deed !== 'manage' && permissions[deed] === 'allowed',
  workspace: (permissions, deed, { id }) => {
    if (deed === 'see') return opensWorkspace(permissions, id)
    if (deed === 'addPanel') return allowsInWorkspace(permissions, 'add_panels', id)
    return deed === 'name' && (permissions.billing === 'allowed' || opensWorkspace(permissions, id))
  },
  panel: (permissions, deed, { project, id }) => {
    if (!opensPanel(permissions, project, id)) return false
    if (deed === 'change') return allowsInWorkspace(permissions, 'add_panels', project)
    if (deed === 'delete') return allowsInWorkspace(permissions, 'delete_panels', project)
    return deed === 'see'
  },
  domain: (permissions, _deed, { project, panel, id }) => {
    if (!opensPanel(permissions, project, panel)) return false
    if (permissions.domain_access !== 'custom') return permissions.domain_access === 'all'
    return permissions.domains.includes(id)
  },
}

/**
 * Whether a person may do something with a thing. Everything is denied unless it is allowed here: the owner may do
 * everything, each grant covers only things of its own owner, and an ended grant covers nothing. The server must come to
 * the same result.
 */
export function decide<K extends Kind>(
  person: Person,
  deed: Deeds[K],
  thing: { readonly kind: K } & Things[K],
): boolean {
  if (person.id === thing.owner) return true
  const opened: Opens<K> = opens[thing.kind]
  return person.grants.some(
    (grant) => !grant.ended && grant.owner === thing.owner && opened(grant.permissions, deed, thing),
  )
}

import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor, Capability } from '../db/context.ts'
import type { SymbolicActor } from '../jsonapi/actor.ts'
import { own, ownOrShared, type Reference, type Rule, type TableOf, type Through } from '../jsonapi/policy.ts'

// What a guest reaches of somebody else's account, as conditions on rows. What a permission opens is said once, in the
// views `shared_workspaces` and `shared_panels`; here rows of each type are only held against them. The account is looked
// at first: it is a comparison, and the views are not read for rows of owners who opened nothing of the kind.

type Refusal = (owner: string) => string
type Shared = (actor: SymbolicActor) => Expression<SqlBool>

const among =
  (owner: string, capability: Capability): Shared =>
  (actor) =>
    sql<SqlBool>`${sql.ref(owner)} = any(${actor.owners(capability)})`

/** Rows of accounts that the capability opens. */
export const account = <R extends Reference>(
  owner: R,
  capability: Capability,
  refusal?: Refusal,
): Rule<TableOf<R>> => ownOrShared(owner, among(owner, capability), refusal)

/** What must be said of a workspace beside that it is open. */
type Need = 'see' | 'add_panels' | 'delete_panels'

const need = (what: Need) => (what === 'see' ? sql`` : sql` and s.${sql.ref(what)}`)

const workspaceShared =
  (owner: string, project: string, what: Need): Shared =>
  (actor) =>
    sql<SqlBool>`(${among(owner, 'my_workspaces')(actor)} and exists (select from shared_workspaces s
      where s.permission_id = any(${actor.grants}) and s.project_id = ${sql.ref(project)}${need(what)}))`

/** Workspaces, by the column of their owner. */
export const workspace = <R extends Reference>(
  owner: R,
  project: Reference & `${TableOf<R>}.${string}`,
  what: Need = 'see',
  refusal?: Refusal,
): Rule<TableOf<R>> => ownOrShared(owner, workspaceShared(owner, project, what), refusal)

/** Workspaces, and those of accounts whose billing is opened: it is filtered by them. */
export const workspaceOrBilling = <R extends Reference>(
  owner: R,
  project: Reference & `${TableOf<R>}.${string}`,
): Rule<TableOf<R>> => {
  const shared = workspaceShared(owner, project, 'see')
  const billing = among(owner, 'billing')
  return ownOrShared(owner, (actor) => sql<SqlBool>`(${billing(actor)} or ${shared(actor)})`)
}

const panelShared =
  (owner: string, panel: string, what: Need, more: Expression<SqlBool> = sql<SqlBool>`true`): Shared =>
  (actor) =>
    sql<SqlBool>`(${among(owner, 'my_workspaces')(actor)} and exists (select from shared_panels s
      where s.permission_id = any(${actor.grants}) and s.panel_id = ${sql.ref(panel)}${need(what)} and ${more}))`

/** Panels and what is in them, by the column of the owner and the one of the panel. */
export const panel = <R extends Reference>(
  owner: R,
  id: Reference & `${TableOf<R>}.${string}`,
  what: Need = 'see',
  refusal?: Refusal,
): Rule<TableOf<R>> => ownOrShared(owner, panelShared(owner, id, what), refusal)

/** A guest's own rows about panels that are open to them at this moment. */
export const openToGuest = <R extends Reference>(
  guest: R,
  permission: Reference & `${TableOf<R>}.${string}`,
  id: Reference & `${TableOf<R>}.${string}`,
): Rule<TableOf<R>> => ({
  ...own(guest),
  // Without a permission that counts there are none, whosever they are.
  own: undefined,
  shared: (actor) => sql<SqlBool>`(${sql.ref(guest)} = ${actor.id} and exists (select from shared_panels s
    where s.permission_id = any(${actor.grants}) and s.permission_id = ${sql.ref(permission)}
      and s.panel_id = ${sql.ref(id)}))`,
})

/** Whether the permission `s` opens a domain; `id` is where its id stands. */
const domainOpen = (
  id: string,
) => sql<SqlBool>`(s.domain_access = 'all' or (s.domain_access = 'custom' and exists (
  select from share_permission_domains d where d.permission_id = s.permission_id and d.domain_id = ${sql.ref(id)})))`

/** Domains: in panels that are open, and by the permission's own list of domains. */
export const domain = <R extends Reference>(
  owner: R,
  panelId: Reference & `${TableOf<R>}.${string}`,
  id: Reference & `${TableOf<R>}.${string}`,
): Rule<TableOf<R>> => ownOrShared(owner, panelShared(owner, panelId, 'see', domainOpen(id)))

/** The same for rows of `panel_resources` in a panel of `panels`, whose owner sees them all. */
export const domainOfPanel = (actor: SymbolicActor): Expression<SqlBool> =>
  actor.guest
    ? sql<SqlBool>`(panels.client_id = ${actor.id} or ${panelShared('panels.client_id', 'panels.id', 'see', domainOpen('panel_resources.id'))(actor)})`
    : sql<SqlBool>`true`

/** Adding panels is what a workspace's `addPanel` allows. */
export const throughWorkspace: Through = {
  through: 'project',
  ability: 'addPanel',
  somewhere: ({ grants }: Actor, owner) => grants.some((one) => one.owner === owner && one.add_panels),
  refusal: (owner) => `${owner} has not allowed you to add panels.`,
}

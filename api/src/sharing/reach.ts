import type { Parameter } from '@portico/contract/refusals/refusal.ts'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor, Capability, Need, Reach } from '#platform/context.ts'
import { type Refusal, reason } from '#platform/errors/problem.ts'
import {
  nobody,
  own,
  ownOrShared,
  type Reference,
  type Rule,
  type TableOf,
  type Through,
} from '#platform/jsonapi/declare/policy.ts'
import type { SymbolicActor, SymbolicStaff } from '#platform/jsonapi/declare/symbolic-actor.ts'
import { allStaff, staffOf } from '#staff/roles.ts'

// Conditions on rows for guests' access to other accounts. The actor carries the content of their permissions
// as sets of ids (sharing/grants.ts); these conditions compare rows of each type with the sets, at the cost
// of a comparison or two.

type Refusing = (owner: Parameter) => Refusal
type Shared = (actor: SymbolicActor) => Expression<SqlBool>
/** The columns of a row's owner, workspace and panel. */
type Place = { readonly owner: string; readonly project: string; readonly panel: string }

/** Whether a column holds one of the actor's ids. */
export const among = (column: string, actor: SymbolicActor, read: (actor: Actor) => readonly number[]) =>
  sql<SqlBool>`${sql.ref(column)} = any(${actor.numbers(read)})`

/** The ids of the actor's active permissions. */
const grantIds = ({ grants }: Actor): number[] => grants.map(({ id }) => id)

export const byGrant = (column: string, actor: SymbolicActor): Expression<SqlBool> =>
  among(column, actor, grantIds)

/** Clients who share anything with the actor. */
export const ownsGrant = (column: string, actor: SymbolicActor): Expression<SqlBool> =>
  among(column, actor, ({ grants }) => grants.map(({ owner }) => owner))

/** Rows of accounts that the capability opens. */
export const account = <R extends Reference>(
  owner: R,
  capability: Capability,
  refusal?: Refusing,
): Rule<TableOf<R>> =>
  ownOrShared(owner, (actor) => among(owner, actor, ({ owners }) => owners(capability)), refusal)

/** Staff roles that read what an account uses, has, pays and owes: support answers questions about it. */
export const accountStaff = staffOf(...allStaff)

/** Staff roles that also read cards, disputes, debts, the bank and reports. */
export const moneyStaff = staffOf('billing', 'admin', 'readonly')

/** Staff roles that change them. */
export const moneyWriters = staffOf('billing', 'admin')

/** A verb of theirs on rows that clients read too, who are told that only staff may. */
export const moneyWritersAlone: Rule<never> = {
  ...nobody,
  refusal: () => reason('staff_only'),
  ...moneyWriters,
}

/**
 * Staff on rows of an account. Support reads only accounts whose page they opened within a day: opened pages are limited
 * (`noteLook`), so that a stolen sign-in does not read everybody's money by lists, exports or ids.
 */
const lookedAt =
  (owner: Reference) =>
  (staff: SymbolicStaff): Expression<SqlBool> =>
    sql<SqlBool>`(${moneyStaff.staff(staff)} or ${accountStaff.staff(staff)} and ${sql.ref(owner)} in (
      select k.client_id from staff_looks k where k.admin_id = ${staff.id} and k.hour > now() - interval '1 day'))`

/** Rows of accounts that the capability opens, also for staff as `lookedAt` says, or for these roles. */
export const accountOrStaff = <R extends Reference>(
  owner: R,
  capability: Capability,
  staff: Pick<Rule, 'staff' | 'roles'> = { ...accountStaff, staff: lookedAt(owner) },
): Rule<TableOf<R>> => ({
  ...account(owner, capability),
  ...staff,
})

/** The condition that a column is in one set of the actor's reach. */
const part = (column: string, actor: SymbolicActor, need: Need, name: keyof Reach) =>
  among(column, actor, ({ reach }) => reach(need)[name])

const wholeAccount = ({ owner, project }: Omit<Place, 'panel'>, actor: SymbolicActor, need: Need) =>
  sql<SqlBool>`(${part(owner, actor, need, 'accounts')} and not ${part(project, actor, need, 'except')})`

const workspaceShared =
  (place: Omit<Place, 'panel'>, need: Need): Shared =>
  (actor) =>
    sql<SqlBool>`(${wholeAccount(place, actor, need)} or ${part(place.project, actor, need, 'projects')}
      or ${part(place.project, actor, need, 'listedIn')})`

/** Whether a panel is shared with the actor, by the columns of its owner, workspace and panel. */
export const panelShared = (place: Place, need: Need, actor: SymbolicActor) =>
  sql<SqlBool>`(${wholeAccount(place, actor, need)} or ${part(place.project, actor, need, 'projects')}
    or (${part(place.project, actor, need, 'listedIn')} and ${part(place.panel, actor, need, 'panels')}))`

/** Whether the panel that a column names is there and open to the actor: for rows that know of their panel its id alone. */
export const inOpenPanel = (panelId: string, actor: SymbolicActor): Expression<SqlBool> =>
  sql<SqlBool>`exists (select from panels p where p.id = ${sql.ref(panelId)} and p.deleted_at is null
    and ${panelShared({ owner: 'p.client_id', project: 'p.project_id', panel: 'p.id' }, 'see', actor)})`

/** Whether the panel that a column names is in a workspace: what a key limited to the workspace reaches. */
export const inPanelOf = (project: Expression<number>, panelId: Expression<unknown>): Expression<SqlBool> =>
  sql<SqlBool>`exists (select from panels p where p.id = ${panelId} and p.project_id = ${project})`

type In<R> = Reference & `${TableOf<R>}.${string}`

/** Workspaces, by the columns of owner and id. */
export const workspace = <R extends Reference>(
  owner: R,
  project: In<R>,
  need: Need = 'see',
  refusal?: Refusing,
): Rule<TableOf<R>> => ownOrShared(owner, workspaceShared({ owner, project }, need), refusal)

/** Workspaces, including those of accounts whose billing is shared, which needs them as a filter. */
export const workspaceOrBilling = <R extends Reference>(owner: R, project: In<R>): Rule<TableOf<R>> => {
  const shared = workspaceShared({ owner, project }, 'see')
  return ownOrShared(
    owner,
    (actor) => sql<SqlBool>`(${among(owner, actor, ({ owners }) => owners('billing'))} or ${shared(actor)})`,
  )
}

/** Panels and their content, by the columns of owner, workspace and panel. */
export const panel = <R extends Reference>(
  owner: R,
  project: In<R>,
  id: In<R>,
  need: Need = 'see',
  refusal?: Refusing,
): Rule<TableOf<R>> =>
  ownOrShared(owner, (actor) => panelShared({ owner, project, panel: id }, need, actor), refusal)

/** Rows of panels with whose accounts the actor may work, by the columns of owner, workspace and panel. */
export const panelAccounts = <R extends Reference>(
  owner: R,
  project: In<R>,
  id: In<R>,
  refusal: Refusing,
): Rule<TableOf<R>> =>
  ownOrShared(
    owner,
    (actor) => sql<SqlBool>`(${panelShared({ owner, project, panel: id }, 'see', actor)}
      and ${among(owner, actor, ({ grants }) => grants.flatMap((one) => (one.account_access ? [one.owner] : [])))})`,
    refusal,
  )

const domainAccounts =
  (level: 'custom' | 'all') =>
  ({ grants }: Actor): number[] =>
    grants.filter(({ domain_access }) => domain_access === level).map(({ owner }) => owner)

/** Whether a domain in a shared panel is shared; `id` is the column of the domain's id. */
const domainShared = (owner: string, id: string, actor: SymbolicActor) =>
  sql<SqlBool>`(${among(owner, actor, domainAccounts('all'))} or (${among(owner, actor, domainAccounts('custom'))}
    and ${among(id, actor, ({ grants }) => grants.flatMap(({ domains }) => domains))}))`

/** Domains: in shared panels, and by the permission's own list of domains. */
export const domain = <R extends Reference>(
  owner: R,
  project: In<R>,
  panelId: In<R>,
  id: In<R>,
): Rule<TableOf<R>> =>
  ownOrShared(
    owner,
    (actor) =>
      sql<SqlBool>`(${panelShared({ owner, project, panel: panelId }, 'see', actor)} and ${domainShared(owner, id, actor)})`,
  )

/** The condition for rows of `panel_resources`, in a visible row of `panels`, that are visible domains. */
export const domainOfPanel = (actor: SymbolicActor): Expression<SqlBool> =>
  actor.guest
    ? sql<SqlBool>`(panels.client_id = ${actor.id} or ${domainShared('panels.client_id', 'panel_resources.id', actor)})`
    : sql<SqlBool>`true`

/** A guest's own rows about panels that are currently shared with them. */
export const openToGuest = <R extends Reference>(
  guest: R,
  permission: In<R>,
  id: In<R>,
): Rule<TableOf<R>> => ({
  ...own(guest),
  // Without an active permission no row is visible, including one's own.
  own: undefined,
  shared: (actor) =>
    sql<SqlBool>`(${sql.ref(guest)} = ${actor.id} and ${byGrant(permission, actor)} and ${inOpenPanel(id, actor)})`,
})

/** Creating a panel requires `addPanel` on its workspace. */
export const throughWorkspace: Through = {
  through: 'project',
  ability: 'addPanel',
  somewhere: ({ grants }: Actor, owner) =>
    grants.some((one) => one.owner === owner && one.my_workspaces && one.add_panels),
  refusal: (owner) => reason('panels_add_not_allowed', { owner }),
}

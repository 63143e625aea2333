import type { Parameter } from '@portico/contract/refusals/refusal.ts'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor, Capability, Need, Reach, Staff } from '#platform/context.ts'
import { type Refusal, reason } from '#platform/errors/problem.ts'
import {
  own,
  ownOrShared,
  type Reference,
  type Rule,
  type TableOf,
  type Through,
} from '#platform/jsonapi/declare/policy.ts'
import type { SymbolicActor, SymbolicStaff } from '#platform/jsonapi/declare/symbolic-actor.ts'

// What a guest reaches of somebody else's account, as conditions on rows. What a permission opens is read with the actor, as
// sets of ids (sharing/grants.ts); here rows of each type are held against them, which costs a comparison or two each.

type Refusing = (owner: Parameter) => Refusal
type Shared = (actor: SymbolicActor) => Expression<SqlBool>
/** Where in a row stands whose it is, and in which workspace and panel. */
type Place = { readonly owner: string; readonly project: string; readonly panel: string }

/** Whether a column holds one of some numbers that the actor has. */
export const among = (column: string, actor: SymbolicActor, read: (actor: Actor) => readonly number[]) =>
  sql<SqlBool>`${sql.ref(column)} = any(${actor.numbers(read)})`

/** The permissions that count for the actor at this moment. */
const grantIds = ({ grants }: Actor): number[] => grants.map(({ id }) => id)

export const byGrant = (column: string, actor: SymbolicActor): Expression<SqlBool> =>
  among(column, actor, grantIds)

/** Clients who opened anything to the actor. */
export const ownsGrant = (column: string, actor: SymbolicActor): Expression<SqlBool> =>
  among(column, actor, ({ grants }) => grants.map(({ owner }) => owner))

/** Rows of accounts that the capability opens. */
export const account = <R extends Reference>(
  owner: R,
  capability: Capability,
  refusal?: Refusing,
): Rule<TableOf<R>> =>
  ownOrShared(owner, (actor) => among(owner, actor, ({ owners }) => owners(capability)), refusal)

const staffOf = (...roles: Staff['role'][]) => ({
  staff: ({ role }: SymbolicStaff) =>
    sql<SqlBool>`${role} in (${sql.join(roles.map((one) => sql.lit(one)))})`,
  roles,
})

/** Staff who see what people owe, use and pay; those of support see tickets. */
export const moneyStaff = staffOf('billing', 'admin', 'readonly')

/** Staff who change it. */
export const moneyWriters = staffOf('billing', 'admin')

/** Rows of accounts that the capability opens, and staff who see money. */
export const accountOrMoneyStaff = <R extends Reference>(
  owner: R,
  capability: Capability,
): Rule<TableOf<R>> => ({
  ...account(owner, capability),
  ...moneyStaff,
})

/** A part of what is open, as a set that a column is held against. */
const part = (column: string, actor: SymbolicActor, need: Need, name: keyof Reach) =>
  among(column, actor, ({ reach }) => reach(need)[name])

const wholeAccount = ({ owner, project }: Omit<Place, 'panel'>, actor: SymbolicActor, need: Need) =>
  sql<SqlBool>`(${part(owner, actor, need, 'accounts')} and not ${part(project, actor, need, 'except')})`

const workspaceShared =
  (place: Omit<Place, 'panel'>, need: Need): Shared =>
  (actor) =>
    sql<SqlBool>`(${wholeAccount(place, actor, need)} or ${part(place.project, actor, need, 'projects')}
      or ${part(place.project, actor, need, 'listedIn')})`

/** Whether a panel is open to the actor, by where in a statement stands what it is of. */
export const panelShared = (place: Place, need: Need, actor: SymbolicActor) =>
  sql<SqlBool>`(${wholeAccount(place, actor, need)} or ${part(place.project, actor, need, 'projects')}
    or (${part(place.project, actor, need, 'listedIn')} and ${part(place.panel, actor, need, 'panels')}))`

type In<R> = Reference & `${TableOf<R>}.${string}`

/** Workspaces, by the columns of their owner and of their id. */
export const workspace = <R extends Reference>(
  owner: R,
  project: In<R>,
  need: Need = 'see',
  refusal?: Refusing,
): Rule<TableOf<R>> => ownOrShared(owner, workspaceShared({ owner, project }, need), refusal)

/** Workspaces, and those of accounts whose billing is opened: it is filtered by them. */
export const workspaceOrBilling = <R extends Reference>(owner: R, project: In<R>): Rule<TableOf<R>> => {
  const shared = workspaceShared({ owner, project }, 'see')
  return ownOrShared(
    owner,
    (actor) => sql<SqlBool>`(${among(owner, actor, ({ owners }) => owners('billing'))} or ${shared(actor)})`,
  )
}

/** Panels and what is in them, by the columns of the owner, the workspace and the panel. */
export const panel = <R extends Reference>(
  owner: R,
  project: In<R>,
  id: In<R>,
  need: Need = 'see',
  refusal?: Refusing,
): Rule<TableOf<R>> =>
  ownOrShared(owner, (actor) => panelShared({ owner, project, panel: id }, need, actor), refusal)

const domainAccounts =
  (level: 'custom' | 'all') =>
  ({ grants }: Actor): number[] =>
    grants.filter(({ domain_access }) => domain_access === level).map(({ owner }) => owner)

/** Whether a domain of an owner is open, in a panel that is; `id` is where its own id stands. */
const domainShared = (owner: string, id: string, actor: SymbolicActor) =>
  sql<SqlBool>`(${among(owner, actor, domainAccounts('all'))} or (${among(owner, actor, domainAccounts('custom'))}
    and ${among(id, actor, ({ grants }) => grants.flatMap(({ domains }) => domains))}))`

/** Domains: in panels that are open, and by the permission's own list of domains. */
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

/** Which rows of `panel_resources`, in a row of `panels` that the reader sees, are domains that they see. */
export const domainOfPanel = (actor: SymbolicActor): Expression<SqlBool> =>
  actor.guest
    ? sql<SqlBool>`(panels.client_id = ${actor.id} or ${domainShared('panels.client_id', 'panel_resources.id', actor)})`
    : sql<SqlBool>`true`

/** A guest's own rows about panels that are open to them at this moment. */
export const openToGuest = <R extends Reference>(
  guest: R,
  permission: In<R>,
  id: In<R>,
): Rule<TableOf<R>> => ({
  ...own(guest),
  // Without a permission that counts there are none, whosever they are.
  own: undefined,
  shared: (actor) => {
    const place = { owner: 'p.client_id', project: 'p.project_id', panel: 'p.id' }
    return sql<SqlBool>`(${sql.ref(guest)} = ${actor.id} and ${byGrant(permission, actor)} and exists (
      select from panels p where p.id = ${sql.ref(id)} and p.deleted_at is null and ${panelShared(place, 'see', actor)}))`
  },
})

/** Adding panels is what a workspace's `addPanel` allows. */
export const throughWorkspace: Through = {
  through: 'project',
  ability: 'addPanel',
  somewhere: ({ grants }: Actor, owner) =>
    grants.some((one) => one.owner === owner && one.my_workspaces && one.add_panels),
  refusal: (owner) => reason('panels_add_not_allowed', { owner }),
}

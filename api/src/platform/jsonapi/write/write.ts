import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { runnerOf, type ServedRow } from '#platform/db/pool.ts'
import { Problem, reason, refuse } from '#platform/errors/problem.ts'
import { assertKeyCreates } from '#platform/jsonapi/declare/key-reach.ts'
import { isWhole, mayCreate, ruled, verdict } from '#platform/jsonapi/declare/may.ts'
import { changing, type Model, type RelationModel } from '#platform/jsonapi/declare/model.ts'
import { changeStatement, idsStatement, own } from '#platform/jsonapi/read/statements.ts'
import type { Changes, Reference } from './document.ts'

/** The row as the actor sees it, when `held` until the transaction ends; hidden and absent are both 404. */
export async function lockRow(
  context: Context,
  model: Model,
  id: number | string | undefined,
  held = true,
): Promise<ServedRow> {
  // A type that is never written may be a view over a join, which cannot be locked and need not be.
  const writable = model.contract.update.length > 0 || model.contract.delete
  const statement = idsStatement(
    model,
    { actor: context.actor, ids: id === undefined ? [] : [id] },
    // Keys do not change, so rows that refer to this one need not wait for it: that would be a way into a deadlock.
    held && writable ? 'no key update' : '',
  )
  const [row] = await runnerOf(context.tx).run<ServedRow>(statement)
  if (!row) throw notFound(model)
  return row
}

export function notFound(model: Model): Problem {
  return refuse('not_found', { type: model.name })
}

/** 403 with the policy's own reason, so that the answer and the disabled button say the same. */
export function assertMay(model: Model, verb: string, context: Context, row: ServedRow | undefined): void {
  const answer = verdict(model, verb, context.actor, row)
  if (answer === true) return
  throw new Problem(answer || reason('forbidden'))
}

/** Refuses what the type does not offer at all: 403, as JSON:API asks. */
export function assertOffered(model: Model, verb: 'create' | 'update' | 'delete'): void {
  const offered = verb === 'delete' ? model.contract.delete : model.contract[verb].length > 0
  if (!offered) throw refuse(`${verb}_not_offered`, { type: model.name })
}

/** 403 when a field is not the actor's to change, although the row is. */
function assertMayChange(model: Model, field: string, context: Context, row: ServedRow): void {
  if (!model.rules.has(changing(field))) return
  const answer = ruled(model, changing(field), context.actor, row)
  if (answer !== true) throw new Problem(answer || reason('forbidden'))
}

type Looking = Pick<Context, 'tx' | 'actor'>
type Wanted = { readonly id: Reference['id']; readonly pointer?: string }

/** Rows that relationships name, each seen whole through its own type's rule for reading, and held against change. */
export async function lookUp(
  context: Looking,
  target: Model,
  wanted: readonly Wanted[],
): Promise<Map<unknown, ServedRow>> {
  if (wanted.length === 0) return new Map()
  const ids = wanted.map(({ id }) => id)
  const lock = target.contract.delete ? 'share' : ''
  const rows = await runnerOf(context.tx).run<ServedRow>(
    idsStatement(target, { actor: context.actor, ids }, lock),
  )
  // What is seen only in part is no place to put anything, and no one to relate to.
  const entire = rows.filter((row) => isWhole(target, context.actor, row))
  const found = new Map(entire.map((row) => [row.id, row]))
  const missing = wanted.find(({ id }) => !found.has(id))
  if (missing)
    throw refuse(
      'not_found',
      { type: target.name },
      missing.pointer === undefined ? {} : { source: { pointer: missing.pointer } },
    )
  return found
}

type Resolved = {
  readonly columns: Record<string, unknown>
  readonly related: Record<string, ServedRow | null>
}

async function resolve(context: Context, model: Model, changes: Changes): Promise<Resolved> {
  const columns: Record<string, unknown> = {}
  const related: Record<string, ServedRow | null> = {}
  for (const [name, value] of changes.attributes) {
    const spread = model.binding.spread[name]
    // The value was checked by the attribute's own schema, which `spread` was written for.
    if (spread) Object.assign(columns, spread(value as never))
    else columns[model.column(name) ?? name] = value
  }
  for (const [name, wanted] of changes.toOne) {
    const relation = model.relations.get(name)
    if (!relation) continue
    const rows = wanted ? await lookUp(context, relation.target, [wanted]) : undefined
    related[name] = (wanted && rows?.get(wanted.id)) || null
    // The key of a to-one that the other row holds is written there, once this row is.
    if (relation.via === 'own') columns[relation.column] = wanted?.id ?? null
  }
  return { columns, related }
}

/** 403 unless the policy lets the actor create this: by itself, or as an ability of the row that it is to belong to. */
function assertMayCreate(context: Context, model: Model, related: Resolved['related']): void {
  const { create } = model.binding.policy
  assertKeyCreates(model, context.actor, related)
  if (create === undefined || !('through' in create)) {
    const answer = mayCreate(model, context.actor, context.actor.id)
    if (answer !== true) throw new Problem(answer || reason('forbidden'))
    return
  }
  const target = model.relations.get(create.through)?.target
  const row = related[create.through]
  if (target === undefined || !row) throw refuse('forbidden')
  assertMay(target, create.ability, context, row)
}

/**
 * Changes or deletes rows that were seen and permitted before. The statement says again who may, so it cannot find what has
 * ceased to be theirs; then it is told as at the first look: 404 what is not seen any more, 403 what is.
 */
async function changeRows(
  context: Context,
  model: Model,
  verb: 'update' | 'delete',
  rows: readonly ServedRow[],
  columns: Readonly<Record<string, unknown>> = {},
): Promise<ServedRow[]> {
  const ids = rows.map(({ id }) => id)
  const statement = changeStatement(model, verb, columns, { actor: context.actor, ids })
  const changed = await runnerOf(context.tx).run<ServedRow>(statement)
  const found = new Set(changed.map(({ id }) => id))
  const missed = ids.find((id) => !found.has(id))
  if (missed === undefined) return changed
  assertMay(model, verb, context, await lockRow(context, model, missed))
  throw refuse('changed_meanwhile')
}

/** A row that was made, and what is told of it this once. */
export type Created = { readonly row: ServedRow; readonly told: Readonly<Record<string, unknown>> }

/** Inserts a row and does what follows from it. */
export async function create(context: Context, model: Model, changes: Changes): Promise<Created> {
  const { columns, related } = await resolve(context, model, changes)
  assertMayCreate(context, model, related)
  const sent = Object.fromEntries(changes.attributes)
  // What was sent was checked by the attributes that `fill` was written for; the engine does not know them.
  const filled = await model.binding.fill?.({ ...context, related, sent: sent as never })
  const once = model.binding.once?.()
  const values = { ...columns, ...filled, ...once?.columns }
  const names = sql.join(Object.keys(values).map((name) => sql.ref(name)))
  const { rows } = await sql<ServedRow>`insert into ${sql.table(model.binding.table)} (${names})
    values (${sql.join(Object.values(values))}) returning ${own(model)}`.execute(context.tx)
  const [row] = rows
  if (!row) throw new Error(`insert into ${model.binding.table} returned no row`)
  await relateOthers(context, model, row, changes)
  // The hook is written for the type's own row; the engine does not know its columns.
  await model.binding.created?.(context, row as never, sent)
  return { row, told: once?.told ?? {} }
}

/** What a request says of relationships whose keys other rows hold. */
async function relateOthers(context: Context, model: Model, row: ServedRow, changes: Changes): Promise<void> {
  for (const [name, wanted] of changes.toMany) {
    const relation = model.relations.get(name)
    if (relation) await replaceMembers(context, relation, row, wanted)
  }
  for (const [name, wanted] of changes.toOne) {
    const relation = model.relations.get(name)
    if (relation?.via === 'foreign') await replaceMembers(context, relation, row, wanted ? [wanted] : [])
  }
}

/** Changes a row that was locked and permitted before. */
export async function update(
  context: Context,
  model: Model,
  row: ServedRow,
  changes: Changes,
): Promise<void> {
  for (const name of [changes.attributes, changes.toOne, changes.toMany].flatMap((part) => [...part.keys()]))
    assertMayChange(model, name, context, row)
  const { columns } = await resolve(context, model, changes)
  if (Object.keys(columns).length > 0) {
    const [after] = await changeRows(context, model, 'update', [row], columns)
    // As with `created`: the hook knows the columns, the engine does not.
    await model.binding.updated?.(
      context,
      after as never,
      row as never,
      Object.fromEntries(changes.attributes),
    )
  }
  await relateOthers(context, model, row, changes)
}

/** Deletes a row that was locked and permitted before, in the type's own way where it has one. */
export async function remove(context: Context, model: Model, row: ServedRow): Promise<void> {
  // As with `created`: the hook knows the columns, the engine does not.
  if (model.binding.remove) return model.binding.remove(context, row as never)
  await changeRows(context, model, 'delete', [row])
}

/** Points rows at another parent, or at none; for each follows what follows from any change of it. */
async function setParent(
  context: Context,
  { target, column }: RelationModel,
  members: readonly ServedRow[],
  parent: number | string | null,
): Promise<void> {
  if (members.length === 0) return
  const before = new Map(members.map((row) => [row.id, row]))
  const rows = await changeRows(context, target, 'update', members, { [column]: parent })
  for (const row of rows) {
    // As with `update`: the hook knows the columns, the engine does not.
    await target.binding.updated?.(context, row as never, before.get(row.id) as never, {})
  }
}

/** Moves the named rows under `parent`. Those already there stay; each needs permission to be changed. */
export async function addMembers(
  context: Context,
  relation: RelationModel,
  parent: ServedRow,
  wanted: readonly Reference[],
): Promise<void> {
  const found = await lookUp(context, relation.target, wanted)
  const added = [...found.values()].filter((row) => row[relation.column] !== parent.id)
  for (const row of added) assertMayMove(context, relation, row)
  await setParent(context, relation, added, parent.id)
}

/** The same relationship from its other end: the member's own to-one over the column by which it belongs. */
function fromMember({ target, column }: RelationModel): RelationModel | undefined {
  return [...target.relations.values()].find((own) => own.via === 'own' && own.column === column)
}

/** Whether a member may be without parent: its own to-one relationship over the same column says so. */
function mayBeAlone(relation: RelationModel): boolean {
  return fromMember(relation)?.nullable ?? false
}

/** A member needs permission to be changed, and to be moved. */
function assertMayMove(context: Context, relation: RelationModel, row: ServedRow): void {
  assertMay(relation.target, 'update', context, row)
  const own = fromMember(relation)
  if (own) assertMayChange(relation.target, own.name, context, row)
}

async function release(
  context: Context,
  relation: RelationModel,
  members: readonly ServedRow[],
): Promise<void> {
  if (members.length === 0) return
  if (!mayBeAlone(relation)) throw refuse('members_bound', { type: relation.target.name })
  for (const row of members) assertMayMove(context, relation, row)
  await setParent(context, relation, members, null)
}

/** Takes the named rows from `parent`. One that is not there is no error (JSON:API, "Updating To-Many Relationships"). */
export async function removeMembers(
  context: Context,
  relation: RelationModel,
  parent: ServedRow,
  wanted: readonly Reference[],
): Promise<void> {
  const rows = await runnerOf(context.tx).run<ServedRow>(
    idsStatement(relation.target, { actor: context.actor, ids: wanted.map(({ id }) => id) }, 'no key update'),
  )
  await release(
    context,
    relation,
    rows.filter((row) => row[relation.column] === parent.id),
  )
}

/** Makes the named rows all that `parent` has. */
export async function replaceMembers(
  context: Context,
  relation: RelationModel,
  parent: ServedRow,
  wanted: readonly Reference[],
): Promise<void> {
  const keep = wanted.map(({ id }) => id)
  const { rows } = await sql<ServedRow>`select id from ${sql.table(relation.target.binding.table)}
    where ${sql.ref(relation.column)} = ${parent.id} and not id = any(${keep})`.execute(context.tx)
  const ids = rows.map((row) => row.id)
  const statement = idsStatement(relation.target, { actor: context.actor, ids }, 'no key update')
  await release(context, relation, ids.length > 0 ? await runnerOf(context.tx).run<ServedRow>(statement) : [])
  await addMembers(context, relation, parent, wanted)
}

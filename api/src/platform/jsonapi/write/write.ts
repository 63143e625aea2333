import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { runnerOf, type ServedRow } from '#platform/db/pool.ts'
import { Problem, reason, refuse } from '#platform/errors/problem.ts'
import { assertKeyCreates } from '#platform/jsonapi/declare/key-reach.ts'
import { isWhole, mayCreate, ruled, verdict } from '#platform/jsonapi/declare/may.ts'
import { changing, type Model, type RelationModel } from '#platform/jsonapi/declare/model.ts'
import { changeStatement, idsStatement, own } from '#platform/jsonapi/read/statements.ts'
import type { Changes, Reference } from './document.ts'

/**
 * The row as the actor sees it; `held` locks it until the transaction ends. Hidden and absent rows are both
 * 404.
 */
export async function lockRow(
  context: Context,
  model: Model,
  id: number | string | undefined,
  held = true,
): Promise<ServedRow> {
  // A type without writes may be a view over a join, which cannot be locked and need not be.
  const writable = model.contract.update.length > 0 || model.contract.delete
  const statement = idsStatement(
    model,
    { actor: context.actor, ids: id === undefined ? [] : [id] },
    // Keys do not change, so rows that reference this one need not wait for the lock, which avoids deadlocks.
    held && writable ? 'no key update' : '',
  )
  const [row] = await runnerOf(context.tx).run<ServedRow>(statement)
  if (!row) throw notFound(model)
  return row
}

export function notFound(model: Model): Problem {
  return refuse('not_found', { type: model.name })
}

/** Throws 403 with the policy's own reason, so that the answer matches the disabled button. */
export function assertMay(model: Model, verb: string, context: Context, row: ServedRow | undefined): void {
  const answer = verdict(model, verb, context.actor, row)
  if (answer === true) return
  throw new Problem(answer || reason('forbidden'))
}

/** Throws 403 for a verb that the type does not offer, as JSON:API requires. */
export function assertOffered(model: Model, verb: 'create' | 'update' | 'delete'): void {
  const offered = verb === 'delete' ? model.contract.delete : model.contract[verb].length > 0
  if (!offered) throw refuse(`${verb}_not_offered`, { type: model.name })
}

/** Throws 403 when the actor may change the row but not this field. */
function assertMayChange(model: Model, field: string, context: Context, row: ServedRow): void {
  if (!model.rules.has(changing(field))) return
  const answer = ruled(model, changing(field), context.actor, row)
  if (answer !== true) throw new Problem(answer || reason('forbidden'))
}

type Looking = Pick<Context, 'tx' | 'actor'>
type Wanted = { readonly id: Reference['id']; readonly pointer?: string }

/** Loads and locks the rows of relationships, each whole and under its own type's read rule. */
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
  // A row that is visible only in part cannot be related to.
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
    // The attribute's own schema has validated the value that `spread` takes.
    if (spread) Object.assign(columns, spread(value as never))
    else columns[model.column(name) ?? name] = value
  }
  for (const [name, wanted] of changes.toOne) {
    const relation = model.relations.get(name)
    if (!relation) continue
    const rows = wanted ? await lookUp(context, relation.target, [wanted]) : undefined
    related[name] = (wanted && rows?.get(wanted.id)) || null
    // A foreign key in the other row is written after this row.
    if (relation.via === 'own') columns[relation.column] = wanted?.id ?? null
  }
  return { columns, related }
}

/** Throws 403 unless the policy allows the creation: by a rule, or as an ability of the parent row. */
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
 * Changes or deletes rows that were read and permitted before. The statement repeats the permission check;
 * rows that no longer match are refused as on first access: 404 when not visible, 403 when visible.
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

/** What a request would create, once it is clear that the actor may: as it was sent, and the rows that it names. */
export async function creatable(context: Context, model: Model, changes: Changes) {
  const { related } = await resolve(context, model, changes)
  assertMayCreate(context, model, related)
  return { sent: Object.fromEntries(changes.attributes), related }
}

/** A created row, with the values that are returned once. */
export type Created = { readonly row: ServedRow; readonly told: Readonly<Record<string, unknown>> }

/** Inserts a row and runs its hooks. */
export async function create(context: Context, model: Model, changes: Changes): Promise<Created> {
  const { columns, related } = await resolve(context, model, changes)
  assertMayCreate(context, model, related)
  const sent = Object.fromEntries(changes.attributes)
  // The attributes that `fill` takes have been validated; the engine does not know them.
  const filled = await model.binding.fill?.({ ...context, related, sent: sent as never })
  const once = model.binding.once?.()
  const values = { ...columns, ...filled, ...once?.columns }
  const names = sql.join(Object.keys(values).map((name) => sql.ref(name)))
  const { rows } = await sql<ServedRow>`insert into ${sql.table(model.binding.table)} (${names})
    values (${sql.join(Object.values(values))}) returning ${own(model)}`.execute(context.tx)
  const [row] = rows
  if (!row) throw new Error(`insert into ${model.binding.table} returned no row`)
  await relateOthers(context, model, row, changes)
  // The hook has the type of its own row; the engine does not know its columns.
  await model.binding.created?.(context, row as never, sent)
  return { row, told: once?.told ?? {} }
}

/** Writes the relationships of a request whose foreign keys are in other rows. */
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
    // The hook has the type of its own row; the engine does not know its columns.
    await model.binding.updated?.(
      context,
      after as never,
      row as never,
      Object.fromEntries(changes.attributes),
    )
  }
  await relateOthers(context, model, row, changes)
}

/** Deletes a row that was locked and permitted before, by the type's own `remove` if it has one. */
export async function remove(context: Context, model: Model, row: ServedRow): Promise<void> {
  // The hook has the type of its own row; the engine does not know its columns.
  if (model.binding.remove) return model.binding.remove(context, row as never)
  await changeRows(context, model, 'delete', [row])
}

/** Moves rows to another parent or to none, with the update hooks of each. */
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
    // The hook has the type of its own row; the engine does not know its columns.
    await target.binding.updated?.(context, row as never, before.get(row.id) as never, {})
  }
}

/** Moves the named rows to `parent`. Members stay; each other row needs permission to be changed. */
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

/** The inverse relationship: the member's own to-one over the same column. */
function fromMember({ target, column }: RelationModel): RelationModel | undefined {
  return [...target.relations.values()].find((own) => own.via === 'own' && own.column === column)
}

/** Whether a member may have no parent, by its own to-one relationship over the same column. */
function mayBeAlone(relation: RelationModel): boolean {
  return fromMember(relation)?.nullable ?? false
}

/** Throws 403 unless the actor may change the member, and its relationship to the parent. */
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

/**
 * Removes the named rows from `parent`. A row that is no member is no error (JSON:API, "Updating To-Many
 * Relationships").
 */
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

/** Replaces the members of `parent` with the named rows. */
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

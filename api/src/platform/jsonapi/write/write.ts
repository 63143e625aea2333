import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import type { ServedRow } from '#platform/db/pool.ts'
import { Problem, reason, refuse } from '#platform/errors/problem.ts'
import { assertKeyCreates } from '#platform/jsonapi/declare/key-reach.ts'
import { mayCreate } from '#platform/jsonapi/declare/may.ts'
import type { Model } from '#platform/jsonapi/declare/model.ts'
import { own } from '#platform/jsonapi/read/conditions.ts'
import type { Changes } from './document.ts'
import { replaceMembers } from './members.ts'
import { assertMay, assertMayChange, changeRows, lookUp } from './rows.ts'

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
 * Throws 403 for staff who create no such row through any other, before related rows are looked up, so that the answer does
 * not depend on which of them staff see.
 */
function assertStaffCreate({ actor }: Context, model: Model): void {
  const { create } = model.binding.policy
  if (
    create !== undefined &&
    'through' in create &&
    actor.staff &&
    mayCreate(model, actor, actor.id) !== true
  )
    throw refuse('forbidden')
}

/** The row that a request would create: its validated attributes and the related rows, once the policy allows it. */
export async function creatable(context: Context, model: Model, changes: Changes) {
  assertStaffCreate(context, model)
  const { related } = await resolve(context, model, changes)
  assertMayCreate(context, model, related)
  return { sent: Object.fromEntries(changes.attributes), related }
}

/** A created row, with the values that are returned once. */
export type Created = { readonly row: ServedRow; readonly returned: Readonly<Record<string, unknown>> }

/** Inserts a row and runs its hooks; `admitted` runs before, once it is clear that the actor may. */
export async function create(
  context: Context,
  model: Model,
  changes: Changes,
  admitted: () => Promise<void>,
): Promise<Created> {
  assertStaffCreate(context, model)
  const { columns, related } = await resolve(context, model, changes)
  assertMayCreate(context, model, related)
  await admitted()
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
  return { row, returned: once?.returned ?? {} }
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

import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { runnerOf, type ServedRow } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import type { RelationModel } from '#platform/jsonapi/declare/model.ts'
import { idsStatement } from '#platform/jsonapi/read/statements.ts'
import type { Reference } from './document.ts'
import { assertMay, assertMayChange, changeRows, lookUp } from './rows.ts'

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

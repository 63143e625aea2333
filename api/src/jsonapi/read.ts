import type { Actor } from '../db/context.ts'
import type { Runner, ServedRow } from '../db/pool.ts'
import { loadIncluded } from './include.ts'
import { type Model, parseId, type RelationModel } from './model.ts'
import type { Query } from './query.ts'
import { type Listed, renderLinkage, renderList, renderOne } from './render.ts'
import { countStatement, idsStatement, type ListShape, listStatement } from './statements.ts'
import { type Entry, Store } from './store.ts'
import { notFound } from './write.ts'

/** Where a list hangs: on its type, or on one row of another. */
type Parent = { readonly relation: RelationModel; readonly id: number | string }

export type Reading = { readonly run: Runner; readonly actor: Actor; readonly self: string }

function shapeOf(model: Model, query: Query, parent: Parent | undefined): ListShape {
  const names = [...query.filters.keys()]
  return {
    // The account is not one filter among others: it is which account's list this is.
    filters: names.filter((name) => name !== 'client_id' || model.binding.account === undefined).sort(),
    byId: query.ids !== undefined,
    sorts: query.sorts,
    parent: parent?.relation.column,
    byAccount:
      model.binding.account !== undefined && (parent === undefined || query.filters.has('client_id')),
  }
}

async function loadPage(
  reading: Reading,
  model: Model,
  query: Query,
  store: Store,
  parent?: Parent,
): Promise<Listed> {
  const { run, actor, self } = reading
  const account = query.filters.get('client_id')
  const shape = shapeOf(model, query, parent)
  const values = {
    actor,
    filters: query.filters,
    account: typeof account === 'number' ? account : actor.id,
    ...(query.ids && { ids: query.ids }),
    ...(parent && { parents: { [parent.relation.column]: [parent.id] } }),
    limit: query.page.size,
    offset: (query.page.number - 1) * query.page.size,
  }
  const rows = await run.run<ServedRow>(listStatement(model, shape, values))
  const counted =
    rows.length > 0 || query.page.number === 1
      ? rows
      : await run.run<ServedRow>(countStatement(model, shape, values))
  const path = self.split('?', 1)[0] ?? self
  const entries = rows.map((row) => store.add(model, row))
  return { entries, total: Number(counted[0]?._total ?? 0), path, self }
}

/** GET /{type}: one statement for the page and its total, one for each included type. */
export async function readList(
  reading: Reading,
  model: Model,
  query: Query,
  parent?: Parent,
): Promise<string> {
  const store = new Store()
  const list = await loadPage(reading, model, query, store, parent)
  await loadIncluded(reading.run, store, reading.actor, query.include, list.entries)
  return renderList(model, list, store, query, reading.actor)
}

/** One row as the actor sees it; hidden and absent are both 404. */
async function readEntry(reading: Reading, model: Model, id: string, store: Store): Promise<Entry> {
  const known = parseId(model, id)
  const ids = known === undefined ? [] : [known]
  const rows =
    known === undefined
      ? []
      : await reading.run.run<ServedRow>(idsStatement(model, { actor: reading.actor, ids }))
  if (!rows[0]) throw notFound(model)
  return store.add(model, rows[0])
}

async function renderEntry(
  reading: Reading,
  entry: Entry | null,
  store: Store,
  query: Query,
): Promise<string> {
  await loadIncluded(reading.run, store, reading.actor, query.include, entry ? [entry] : [])
  return renderOne(entry, store, query, reading.actor, reading.self)
}

/** GET /{type}/{id}, and what a write answers. */
export async function readOne(reading: Reading, model: Model, id: string, query: Query): Promise<string> {
  const store = new Store()
  return renderEntry(reading, await readEntry(reading, model, id, store), store, query)
}

async function readTarget(reading: Reading, relation: RelationModel, parent: Entry): Promise<Entry | null> {
  const tree = new Map([[relation.name, { relation, children: new Map() }]])
  await loadIncluded(reading.run, new Store(), reading.actor, tree, [parent])
  const target = parent.linkage?.get(relation.name)
  return Array.isArray(target) ? null : (target ?? null)
}

/** GET /{type}/{id}/{relationship}: the resources themselves. `query` was checked against the related type. */
export async function readRelated(
  reading: Reading,
  model: Model,
  id: string,
  relation: RelationModel,
  query: Query,
): Promise<string> {
  const parent = await readEntry(reading, model, id, new Store())
  if (relation.kind === 'to-many')
    return readList(reading, relation.target, query, { relation, id: parent.id })
  const target = await readTarget(reading, relation, parent)
  const store = new Store()
  return renderEntry(reading, target && store.add(relation.target, target.row), store, query)
}

/** GET /{type}/{id}/relationships/{relationship}: identifiers only. */
export async function readLinkage(
  reading: Reading,
  model: Model,
  id: string,
  relation: RelationModel,
  query: Query,
): Promise<string> {
  const parent = await readEntry(reading, model, id, new Store())
  const related = `${model.path}/${parent.id}/${relation.name}`
  if (relation.kind === 'to-one')
    return renderLinkage(reading.self, related, await readTarget(reading, relation, parent))
  const list = await loadPage(reading, relation.target, query, new Store(), { relation, id: parent.id })
  return renderLinkage(reading.self, related, { list, query })
}

import type { Actor } from '#platform/context.ts'
import type { Row, Runner, ServedRow } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { isWhole } from '#platform/jsonapi/declare/may.ts'
import { type Model, parseId, type RelationModel } from '#platform/jsonapi/declare/model.ts'
import type { Values } from '#platform/jsonapi/declare/symbolic-actor.ts'
import { notFound } from '#platform/jsonapi/write/rows.ts'
import { loadIncluded } from './include.ts'
import type { Query } from './query.ts'
import { type Listed, renderLinkage, renderList, renderOne } from './render.ts'
import { countStatement, deepStatement, idsStatement, type ListShape, listStatement } from './statements.ts'
import { type Entry, Store } from './store.ts'

/** The parent of a related list: a relationship and the id of its row. */
type Parent = { readonly relation: RelationModel; readonly id: number | string }

export type Reading = {
  readonly run: Runner
  readonly actor: Actor
  readonly self: string
  /** For staff: notes how many rows of a type a list is about to answer; may refuse it. */
  readonly listed?: (model: Model, rows: number) => Promise<void>
}

/**
 * Whether a list without an account filter shows the reader's own account. Staff own nothing and see every
 * account, and rows selected by id may belong to any.
 */
const isOfOwn = (actor: Actor, { ids }: Query, parent: Parent | undefined): boolean =>
  parent === undefined && !actor.staff && ids === undefined

function shapeOf(actor: Actor, model: Model, query: Query, parent: Parent | undefined): ListShape {
  const names = [...query.filters.keys()]
  const { account, accountOf = {} } = model.binding
  const isNamed = query.filters.has('client_id')
  // An actor who sees only their own rows has a known account.
  // Without grants the reader's own account is every account, and its index is used.
  const isEvery =
    !isNamed && actor.grants.length > 0 && names.some((name) => name === model.binding.everyAccount)
  const isAsked = !isNamed && parent === undefined && !actor.staff && actor.grants.length > 0
  const accountBy = isAsked ? names.filter((name) => Object.hasOwn(accountOf, name)).sort() : []
  return {
    // The account is no ordinary filter: it decides whose list this is.
    filters: names.filter((name) => name !== 'client_id' || account === undefined).sort(),
    byId: query.ids !== undefined,
    sorts: query.sorts,
    parent: parent?.relation.column,
    byAccount:
      account !== undefined &&
      (isNamed || (isOfOwn(actor, query, parent) && accountBy.length === 0 && !isEvery)),
    accountBy,
  }
}

/** The account of a list; undefined where it is selected by ids, or hangs on a row that is not an account. */
function accountOf(actor: Actor, model: Model, query: Query, parent: Parent | undefined): number | undefined {
  const asked = query.filters.get('client_id')
  if (typeof asked === 'number') return asked
  if (parent === undefined) return query.ids ? undefined : actor.id
  return parent.relation.column === model.binding.account ? Number(parent.id) : undefined
}

/** Whether a list may hold rows that the actor sees only in part. */
function isPartial({ binding }: Model, actor: Actor, account: number | undefined): boolean {
  const { part } = binding.policy
  if (part === undefined) return false
  if (actor.staff) return true
  if (account === actor.id) return false
  const accounts = account === undefined ? actor.grants.map(({ owner }) => owner) : [account]
  return accounts.some((one) => part.concerns(actor, one))
}

/**
 * Allows only readable fields to sort and filter such a list, because the order would disclose the others.
 * Returns the order to use.
 */
function readableSorts(model: Model, query: Query): Query['sorts'] {
  const hidden = (name: string) => Object.hasOwn(model.contract.attributes, name) && !model.partial?.has(name)
  const refuseHidden = (parameter: string) => {
    throw refuse('field_hidden', {}, { source: { parameter } })
  }
  if (query.sorts.some(({ name }) => hidden(name))) refuseHidden('sort')
  for (const name of query.filters.keys())
    if (name !== 'client_id' && hidden(name)) refuseHidden(`filter[${name}]`)
  return query.sorts.length > 0 ? query.sorts : [{ name: 'id', descending: false }]
}

/** The shape of a list's statement, and its values. */
export function listingOf(actor: Actor, model: Model, query: Query, parent?: Parent) {
  const account = accountOf(actor, model, query, parent)
  const sorts = isPartial(model, actor, account) ? readableSorts(model, query) : query.sorts
  const shape: ListShape = { ...shapeOf(actor, model, query, parent), sorts }
  const values = {
    actor,
    filters: query.filters,
    account: account ?? actor.id,
    ...(query.ids && { ids: query.ids }),
    ...(parent && { parents: { [parent.relation.column]: [parent.id] } }),
    limit: query.page.size,
    offset: (query.page.number - 1) * query.page.size,
  }
  return { shape, values }
}

/** The values of a list's statement with its page. */
type PageValues = Values & { readonly limit: number; readonly offset: number }

// Each row that a page skips is read, so a page far from the beginning is read from whichever end is nearer.
const deepOffset = 1000

type Counted = { readonly rows: readonly ServedRow[]; readonly counted: Row | undefined }

/** A page far from the beginning of a long list: counted first, to know where its end is. */
async function deepPage(run: Runner, model: Model, shape: ListShape, values: PageValues): Promise<Counted> {
  const [counted] = await run.run<ServedRow>(countStatement(model, shape, values))
  const left = totalsOf(model, shape, counted).total - values.offset
  if (left <= 0) return { rows: [], counted }
  const reversed = left < values.offset
  const limit = Math.min(values.limit, left)
  const place = reversed ? { limit, offset: left - limit } : {}
  return { rows: await run.run(deepStatement(model, shape, { ...values, ...place }, reversed)), counted }
}

async function countedPage(
  run: Runner,
  model: Model,
  shape: ListShape,
  values: PageValues,
): Promise<Counted> {
  if (model.binding.pageFirst && values.offset >= deepOffset) return deepPage(run, model, shape, values)
  const rows = await run.run<ServedRow>(listStatement(model, shape, values))
  if (rows.length > 0 || values.offset === 0) return { rows, counted: rows[0] }
  const [counted] = await run.run<ServedRow>(countStatement(model, shape, values))
  return { rows, counted }
}

async function loadPage(
  reading: Reading,
  model: Model,
  query: Query,
  store: Store,
  parent?: Parent,
): Promise<Listed> {
  const { run, actor, self } = reading
  const { shape, values } = listingOf(actor, model, query, parent)
  const { rows, counted } = await countedPage(run, model, shape, values)
  const path = self.split('?', 1)[0] ?? self
  return {
    entries: rows.map((row) => store.add(model, row)),
    ...totalsOf(model, shape, counted),
    account: listedAccount(model, rows[0]) ?? values.account,
    path,
    self,
  }
}

/** The account of a list whose filters named it by a row. */
const listedAccount = ({ binding }: Model, row: Row | undefined): number | undefined =>
  binding.account === undefined || row === undefined ? undefined : Number(row[binding.account])

/** Whether all rows of a list are of one account. Others may be in several currencies, which nobody adds up. */
const isOfOneAccount = ({ binding: { accountOf = {} } }: Model, shape: ListShape): boolean =>
  shape.byAccount ||
  shape.parent !== undefined ||
  [...shape.accountBy, ...shape.filters].some((name) => Object.hasOwn(accountOf, name))

/**
 * Reads the totals that each row carries of the whole list; without a row there are none, and no sums of
 * several accounts.
 */
function totalsOf(model: Model, shape: ListShape, row: Row | undefined): Pick<Listed, 'total' | 'totals'> {
  // `listStatement` writes an object with sums; a count alone is a column of the row.
  const of = (row?._totals ?? row ?? {}) as Row
  const totals = isOfOneAccount(model, shape) ? model.binding.totals : undefined
  const sums = Object.keys(totals?.sums ?? {}).map((name) => [name, Number(of[name] ?? 0)])
  return { total: Number(of._total ?? 0), totals: sums.length > 0 ? Object.fromEntries(sums) : undefined }
}

/** GET /{type}: one statement for the page and its total, and one for each included type. */
export async function readList(
  reading: Reading,
  model: Model,
  query: Query,
  parent?: Parent,
): Promise<Buffer> {
  const store = new Store()
  const list = await loadPage(reading, model, query, store, parent)
  await loadIncluded(reading.run, store, reading.actor, query.include, list.entries)
  if (reading.listed) for (const [of, rows] of store.counts()) await reading.listed(of, rows)
  return renderList(model, list, store, query, reading.actor)
}

/** One row as the actor sees it; hidden and absent rows are both 404. */
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

/** A row as the actor sees it, without a document. Throws `not_found`. */
export async function seenRow(reading: Reading, model: Model, id: string): Promise<ServedRow> {
  return (await readEntry(reading, model, id, new Store())).row
}

async function renderEntry(
  reading: Reading,
  entry: Entry | null,
  store: Store,
  query: Query,
): Promise<Buffer> {
  await loadIncluded(reading.run, store, reading.actor, query.include, entry ? [entry] : [])
  return renderOne(entry, store, query, reading.actor, reading.self)
}

/** A row whose relationships may be followed; a row that is visible only in part has none. */
async function readParent(reading: Reading, model: Model, id: string): Promise<Entry> {
  const entry = await readEntry(reading, model, id, new Store())
  if (!isWhole(model, reading.actor, entry.row)) throw notFound(model)
  return entry
}

/** GET /{type}/{id}, and the answer to a write. `returned`: values that only this answer contains. */
export async function readOne(
  reading: Reading,
  model: Model,
  id: string,
  query: Query,
  returned: Readonly<Record<string, unknown>> = {},
): Promise<Buffer> {
  const store = new Store()
  const entry = await readEntry(reading, model, id, store)
  Object.assign(entry.row, returned)
  return renderEntry(reading, entry, store, query)
}

async function readTarget(reading: Reading, relation: RelationModel, parent: Entry): Promise<Entry | null> {
  const tree = new Map([[relation.name, { relation, children: new Map() }]])
  await loadIncluded(reading.run, new Store(), reading.actor, tree, [parent])
  const target = parent.linkage?.get(relation.name)
  return Array.isArray(target) ? null : (target ?? null)
}

/** GET /{type}/{id}/{relationship}: the resources. `query` was validated against the related type. */
export async function readRelated(
  reading: Reading,
  model: Model,
  id: string,
  relation: RelationModel,
  query: Query,
): Promise<Buffer> {
  const parent = await readParent(reading, model, id)
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
): Promise<Buffer> {
  const parent = await readParent(reading, model, id)
  const related = `${model.path}/${parent.id}/${relation.name}`
  if (relation.kind === 'to-one')
    return renderLinkage(reading.self, related, await readTarget(reading, relation, parent))
  const list = await loadPage(reading, relation.target, query, new Store(), { relation, id: parent.id })
  return renderLinkage(reading.self, related, { list, query })
}

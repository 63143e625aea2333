import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { builder, type Statement } from '#platform/db/pool.ts'
import type { Model } from '#platform/jsonapi/declare/model.ts'
import { conditionOf, nobody } from '#platform/jsonapi/declare/policy.ts'
import {
  fill,
  Slot,
  type SymbolicActor,
  symbolicOf,
  type Values,
} from '#platform/jsonapi/declare/symbolic-actor.ts'
import {
  allOf,
  columnRef,
  eb,
  filterCondition,
  isChild,
  isId,
  orderBy,
  own,
  selected,
  visible,
} from './conditions.ts'
import type { Sort } from './query.ts'

/** A compiled statement with open values: built once per shape, run with the values of each request. */
type Compiled = { readonly sql: string; readonly parameters: readonly unknown[] }

// Shapes vary by filters, sorts and includes. The contract bounds their number, but the power set is large,
// so the cache is bounded too.
const mostShapes = 500
const shapes = new WeakMap<Model, Map<string, Compiled>>()

function compiled(
  model: Model,
  shape: string,
  values: Values,
  build: (actor: SymbolicActor) => RawBuilder<unknown>,
): Compiled {
  const actor = symbolicOf(values.actor)
  const key = `${kindOf(actor)}|${shape}`
  let ofModel = shapes.get(model)
  if (!ofModel || ofModel.size >= mostShapes) {
    ofModel = new Map()
    shapes.set(model, ofModel)
  }
  const known = ofModel.get(key)
  if (known) return known
  const made = build(actor).compile(builder)
  ofModel.set(key, made)
  return made
}

function kindOf({ staff, key, view, guest }: SymbolicActor): string {
  if (staff) return 'staff'
  if (key) return 'key'
  if (view) return 'view'
  return guest ? 'guest' : 'owner'
}

function statement(shape: Compiled, values: Values): Statement {
  return { sql: shape.sql, values: fill(shape.parameters, values) }
}

/** The shape of a list's statement, apart from its page. */
export type ListShape = {
  readonly filters: readonly string[]
  readonly byId: boolean
  readonly sorts: readonly Sort[]
  /** The foreign key column, for the children of one parent. */
  readonly parent: string | undefined
  /** Restricted to one account. */
  readonly byAccount: boolean
  /** Filters by whose rows the account is found. */
  readonly accountBy: readonly string[]
}

/**
 * The condition for rows of the account that owns the row in the filter. The account comparison uses the
 * index that begins with the account.
 */
function accountCondition({ binding }: Model, column: RawBuilder<unknown>, filter: string) {
  const id = new Slot(({ filters }) => filters?.get(filter))
  return sql<SqlBool>`${column} = (select named.client_id
    from ${sql.table(binding.accountOf?.[filter] ?? '')} named where named.id = ${id})`
}

function listConditions(model: Model, shape: ListShape, actor: SymbolicActor): Expression<SqlBool>[] {
  const { account } = model.binding
  return [
    ...visible(model, actor),
    ...(shape.parent === undefined ? [] : [isChild(model, shape.parent)]),
    ...(shape.byAccount && account
      ? [sql<SqlBool>`${columnRef(model, account)} = ${new Slot((v) => v.account)}`]
      : []),
    ...(account
      ? shape.accountBy.map((name) => accountCondition(model, columnRef(model, account), name))
      : []),
    ...(shape.byId ? [isId(model)] : []),
    ...shape.filters.map((name) => filterCondition(model, name, actor)),
  ]
}

function shapeKey(verb: string, shape: ListShape): string {
  const sorts = shape.sorts.map(({ name, descending }) => (descending ? `-${name}` : name))
  return [verb, shape.filters, shape.byId, sorts, shape.parent, shape.byAccount, shape.accountBy].join('|')
}

/**
 * The source for counting a list: its own rows, or a table with precomputed sums aliased to the same name.
 */
function countedIn(
  { binding }: Model,
  shape: ListShape,
  actor: SymbolicActor,
): { from: RawBuilder<unknown>; count: RawBuilder<unknown> } {
  const table = sql.table(binding.table)
  const kept =
    // Precomputed sums are not kept per workspace, which a key may be limited to.
    shape.byId || shape.parent !== undefined || actor.key !== undefined
      ? undefined
      : binding.totals?.kept.find(({ filters }) => shape.filters.every((name) => filters.includes(name)))
  if (!kept) return { from: table, count: sql`count(*)` }
  return {
    from: sql`${sql.table(kept.table)} as ${table}`,
    count: sql`coalesce(sum(${sql.ref(`${binding.table}.${kept.count}`)}), 0)`,
  }
}

/** The number of rows on all pages, with their sums where the type has some. */
function countOf(model: Model, shape: ListShape, actor: SymbolicActor): RawBuilder<unknown> {
  const { from, count } = countedIn(model, shape, actor)
  const sums = Object.entries(model.binding.totals?.sums ?? {}).map(
    ([name, each]) => sql`, coalesce(sum(${each}), 0) as ${sql.ref(name)}`,
  )
  return sql`select ${count} as _total${sql.join(sums, sql``)} from ${from}
    where ${allOf(listConditions(model, shape, actor))}`
}

/** The rows of one page, by an offset from the beginning of the list, or with `reversed` from its end. */
function pageOf(
  model: Model,
  shape: ListShape,
  actor: SymbolicActor,
  reversed: boolean,
): RawBuilder<unknown> {
  return sql`from ${sql.table(model.binding.table)} where ${allOf(listConditions(model, shape, actor))}
    order by ${orderBy(model, shape.sorts, reversed)}
    limit ${new Slot(({ limit }) => limit)} offset ${new Slot(({ offset }) => offset)}`
}

/** The columns of the rows whose ids a page has, in the order of the list. */
function pageFirst(
  model: Model,
  shape: ListShape,
  { columns, page }: { readonly columns: RawBuilder<unknown>; readonly page: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const id = sql.ref(`${model.binding.table}.id`)
  return sql`select ${columns} from ${sql.table(model.binding.table)}
    where ${id} = any(array(select ${id} ${page})) order by ${orderBy(model, shape.sorts)}`
}

/** One page of rows. Each row carries the total of all pages as `_total`, or with sums as `_totals`. */
export function listStatement(model: Model, shape: ListShape, values: Values): Statement {
  const build = (actor: SymbolicActor) => {
    const counted = countOf(model, shape, actor)
    const total = model.binding.totals
      ? sql`(select to_json(t) from (${counted}) t) as _totals`
      : sql`(${counted}) as _total`
    const columns = sql`${selected(model, actor)}, ${total}`
    const page = pageOf(model, shape, actor, false)
    return model.binding.pageFirst
      ? pageFirst(model, shape, { columns, page })
      : sql`select ${columns} ${page}`
  }
  return statement(compiled(model, shapeKey('list', shape), values, build), values)
}

/** One page of a type that finds the ids first, without a total; `reversed`: the offset is from the end of the list. */
export function deepStatement(model: Model, shape: ListShape, values: Values, reversed: boolean): Statement {
  const build = (actor: SymbolicActor) =>
    pageFirst(model, shape, {
      columns: selected(model, actor),
      page: pageOf(model, shape, actor, reversed),
    })
  const verb = reversed ? 'from the end' : 'deep'
  return statement(compiled(model, shapeKey(verb, shape), values, build), values)
}

/**
 * The number of rows: needed only for a page past the end, which has no row to carry the total, and for
 * exports.
 */
export function countStatement(model: Model, shape: ListShape, values: Values): Statement {
  const build = (actor: SymbolicActor) => countOf(model, shape, actor)
  return statement(compiled(model, shapeKey('count', shape), values, build), values)
}

/** All rows of a list, for an export. */
export function exportStatement(model: Model, shape: ListShape, values: Values): Statement {
  const build = (actor: SymbolicActor) => {
    const cells = Object.entries(model.binding.csv ?? {}).map(
      ([heading, of]) =>
        sql`${typeof of === 'function' ? of(eb, actor) : columnRef(model, of)} as ${sql.ref(heading)}`,
    )
    return sql`select ${sql.join(cells)} from ${sql.table(model.binding.table)}
      where ${allOf(listConditions(model, shape, actor))} order by ${orderBy(model, shape.sorts)}`
  }
  return statement(compiled(model, shapeKey('export', shape), values, build), values)
}

/** Visible rows by id; with `lock`, locked until the transaction ends. */
export function idsStatement(
  model: Model,
  values: Values,
  lock: '' | 'share' | 'no key update' = '',
): Statement {
  const build = (actor: SymbolicActor) => {
    const held = lock === '' ? sql`` : sql` for ${sql.raw(lock)} of ${sql.table(model.binding.table)}`
    const where = allOf([...visible(model, actor), isId(model)])
    return sql`select ${selected(model, actor)} from ${sql.table(model.binding.table)} where ${where}${held}`
  }
  return statement(compiled(model, `ids|${lock}`, values, build), values)
}

/** All rows of one type for one include level: by id, by foreign key columns, or both. */
export function relatedStatement(
  model: Model,
  byId: boolean,
  parentColumns: readonly string[],
  values: Values,
): Statement {
  const build = (actor: SymbolicActor) => {
    const wanted = [...(byId ? [isId(model)] : []), ...parentColumns.map((column) => isChild(model, column))]
    return sql`select ${selected(model, actor)} from ${sql.table(model.binding.table)}
      where ${allOf(visible(model, actor))} and (${sql.join(wanted, sql` or `)})
      order by ${columnRef(model, 'id')} limit ${new Slot(({ limit }) => limit)}`
  }
  return statement(compiled(model, `related|${byId}|${parentColumns.join()}`, values, build), values)
}

/**
 * Changes rows by id. The statement repeats the permission check, because a permission may be revoked between
 * the read and the write; the change then matches no row.
 */
export function changeStatement(
  model: Model,
  verb: 'update' | 'delete',
  changes: Readonly<Record<string, unknown>>,
  values: Values,
): Statement {
  const actor = symbolicOf(values.actor)
  const rule = model.rules.get(verb) ?? nobody
  const table = sql.table(model.binding.table)
  const where = allOf([isId(model), ...visible(model, actor), conditionOf(rule, model.binding.table, actor)])
  const change =
    verb === 'delete'
      ? sql`delete from ${table}`
      : sql`update ${table} set ${sql.join(
          Object.entries(changes).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
        )}`
  const { sql: text, parameters } = sql`${change} where ${where} returning ${own(model)}`.compile(builder)
  return { sql: text, values: fill(parameters, values) }
}

import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { keyCondition } from '#platform/jsonapi/declare/key-reach.ts'
import type { Model } from '#platform/jsonapi/declare/model.ts'
import { asksDatabase, conditionOf, gradeColumn } from '#platform/jsonapi/declare/policy.ts'
import { Slot, type SymbolicActor, type Values } from '#platform/jsonapi/declare/symbolic-actor.ts'
import { isClosedToViews } from '#platform/jsonapi/declare/view-reach.ts'
import type { Sort } from './query.ts'

// The binding type-checked its conditions against its own table; this builder has no table.
export const eb = expressionBuilder() as never

const arrays = { integer: 'int8[]', text: 'text[]' } as const

export function columnRef(model: Model, column: string): RawBuilder<unknown> {
  return sql.ref(`${model.binding.table}.${column}`)
}

function isOneOf(model: Model, column: string, type: 'integer' | 'text', read: (values: Values) => unknown) {
  return sql<SqlBool>`${columnRef(model, column)} = any(${new Slot(read)}::${sql.raw(arrays[type])})`
}

export const isId = (model: Model) => isOneOf(model, 'id', model.contract.id, ({ ids }) => ids)

export const isChild = (model: Model, column: string) =>
  isOneOf(model, column, model.parentKeys.get(column) ?? 'integer', ({ parents }) => parents?.[column])

function hasThisName(model: Model, read: (values: Values) => unknown, actor: SymbolicActor) {
  const computed = model.binding.columns.name
  const name = typeof computed === 'function' ? computed(eb, actor) : columnRef(model, computed ?? 'name')
  return sql<SqlBool>`lower(${name}) = lower(${new Slot(read)})`
}

export function filterCondition(model: Model, name: string, actor: SymbolicActor): Expression<SqlBool> {
  const bound = model.binding.filters[name]
  const read = ({ filters }: Values) => filters?.get(name)
  if (typeof bound === 'function') return bound(eb, sql<string>`${new Slot(read)}`, actor)
  if (bound === undefined && name === 'name') return hasThisName(model, read, actor)
  return sql<SqlBool>`${columnRef(model, bound ?? name)} = ${new Slot(read)}`
}

/**
 * Columns with the results of the rules that only the database can evaluate, one bit per rule; none when
 * there are no such rules.
 */
function grade(model: Model, actor: SymbolicActor): RawBuilder<unknown>[] {
  const bits = [...model.bits].flatMap(([name, bit]) => {
    const rule = model.rules.get(name)
    if (rule === undefined || !asksDatabase(rule, actor)) return []
    const condition = conditionOf(rule, model.binding.table, actor)
    return [sql`case when ${condition} then ${sql.lit(2 ** bit)} else 0 end`]
  })
  return bits.length === 0 ? [] : [sql`, (${sql.join(bits, sql` + `)}) as ${sql.ref(gradeColumn)}`]
}

/**
 * The columns of the type's own table, one by one: the cached plan of `select *` fails once the table gets
 * another column.
 */
export function own({ binding: { table, stored } }: Model): RawBuilder<unknown> {
  return sql.join(stored.map((column) => sql.ref(`${table}.${column}`)))
}

export function selected(model: Model, actor: SymbolicActor): RawBuilder<unknown> {
  const computed = model.computed.map((name) => {
    const bound = model.binding.columns[name]
    return sql`, ${typeof bound === 'function' ? bound(eb, actor) : sql.ref(name)} as ${sql.ref(name)}`
  })
  return sql`${own(model)}${sql.join([...computed, ...grade(model, actor)], sql``)}`
}

/** The conditions for the rows that the actor sees. */
export function visible(model: Model, actor: SymbolicActor): Expression<SqlBool>[] {
  const { binding } = model
  return [
    ...(binding.present ? [binding.present(eb)] : []),
    conditionOf(binding.policy.read, binding.table, actor),
    ...(actor.key ? [keyCondition(model, actor.key)] : []),
    ...(actor.view && isClosedToViews(model) ? [sql<SqlBool>`false`] : []),
  ]
}

export function allOf(conditions: readonly Expression<SqlBool>[]): RawBuilder<SqlBool> {
  return sql`${sql.join([...conditions], sql` and `)}`
}

function sortColumn(model: Model, name: string): RawBuilder<unknown> {
  if (model.computed.includes(name)) return sql.ref(name)
  return columnRef(model, model.binding.sorts[name] ?? model.column(name) ?? name)
}

/** The order of a list, or with `reversed` from its end. */
export function orderBy(model: Model, sorts: readonly Sort[], reversed = false): RawBuilder<unknown> {
  const asked = sorts.length > 0 ? sorts : standardOrder(model)
  const directed = (column: RawBuilder<unknown>, descending = false) =>
    descending === reversed ? column : sql`${column} desc`
  const parts = asked.map(({ name, descending }) => directed(sortColumn(model, name), descending))
  // The id takes the direction of the last sort, so that one index serves both directions.
  if (!asked.some(({ name }) => name === 'id'))
    parts.push(directed(columnRef(model, 'id'), asked.at(-1)?.descending))
  return sql.join(parts)
}

function standardOrder(model: Model): readonly Sort[] {
  const { order } = model.binding
  if (order === undefined) return []
  return [{ name: order.replace(/^-/, ''), descending: order.startsWith('-') }]
}

import { searchParameter } from '@portico/contract/fields.ts'
import { aliases, hasName, type Schema } from '@portico/contract/jsonapi.ts'
import { faultOf } from '@portico/contract/refusals/fields.ts'
import { pageSize } from '@portico/contract/wire.ts'
import * as z from 'zod/mini'
import { Problem, type Refusal, reason } from '#platform/errors/problem.ts'
import type { Model, RelationModel } from '#platform/jsonapi/declare/model.ts'

/** A node of the include tree: the requested relationships besides the primary data. */
export type IncludeNode = { readonly relation: RelationModel; readonly children: IncludeTree }
export type IncludeTree = ReadonlyMap<string, IncludeNode>
export type FieldSets = ReadonlyMap<string, ReadonlySet<string>>

export type Sort = { readonly name: string; readonly descending: boolean }

/**
 * A query string validated against its type. Immutable, so that it can be cached and shared between requests.
 */
export type Query = {
  readonly include: IncludeTree
  readonly fields: FieldSets
  readonly filters: ReadonlyMap<string, unknown>
  readonly ids: readonly (number | string)[] | undefined
  readonly sorts: readonly Sort[]
  readonly page: { readonly number: number; readonly size: number }
  /** Every parameter except `page[number]`, for the links to other pages. */
  readonly rest: string
}

/** The parameters that a call accepts. */
export type Accepted = 'list' | 'one' | 'linkage' | 'export' | 'none'

// The maximum depth of an include path: unlimited fan-out would turn one request into many, and no screen
// needs more.
const deepest = 4
const mostPaths = 20
const mostIds = 100
const highestPage = 10_000_000

type Pair = readonly [name: string, value: string]

const byAlias = new Map(Object.entries(aliases))

const bad = (parameter: string, refusal: Refusal): Problem =>
  new Problem(refusal, { status: 400, source: { parameter } })

function decode(text: string, parameter: string): string {
  let decoded: string
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw bad(parameter, reason('parameter_encoding'))
  }
  if (decoded.includes('\0')) throw bad(parameter, reason('parameter_null'))
  return decoded
}

/** Splits a raw query string. Refuses a repeated parameter, because it would be ambiguous. */
export function pairsOf(raw: string): Pair[] {
  const seen = new Set<string>()
  const pairs: Pair[] = []
  for (const part of raw.split('&')) {
    if (part === '') continue
    const at = part.indexOf('=')
    const name = decode(at < 0 ? part : part.slice(0, at), 'query')
    if (seen.has(name)) throw bad(name, reason('parameter_repeated', { name }))
    seen.add(name)
    pairs.push([name, decode(at < 0 ? '' : part.slice(at + 1), name)])
  }
  return pairs
}

type MutableTree = Map<string, { relation: RelationModel; children: MutableTree }>

function addPath(root: MutableTree, model: Model, path: string): void {
  const names = path.split('.')
  if (names.length > deepest) throw bad('include', reason('include_too_deep', { path, most: deepest }))
  let tree = root
  let at = model
  for (const name of names) {
    const relation = at.relations.get(name)
    if (!relation)
      throw bad('include', reason('include_unknown', { type: at.name, name: JSON.stringify(name) }))
    const node = tree.get(name) ?? { relation, children: new Map() }
    tree.set(name, node)
    tree = node.children
    at = relation.target
  }
}

function parseInclude(model: Model, value: string): IncludeTree {
  const root: MutableTree = new Map()
  const paths = value === '' ? [] : value.split(',')
  if (paths.length > mostPaths) throw bad('include', reason('include_paths_most', { most: mostPaths }))
  for (const path of paths) addPath(root, model, path)
  return root
}

function parseFields(models: ReadonlyMap<string, Model>, parameter: string, type: string, value: string) {
  const model = models.get(type)
  if (!model) throw bad(parameter, reason('type_unknown', { type: JSON.stringify(type) }))
  const names = value === '' ? [] : value.split(',').map((name) => byAlias.get(name) ?? name)
  for (const name of names) {
    if (!Object.hasOwn(model.contract.attributes, name) && !model.relations.has(name))
      throw bad(parameter, reason('fieldset_unknown', { type, name: JSON.stringify(name) }))
  }
  return new Set(names)
}

function parseSort(model: Model, value: string): Sort[] {
  const sorts = value.split(',').map((text) => {
    const descending = text.startsWith('-')
    const asked = descending ? text.slice(1) : text
    const name = byAlias.get(asked) ?? asked
    if (name !== 'id' && !model.contract.sorts.includes(name))
      throw bad('sort', reason('sort_unknown', { type: model.name, name: JSON.stringify(asked) }))
    return { name, descending }
  })
  if (new Set(sorts.map(({ name }) => name)).size < sorts.length) throw bad('sort', reason('sort_twice'))
  return sorts
}

function filterSchema({ contract }: Model, name: string): Schema | undefined {
  if (Object.hasOwn(contract.filters, name)) return contract.filters[name]
  return name === 'name' && hasName(contract) ? searchParameter : undefined
}

function parseFilter(model: Model, parameter: string, name: string, value: string): unknown {
  const schema = filterSchema(model, name)
  if (!schema)
    throw bad(parameter, reason('filter_unknown', { type: model.name, name: JSON.stringify(name) }))
  if (!value.isWellFormed()) throw bad(parameter, reason('parameter_surrogate'))
  const checked = z.safeParse(schema, value)
  if (!checked.success) throw bad(parameter, faultOf(checked.error.issues[0]?.message ?? ''))
  return checked.data
}

function parseIds(parameter: string, value: string): string[] {
  const ids = value.split(',')
  if (ids.length > mostIds) throw bad(parameter, reason('ids_most', { most: mostIds }))
  return ids
}

function wholeNumber(parameter: string, value: string, max: number): number {
  const number = /^[1-9][0-9]{0,8}$/.test(value) ? Number(value) : Number.NaN
  if (!(number <= max)) throw bad(parameter, reason('page_number_invalid', { most: max }))
  return number
}

const bracket = /^(fields|filter|page)\[([^[\]]+)\]$/

type Draft = {
  include: IncludeTree
  fields: Map<string, ReadonlySet<string>>
  filters: Map<string, unknown>
  ids: string[] | undefined
  sorts: Sort[]
  number: number
  size: number
}

const allowed: Record<Accepted, ReadonlySet<string>> = {
  list: new Set(['include', 'fields', 'filter', 'sort', 'page']),
  one: new Set(['include', 'fields']),
  linkage: new Set(['filter', 'sort', 'page']),
  export: new Set(['filter', 'sort']),
  none: new Set(),
}

function take(draft: Draft, models: ReadonlyMap<string, Model>, model: Model, [name, value]: Pair): boolean {
  const [, family = name, inner] = bracket.exec(name) ?? []
  if (family === 'include' && inner === undefined) draft.include = parseInclude(model, value)
  else if (family === 'sort' && inner === undefined) draft.sorts = parseSort(model, value)
  else if (family === 'fields' && inner) draft.fields.set(inner, parseFields(models, name, inner, value))
  else if (name === 'filter[id]') draft.ids = parseIds(name, value)
  else if (family === 'filter' && inner) draft.filters.set(inner, parseFilter(model, name, inner, value))
  else if (name === 'page[number]') draft.number = wholeNumber(name, value, highestPage)
  else if (name === 'page[size]') draft.size = wholeNumber(name, value, pageSize.max)
  else return false
  return true
}

/**
 * Validates a raw query string against a type. Every fault is a 400 `bad_parameter` that names the parameter:
 * unknown or repeated ones, unknown includes, fields, filters and sorts, values out of range.
 */
export function parseQuery(
  models: ReadonlyMap<string, Model>,
  model: Model,
  raw: string,
  accepted: Accepted,
): Query {
  const draft: Draft = {
    include: new Map(),
    fields: new Map(),
    filters: new Map(),
    ids: undefined,
    sorts: [],
    number: 1,
    size: pageSize.default,
  }
  const rest: string[] = []
  for (const pair of pairsOf(raw)) {
    const [name, value] = pair
    const family = bracket.exec(name)?.[1] ?? name
    if (!allowed[accepted].has(family) || !take(draft, models, model, pair))
      throw bad(name.toWellFormed(), reason('parameter_unknown', { name: JSON.stringify(name) }))
    if (name !== 'page[number]') rest.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  }
  return {
    include: draft.include,
    fields: draft.fields,
    filters: draft.filters,
    ids: draft.ids?.map((id) => (model.contract.id === 'text' ? id : integerOrNone(id))),
    sorts: draft.sorts,
    page: { number: draft.number, size: draft.size },
    rest: rest.join('&'),
  }
}

/**
 * An impossible id matches nothing instead of failing: otherwise hidden rows would differ from absent ones.
 */
function integerOrNone(text: string): number {
  return /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : 0
}

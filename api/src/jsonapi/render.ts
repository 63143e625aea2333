import type { Actor } from '../db/context.ts'
import type { Row, ServedRow } from '../db/pool.ts'
import { isWhole, mayCreate, verdict } from './may.ts'
import type { AttributeModel, Model, RelationModel } from './model.ts'
import type { FieldSets, Query } from './query.ts'
import type { Entry, Store } from './store.ts'

// A document is written as text at once. Most of it is names and links that are the same in every row: building objects
// only for JSON.stringify to walk them again costs about as much as the rest of a request (docs/decisions/0001).

const head = '{"jsonapi":{"version":"1.1"}'

function attribute({ key, numeric }: AttributeModel, row: Row): string {
  const value = row[key]
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return numeric ? String(Number(value)) : JSON.stringify(value)
}

/** The value as a client reads it: what an unchanged field of a request is compared with. */
export function attributeValue(model: AttributeModel, row: Row): unknown {
  return JSON.parse(attribute(model, row))
}

function identifier({ model, id }: Entry): string {
  return `{"type":"${model.name}","id":"${id}"}`
}

function linkageData(linked: Entry | null | Entry[]): string {
  if (linked === null) return 'null'
  return Array.isArray(linked) ? `[${linked.map(identifier).join()}]` : identifier(linked)
}

function relationship({ name }: RelationModel, self: string, entry: Entry): string {
  const links = `"${name}":{"links":{"self":"${self}/relationships/${name}","related":"${self}/${name}"}`
  const linked = entry.linkage?.get(name)
  return linked === undefined ? `${links}}` : `${links},"data":${linkageData(linked)}}`
}

function may(model: Model, actor: Actor, row: ServedRow): string {
  let allowed = ''
  let denied = ''
  for (const verb of model.verbs) {
    const answer = verdict(model, verb, actor, row)
    allowed += `${allowed && ','}"${verb}":${answer === true}`
    if (typeof answer === 'string') denied += `${denied && ','}"${verb}":${JSON.stringify(answer)}`
  }
  return `"meta":{"may":{${allowed}}${denied && `,"denied":{${denied}}`}}`
}

type Shape = { readonly attributes: readonly AttributeModel[]; readonly relations: readonly RelationModel[] }

const wholeShapes = new WeakMap<Model, Shape>()

function shapeOf(model: Model, fields: FieldSets): Shape {
  const asked = fields.get(model.name)
  if (asked)
    return {
      attributes: model.attributes.filter(({ name }) => asked.has(name)),
      relations: [...model.relations.values()].filter(({ name }) => asked.has(name)),
    }
  const known = wholeShapes.get(model)
  if (known) return known
  const whole = { attributes: model.attributes, relations: [...model.relations.values()] }
  wholeShapes.set(model, whole)
  return whole
}

/** What of a shape somebody reads who sees a row in part: no more of its attributes than that, and no relationships. */
function partOf(model: Model, { attributes }: Shape): Shape {
  return { attributes: attributes.filter(({ name }) => model.partial?.has(name)), relations: [] }
}

/** One resource object. `meta.may` says what the reader may do with it, and `meta.denied` why not. */
function resourceObject(entry: Entry, asked: Shape, actor: Actor): string {
  const { model, row } = entry
  const shape = isWhole(model, actor, row) ? asked : partOf(model, asked)
  const self = `${model.path}/${entry.id}`
  let attributes = ''
  for (const one of shape.attributes) attributes += `${attributes && ','}"${one.name}":${attribute(one, row)}`
  let relationships = ''
  for (const one of shape.relations)
    relationships += `${relationships && ','}${relationship(one, self, entry)}`
  const parts = `{"type":"${model.name}","id":"${entry.id}"`
  const values = attributes && `,"attributes":{${attributes}}`
  const related = relationships && `,"relationships":{${relationships}}`
  return `${parts}${values}${related},"links":{"self":"${self}"},${may(model, actor, row)}}`
}

function included(store: Store, primary: ReadonlySet<Entry>, query: Query, actor: Actor): string {
  let text = ''
  for (const entry of store.except(primary))
    text += `${text && ','}${resourceObject(entry, shapeOf(entry.model, query.fields), actor)}`
  // With `include` in the request the member is there, even when it is empty.
  return query.include.size > 0 ? `,"included":[${text}]` : ''
}

/** A document about one resource, or about none where a to-one relationship is empty. `self` is a path. */
export function renderOne(
  entry: Entry | null,
  store: Store,
  query: Query,
  actor: Actor,
  self: string,
): string {
  const data = entry ? resourceObject(entry, shapeOf(entry.model, query.fields), actor) : 'null'
  const others = included(store, new Set(entry ? [entry] : []), query, actor)
  return `${head},"links":{"self":${JSON.stringify(self)}},"data":${data}${others}}`
}

/** Links to the other pages of a list, and what page this is; `path` is without its query. */
function paging(path: string, query: Query, total: number): string {
  const { number, size } = query.page
  const pages = Math.max(1, Math.ceil(total / size))
  const link = (page: number) =>
    JSON.stringify(`${path}?${query.rest}${query.rest && '&'}page%5Bnumber%5D=${page}`)
  const previous = number > 1 ? link(Math.min(number - 1, pages)) : 'null'
  const next = number < pages ? link(number + 1) : 'null'
  return `"first":${link(1)},"prev":${previous},"next":${next},"last":${link(pages)}`
}

function pageMeta(query: Query, total: number): string {
  const { number, size } = query.page
  return `"page":{"number":${number},"size":${size},"total":${total},"pages":${Math.ceil(total / size)}}`
}

export type Listed = {
  readonly entries: readonly Entry[]
  /** The account that the list is of. */
  readonly account: number
  readonly total: number
  readonly path: string
  readonly self: string
}

/** A document about a page of resources. */
export function renderList(model: Model, list: Listed, store: Store, query: Query, actor: Actor): string {
  const shape = shapeOf(model, query.fields)
  let data = ''
  for (const entry of list.entries) data += `${data && ','}${resourceObject(entry, shape, actor)}`
  const create = mayCreate(model, actor, list.account)
  const denied = typeof create === 'string' ? `,"denied":{"create":${JSON.stringify(create)}}` : ''
  const links = `"links":{"self":${JSON.stringify(list.self)},${paging(list.path, query, list.total)}}`
  const meta = `"meta":{${pageMeta(query, list.total)},"may":{"create":${create === true}}${denied}}`
  return `${head},${links},"data":[${data}]${included(store, new Set(list.entries), query, actor)},${meta}}`
}

/** A relationship document: identifiers only. Pages when it is to-many. */
export function renderLinkage(
  self: string,
  related: string,
  linked: Entry | null | { readonly list: Listed; readonly query: Query },
): string {
  const links = `"self":${JSON.stringify(self)},"related":${JSON.stringify(related)}`
  if (linked === null || !('list' in linked))
    return `${head},"links":{${links}},"data":${linked ? identifier(linked) : 'null'}}`
  const { list, query } = linked
  const pages = paging(list.path, query, list.total)
  const meta = `"meta":{${pageMeta(query, list.total)}}`
  return `${head},"links":{${links},${pages}},"data":[${list.entries.map(identifier).join()}],${meta}}`
}

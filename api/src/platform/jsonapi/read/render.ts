import type { Actor } from '#platform/context.ts'
import type { Row, ServedRow } from '#platform/db/pool.ts'
import { inWords } from '#platform/errors/problem.ts'
import { isWhole, mayCreate, verdict } from '#platform/jsonapi/declare/may.ts'
import type { AttributeModel, Model, RelationModel } from '#platform/jsonapi/declare/model.ts'
import type { FieldSets, Query } from './query.ts'
import type { Entry, Store } from './store.ts'
import { encode } from './text.ts'

// A document is written as text directly. Most of it is names and links that repeat in every row, and
// building objects for JSON.stringify costs about as much as the rest of a request (docs/decisions/0001). The
// constant parts of a type are built once, and each resource is joined in one step, because intermediate
// strings cost time to allocate and to collect.

const head = '{"jsonapi":{"version":"1.1"}'

function attribute({ key, numeric }: AttributeModel, row: Row): string {
  const value = row[key]
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return numeric ? String(Number(value)) : JSON.stringify(value)
}

/** The value as a client reads it, for comparison with an unchanged field of a request. */
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

// Placeholder for a resource's address in text that is otherwise the same for every row of its type. No name
// contains it.
const place = '\0'

function linksOf({ name }: RelationModel): string {
  return `"${name}":{"links":{"self":"${place}/relationships/${name}","related":"${place}/${name}"}`
}

function mayText(verbs: readonly string[], allowed: string): string {
  return `"meta":{"may":{${verbs.map((verb, at) => `"${verb}":${allowed[at] === '1'}`).join()}}`
}

const mayTexts = new WeakMap<Model, Map<string, string>>()

/** The rendered `meta.may`: there are few combinations, and most rows have the same one. */
function knownMay(model: Model, allowed: string): string {
  const known = mayTexts.get(model) ?? new Map<string, string>()
  mayTexts.set(model, known)
  const text = known.get(allowed) ?? mayText(model.verbs, allowed)
  known.set(allowed, text)
  return text
}

function may(model: Model, actor: Actor, row: ServedRow): string {
  let allowed = ''
  let denied = ''
  for (const verb of model.verbs) {
    const answer = verdict(model, verb, actor, row)
    allowed += answer === true ? '1' : '0'
    if (typeof answer === 'object')
      denied += `${denied && ','}"${verb}":${JSON.stringify(inWords(answer, actor.language))}`
  }
  return `${knownMay(model, allowed)}${denied && `,"denied":{${denied}}`}}`
}

/** The fields of a type to render. */
type Shape = {
  /** Each attribute with the constant text before its value. */
  readonly attributes: readonly { readonly before: string; readonly of: AttributeModel }[]
  readonly relations: readonly RelationModel[]
  /** The text of relationships without included data, split at the row's addresses. */
  readonly links: readonly string[]
}

function makeShape(attributes: readonly AttributeModel[], relations: readonly RelationModel[]): Shape {
  const links = relations.map((relation) => `${linksOf(relation)}}`).join()
  return {
    attributes: attributes.map((of, at) => ({
      before: `${at === 0 ? ',"attributes":{' : ','}"${of.name}":`,
      of,
    })),
    relations,
    links: (links && `,"relationships":{${links}}`).split(place),
  }
}

const wholeShapes = new WeakMap<Model, Shape>()

function shapeOf(model: Model, fields: FieldSets): Shape {
  const asked = fields.get(model.name)
  const known = asked ? undefined : wholeShapes.get(model)
  if (known) return known
  const chosen = <T extends { readonly name: string }>(all: Iterable<T>) =>
    [...all].filter(({ name }) => asked === undefined || asked.has(name))
  const shape = makeShape(chosen(model.attributes), chosen(model.relations.values()))
  if (!asked) wholeShapes.set(model, shape)
  return shape
}

/**
 * Restricts a shape to what the reader of a partly visible row sees: fewer attributes, and no relationships.
 */
function partOf(model: Model, { attributes }: Shape): Shape {
  return makeShape(
    attributes.map(({ of }) => of).filter(({ name }) => model.partial?.has(name)),
    [],
  )
}

function relationships({ linkage }: Entry, { relations, links }: Shape, address: string): string {
  if (linkage === undefined || relations.length === 0) return links.join(address)
  const all = relations.map((relation) => {
    const linked = linkage.get(relation.name)
    return `${linksOf(relation)}${linked === undefined ? '' : `,"data":${linkageData(linked)}`}}`
  })
  return `,"relationships":{${all.join().split(place).join(address)}}`
}

/**
 * Renders one resource object. `meta.may` shows the permissions of the reader, and `meta.denied` the reasons
 * against.
 */
function resourceObject(entry: Entry, asked: Shape, actor: Actor): string {
  const { model, row, id } = entry
  const shape = isWhole(model, actor, row) ? asked : partOf(model, asked)
  const address = `${model.path}/${id}`
  const parts = ['{"type":"', model.name, '","id":"', String(id), '"']
  for (const { before, of } of shape.attributes) parts.push(before, attribute(of, row))
  if (shape.attributes.length > 0) parts.push('}')
  parts.push(
    relationships(entry, shape, address),
    ',"links":{"self":"',
    address,
    '"},',
    may(model, actor, row),
    '}',
  )
  return parts.join('')
}

/** Appends resources, separated by commas. */
function append(parts: string[], entries: Iterable<Entry>, fields: FieldSets, actor: Actor): void {
  let between = ''
  for (const entry of entries) {
    parts.push(between, resourceObject(entry, shapeOf(entry.model, fields), actor))
    between = ','
  }
}

function appendIncluded(
  parts: string[],
  store: Store,
  primary: ReadonlySet<Entry>,
  query: Query,
  actor: Actor,
): void {
  // With `include` in the request the member is required, even when it is empty.
  if (query.include.size === 0) return
  parts.push(',"included":[')
  append(parts, store.except(primary), query.fields, actor)
  parts.push(']')
}

/** A document with one resource, or with null for an empty to-one relationship. `self` is a path. */
export function renderOne(
  entry: Entry | null,
  store: Store,
  query: Query,
  actor: Actor,
  self: string,
): Buffer {
  const parts = [`${head},"links":{"self":${JSON.stringify(self)}},"data":`]
  if (entry) append(parts, [entry], query.fields, actor)
  else parts.push('null')
  appendIncluded(parts, store, new Set(entry ? [entry] : []), query, actor)
  parts.push('}')
  return encode(parts)
}

/** Links to the other pages of a list, and the page number; `path` has no query. */
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
  /** The account of the list. */
  readonly account: number
  readonly total: number
  /** Sums over all pages, for a type that has them. */
  readonly totals: Readonly<Record<string, number>> | undefined
  readonly path: string
  readonly self: string
}

/** A document with a page of resources. */
export function renderList(model: Model, list: Listed, store: Store, query: Query, actor: Actor): Buffer {
  const create = mayCreate(model, actor, list.account)
  const denied =
    typeof create === 'object'
      ? `,"denied":{"create":${JSON.stringify(inWords(create, actor.language))}}`
      : ''
  const links = `"links":{"self":${JSON.stringify(list.self)},${paging(list.path, query, list.total)}}`
  const totals = list.totals ? `,"totals":${JSON.stringify(list.totals)}` : ''
  const meta = `"meta":{${pageMeta(query, list.total)}${totals},"may":{"create":${create === true}}${denied}}`
  const parts = [`${head},${links},"data":[`]
  append(parts, list.entries, query.fields, actor)
  parts.push(']')
  appendIncluded(parts, store, new Set(list.entries), query, actor)
  parts.push(`,${meta}}`)
  return encode(parts)
}

/** A relationship document: identifiers only, paginated when it is to-many. */
export function renderLinkage(
  self: string,
  related: string,
  linked: Entry | null | { readonly list: Listed; readonly query: Query },
): Buffer {
  const links = `"self":${JSON.stringify(self)},"related":${JSON.stringify(related)}`
  if (linked === null || !('list' in linked))
    return encode([`${head},"links":{${links}},"data":${linked ? identifier(linked) : 'null'}}`])
  const { list, query } = linked
  const pages = paging(list.path, query, list.total)
  const meta = `"meta":{${pageMeta(query, list.total)}}`
  return encode([
    `${head},"links":{${links},${pages}},"data":[${list.entries.map(identifier).join()}],${meta}}`,
  ])
}

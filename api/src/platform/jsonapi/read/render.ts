import type { Actor } from '#platform/context.ts'
import type { Row, ServedRow } from '#platform/db/pool.ts'
import { inWords } from '#platform/errors/problem.ts'
import { isWhole, mayCreate, verdict } from '#platform/jsonapi/declare/may.ts'
import type { AttributeModel, Model, RelationModel } from '#platform/jsonapi/declare/model.ts'
import type { FieldSets, Query } from './query.ts'
import type { Entry, Store } from './store.ts'
import { encode } from './text.ts'

// A document is written as text at once. Most of it is names and links that are the same in every row: building objects
// only for JSON.stringify to walk them again costs about as much as the rest of a request (docs/decisions/0001). What is the same in every row of a
// type is written once, and the text of one resource is joined at once: what is left behind costs twice, to make and to clear.

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

// Stands for a resource's own address in text that is else the same for every row of its type. No name contains it.
const place = '\0'

function linksOf({ name }: RelationModel): string {
  return `"${name}":{"links":{"self":"${place}/relationships/${name}","related":"${place}/${name}"}`
}

function mayText(verbs: readonly string[], allowed: string): string {
  return `"meta":{"may":{${verbs.map((verb, at) => `"${verb}":${allowed[at] === '1'}`).join()}}`
}

const mayTexts = new WeakMap<Model, Map<string, string>>()

/** What one may do, as text: there are few combinations, and most rows have the same. */
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

/** What of a type is rendered. */
type Shape = {
  /** Each with what stands before its value. */
  readonly attributes: readonly { readonly before: string; readonly of: AttributeModel }[]
  readonly relations: readonly RelationModel[]
  /** The relationships of a row of which none was included, in the parts between its addresses. */
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

/** What of a shape somebody reads who sees a row in part: no more of its attributes than that, and no relationships. */
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

/** One resource object. `meta.may` says what the reader may do with it, and `meta.denied` why not. */
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

/** Resources one after another, with commas between them. */
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
  // With `include` in the request the member is there, even when it is empty.
  if (query.include.size === 0) return
  parts.push(',"included":[')
  append(parts, store.except(primary), query.fields, actor)
  parts.push(']')
}

/** A document about one resource, or about none where a to-one relationship is empty. `self` is a path. */
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
  /** Sums over all pages, of a type that has them. */
  readonly totals: Readonly<Record<string, number>> | undefined
  readonly path: string
  readonly self: string
}

/** A document about a page of resources. */
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

/** A relationship document: identifiers only. Pages when it is to-many. */
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

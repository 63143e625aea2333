import { mayBeLeftOut, type Schema } from '@portico/contract/jsonapi.ts'
import { faultOf } from '@portico/contract/refusals/fields.ts'
import * as z from 'zod/mini'
import type { ServedRow } from '#platform/db/pool.ts'
import { mostFaults, Problem, Problems, type Refusal, reason, refuse } from '#platform/errors/problem.ts'
import { type Model, parseId, type RelationModel } from '#platform/jsonapi/declare/model.ts'
import { attributeValue } from '#platform/jsonapi/read/render.ts'
import { escapePointer, isRecord, type Json, type JsonRecord, parseJson } from './body.ts'

/** A resource identifier of the expected type. */
export type Reference = { readonly id: number | string; readonly pointer: string }

/** The requested changes: attribute values by name, and the rows of relationships. */
export type Changes = {
  readonly attributes: ReadonlyMap<string, unknown>
  readonly toOne: ReadonlyMap<string, Reference | null>
  readonly toMany: ReadonlyMap<string, readonly Reference[]>
}

function member(record: JsonRecord, name: string): Json | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function dataOf(text: string): Json {
  const body = text === '' ? null : parseJson(text)
  const data = isRecord(body) ? member(body, 'data') : undefined
  if (data === undefined) throw refuse('body_not_document', {}, { source: { pointer: '' } })
  return data
}

function assertType(model: Model, record: JsonRecord, pointer: string): void {
  const type = member(record, 'type')
  if (typeof type !== 'string')
    throw refuse('resource_type_missing', {}, { source: { pointer: `${pointer}/type` } })
  if (type !== model.name)
    throw refuse(
      'type_mismatch',
      { expected: model.name, found: JSON.stringify(type) },
      { source: { pointer: `${pointer}/type` } },
    )
}

function reference(target: Model, value: Json, pointer: string): Reference {
  if (!isRecord(value)) throw refuse('identifier_expected', {}, { source: { pointer } })
  assertType(target, value, pointer)
  const id = member(value, 'id')
  if (typeof id !== 'string')
    throw refuse('resource_id_missing', {}, { source: { pointer: `${pointer}/id` } })
  // An impossible id is treated like an absent one.
  return { id: parseId(target, id) ?? (target.contract.id === 'text' ? '' : 0), pointer }
}

function references(target: Model, value: Json, pointer: string): Reference[] {
  if (!Array.isArray(value)) throw refuse('identifiers_expected', {}, { source: { pointer } })
  if (value.length > 100) throw refuse('identifiers_most', { most: 100 }, { source: { pointer } })
  return value.map((one, at) => reference(target, one, `${pointer}/${at}`))
}

/** Parses the linkage of a relationship request: null or one for to-one, an array for to-many. */
export function parseLinkage(relation: RelationModel, text: string): Reference | null | Reference[] {
  const data = dataOf(text)
  if (relation.kind === 'to-many') return references(relation.target, data, '/data')
  if (data !== null) return reference(relation.target, data, '/data')
  if (!relation.nullable)
    throw refuse('relationship_empty', { name: relation.name }, { source: { pointer: '/data' } })
  return null
}

/** Collects the faults of a document, so that a form can show them together; stops at the fiftieth. */
class Draft {
  readonly attributes = new Map<string, unknown>()
  readonly toOne = new Map<string, Reference | null>()
  readonly toMany = new Map<string, readonly Reference[]>()
  readonly problems: Problem[] = []

  fail(pointer: string, refusal: Refusal): void {
    this.problems.push(new Problem(refusal, { source: { pointer } }))
    if (this.problems.length >= mostFaults) throw new Problems(this.problems)
  }

  /** Whether there is a fault at the pointer or below it. */
  faults(pointer: string): boolean {
    return this.problems.some(
      ({ source }) => source && 'pointer' in source && `${source.pointer}/`.startsWith(`${pointer}/`),
    )
  }

  check(name: string, schema: Schema, value: unknown): void {
    const checked = z.safeParse(schema, value)
    if (checked.success) this.attributes.set(name, checked.data)
    else {
      const [issue] = checked.error.issues
      const path = issue?.path.map((step) => `/${escapePointer(String(step))}`).join('') ?? ''
      this.fail(`/data/attributes/${escapePointer(name)}${path}`, faultOf(issue?.message ?? ''))
    }
  }

  relate(relation: RelationModel, data: Json): void {
    const pointer = `/data/relationships/${relation.name}`
    if (relation.kind === 'to-many')
      this.toMany.set(relation.name, references(relation.target, data, `${pointer}/data`))
    else if (data !== null) this.toOne.set(relation.name, reference(relation.target, data, `${pointer}/data`))
    else if (relation.nullable) this.toOne.set(relation.name, null)
    else this.fail(pointer, reason('relationship_empty', { name: relation.name }))
  }

  done(): Changes {
    if (this.problems.length > 0) throw new Problems(this.problems)
    return this
  }
}

function records(data: JsonRecord, name: string): [string, Json][] {
  const value = member(data, name)
  if (value === undefined) return []
  if (!isRecord(value)) throw refuse('member_not_object', { name }, { source: { pointer: `/data/${name}` } })
  // JSON:API 1.1 defines "@-Members" as ignorable.
  return Object.entries(value).filter(([field]) => !field.startsWith('@'))
}

type Verb = 'create' | 'update'

/** Refuses a read-only field unless its value is unchanged, because simple clients send the whole record. */
function refuseField(
  draft: Draft,
  model: Model,
  name: string,
  value: Json,
  row: ServedRow | undefined,
): void {
  const attribute = model.attributes.find((one) => one.name === name)
  const now = row && attribute ? JSON.stringify(attributeValue(attribute, row)) : undefined
  if (now === JSON.stringify(value)) return
  draft.fail(`/data/attributes/${escapePointer(name)}`, reason('field_not_offered', { name }))
}

/** The `data` of a relationship, which JSON:API requires in each. */
function linkageIn(value: Json, pointer: string): Json {
  const data = isRecord(value) ? member(value, 'data') : undefined
  if (data === undefined) throw refuse('relationship_data_missing', {}, { source: { pointer } })
  return data
}

/** Whether the data equals the current relationship, and so requests nothing. */
function isAsRead(relation: RelationModel, data: Json, row: ServedRow | undefined): boolean {
  if (relation.via !== 'own' || !row) return false
  const id = row[relation.column]
  if (!isRecord(data)) return data === id
  return member(data, 'type') === relation.target.name && member(data, 'id') === String(id)
}

/**
 * Whether the value is a relationship among the attributes: some clients flatten resources and send the links
 * back that way.
 */
function isFolded(model: Model, name: string, value: Json): boolean {
  return model.relations.has(name) && isRecord(value) && !Object.hasOwn(value, 'data')
}

function takeAttributes(
  draft: Draft,
  model: Model,
  verb: Verb,
  data: JsonRecord,
  row: ServedRow | undefined,
): void {
  for (const [name, value] of records(data, 'attributes')) {
    if (model.contract.ignored.includes(name) || isFolded(model, name, value)) continue
    const schema = Object.hasOwn(model.contract.attributes, name)
      ? model.contract.attributes[name]
      : undefined
    if (!schema)
      draft.fail(`/data/attributes/${escapePointer(name)}`, reason('attribute_unknown', { type: model.name }))
    else if (model.contract[verb].includes(name)) draft.check(name, schema, value)
    else refuseField(draft, model, name, value, row)
  }
}

function takeRelationships(
  draft: Draft,
  model: Model,
  verb: Verb,
  data: JsonRecord,
  row: ServedRow | undefined,
): void {
  for (const [name, value] of records(data, 'relationships')) {
    const relation = model.relations.get(name)
    const pointer = `/data/relationships/${escapePointer(name)}`
    if (!relation) {
      draft.fail(pointer, reason('relationship_unknown', { type: model.name }))
      continue
    }
    const linkage = linkageIn(value, pointer)
    if (model.contract[verb].includes(name)) draft.relate(relation, linkage)
    else if (!isAsRead(relation, linkage, row)) draft.fail(pointer, reason('field_not_offered', { name }))
  }
}

function resourceOf(model: Model, text: string): JsonRecord {
  const data = dataOf(text)
  if (!isRecord(data)) throw refuse('resource_expected', {}, { source: { pointer: '/data' } })
  assertType(model, data, '/data')
  return data
}

/** Parses a POST. Throws 403 for a client-generated id, 409 for another type, 422 for each field at fault. */
export function parseCreate(model: Model, text: string): Changes {
  const data = resourceOf(model, text)
  if (Object.hasOwn(data, 'id')) throw refuse('client_generated_id', {}, { source: { pointer: '/data/id' } })
  const draft = new Draft()
  takeAttributes(draft, model, 'create', data, undefined)
  takeRelationships(draft, model, 'create', data, undefined)
  for (const name of model.contract.create) {
    const schema = model.contract.attributes[name]
    const relation = model.relations.get(name)
    const pointer = `/data/${schema ? 'attributes' : 'relationships'}/${name}`
    if (draft.attributes.has(name) || draft.toOne.has(name) || draft.toMany.has(name)) continue
    if (draft.faults(pointer)) continue
    if (schema && !mayBeLeftOut(schema)) draft.check(name, schema, undefined)
    else if (relation && !relation.nullable) draft.fail(pointer, reason('relationship_required', { name }))
  }
  return draft.done()
}

/** Whether a document names fields that a reader of a partly visible row does not see. */
function saysMore(model: Model, text: string): boolean {
  const data = resourceOf(model, text)
  const read = (name: string) => model.partial?.has(name) || model.contract.ignored.includes(name)
  return (
    records(data, 'attributes').some(([name]) => !read(name)) || records(data, 'relationships').length > 0
  )
}

/**
 * Whether a PATCH repeats only current values of `row`. Older clients send back everything that they
 * received, and every reader of a row may do so. For a row that is not seen `whole` only readable fields may
 * match: otherwise a correct guess would be answered differently from a wrong one.
 */
export function changesNothing(model: Model, text: string, row: ServedRow, whole: boolean): boolean {
  let changes: Changes
  try {
    changes = parseUpdate(model, text, row)
    if (!whole && saysMore(model, text)) return false
  } catch (error) {
    if (error instanceof Problem || error instanceof Problems) return false
    throw error
  }
  if (changes.toOne.size > 0 || changes.toMany.size > 0) return false
  return model.attributes
    .filter(({ name }) => changes.attributes.has(name))
    .every(
      (one) => JSON.stringify(attributeValue(one, row)) === JSON.stringify(changes.attributes.get(one.name)),
    )
}

/** Parses a PATCH of `row`. Throws 409 when the document has another type or id. */
export function parseUpdate(model: Model, text: string, row: ServedRow): Changes {
  const data = resourceOf(model, text)
  const id = member(data, 'id')
  if (typeof id !== 'string') throw refuse('resource_id_missing', {}, { source: { pointer: '/data/id' } })
  if (id !== String(row.id))
    throw refuse('id_mismatch', { id: JSON.stringify(id) }, { source: { pointer: '/data/id' } })
  const draft = new Draft()
  takeAttributes(draft, model, 'update', data, row)
  takeRelationships(draft, model, 'update', data, row)
  return draft.done()
}

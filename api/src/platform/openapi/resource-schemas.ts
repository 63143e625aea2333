import { mayBeLeftOut, type Relationship, type Resource } from '@portico/contract/jsonapi.ts'
import { exactly, type Json, jsonSchema, links, reference, text, version } from './json-schema.ts'

const idOf = ({ id }: Resource): Json =>
  id === 'text' ? { type: 'string', minLength: 1 } : { type: 'string', pattern: '^[1-9][0-9]*$' }

/** A resource identifier of one type. */
const identifier = (type: string): Json => exactly({ type: { const: type }, id: text })

/** The linkage of a relationship; a target hidden from the reader is null. */
const linkage = (relationship: Relationship): Json =>
  relationship.kind === 'to-many'
    ? { type: 'array', items: identifier(relationship.type) }
    : { anyOf: [identifier(relationship.type), { type: 'null' }] }

const flags: Json = { type: 'object', additionalProperties: { type: 'boolean' } }
const reasons: Json = { type: 'object', additionalProperties: text }

/**
 * The permissions of the reader for a row, and the reasons against: the verbs of the type, its actions and
 * its abilities.
 */
const permitted: Json = exactly({ may: flags, denied: reasons }, ['may'])

/** A resource in a response. `fields[…]` omits fields, so none is required. */
export function resourceSchema(contract: Resource): Json {
  const attributes = Object.entries(contract.attributes).map(([name, schema]) => [
    name,
    jsonSchema(schema, 'output'),
  ])
  const relationships = Object.entries(contract.relationships).map(([name, relationship]) => [
    name,
    exactly({ links: links('self', 'related'), data: linkage(relationship) }, ['links']),
  ])
  return {
    description: contract.description,
    ...exactly(
      {
        type: { const: contract.type },
        id: idOf(contract),
        attributes: exactly(Object.fromEntries(attributes), []),
        ...(relationships.length > 0 && { relationships: exactly(Object.fromEntries(relationships), []) }),
        links: links('self'),
        meta: permitted,
      },
      ['type', 'id', 'links', 'meta'],
    ),
  }
}

type Fields = readonly (readonly [name: string, schema: Json])[]

/** A document to create or change a resource. */
export function writeSchema(contract: Resource, verb: 'create' | 'update'): Json {
  const named = contract[verb]
  const attributes = named.flatMap((name) => {
    const schema = contract.attributes[name]
    return schema ? [[name, jsonSchema(schema, 'input')] as const] : []
  })
  const relations = named.flatMap((name) => {
    const relationship = contract.relationships[name]
    return relationship ? [[name, exactly({ data: linkage(relationship) })] as const] : []
  })
  const needed = named.filter((name) => {
    const field = contract.attributes[name] ?? contract.relationships[name]
    return verb === 'create' && field !== undefined && !mayBeLeftOut(field)
  })
  const has = (fields: Fields) => fields.some(([name]) => needed.includes(name))
  const part = (fields: Fields) => ({
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(has(fields) && { required: fields.map(([name]) => name).filter((name) => needed.includes(name)) }),
  })
  return exactly({
    data: exactly(
      {
        type: { const: contract.type },
        ...(verb === 'update' && { id: idOf(contract) }),
        ...(attributes.length > 0 && { attributes: part(attributes) }),
        ...(relations.length > 0 && { relationships: part(relations) }),
      },
      [
        'type',
        ...(verb === 'update' ? ['id'] : []),
        ...(has(attributes) ? ['attributes'] : []),
        ...(has(relations) ? ['relationships'] : []),
      ],
    ),
  })
}

const page: Json = exactly({
  number: { type: 'integer', minimum: 1 },
  size: { type: 'integer', minimum: 1 },
  total: { type: 'integer', minimum: 0 },
  pages: { type: 'integer', minimum: 0 },
})
const pages = ['first', 'prev', 'next', 'last'] as const
const totals: Json = { type: 'object', additionalProperties: { type: 'number' } }
const included: Json = { type: 'array', items: reference('any-resource') }

/** A document of one resource; `orNone` where a relationship may be empty. */
export const oneDocument = (type: string, orNone = false): Json =>
  exactly(
    {
      jsonapi: version,
      links: links('self'),
      data: orNone ? { anyOf: [reference(type), { type: 'null' }] } : reference(type),
      included,
    },
    ['jsonapi', 'links', 'data'],
  )

/** A page of resources; `meta.totals` are sums over all pages, for types that have them. */
export const listDocument = (type: string): Json =>
  exactly(
    {
      jsonapi: version,
      links: links('self', ...pages),
      data: { type: 'array', items: reference(type) },
      included,
      meta: exactly({ page, totals, may: flags, denied: reasons }, ['page', 'may']),
    },
    ['jsonapi', 'links', 'data', 'meta'],
  )

/** The identifiers of a relationship; paginated when it is to-many. */
export const linkageDocument = (relationship: Relationship): Json =>
  relationship.kind === 'to-one'
    ? exactly({ jsonapi: version, links: links('self', 'related'), data: linkage(relationship) })
    : exactly({
        jsonapi: version,
        links: links('self', 'related', ...pages),
        data: linkage(relationship),
        meta: exactly({ page }),
      })

/** The body of a relationship change. */
export const linkageBody = (relationship: Relationship): Json => exactly({ data: linkage(relationship) })

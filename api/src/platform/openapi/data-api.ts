import type { Action, Relationship, Resource } from '@portico/contract/jsonapi.ts'
import { base, mediaType, pageSize } from '@portico/contract/wire.ts'
import { exampleOf } from './examples.ts'
import { exactly, type Json, jsonSchema, reference, text } from './json-schema.ts'
import { answer, body, operation, pathParameters } from './operations.ts'
import { fields, include, key, narrowing, paging, payloadOf, sorting } from './parameters.ts'
import {
  linkageBody,
  linkageDocument,
  listDocument,
  oneDocument,
  resourceSchema,
  writeSchema,
} from './resource-schemas.ts'

/** A type, and whether its lists have a CSV export. */
export type Described = { readonly contract: Resource; readonly csv: boolean }

type Paths = Record<string, Json>

const idParameter = ({ id }: Resource): Json => ({
  id: id === 'text' ? text : { type: 'string', pattern: '^[1-9][0-9]*$' },
})

const linkExample = (path: string) => ({ self: path })

/** An example resource in its document. */
function exampleDocument(contract: Resource): Json {
  const resource = exampleOf(resourceSchema(contract))
  return { jsonapi: { version: '1.1' }, links: linkExample(`${base}/${contract.type}/1`), data: resource }
}

function exampleList(contract: Resource): Json {
  const path = `${base}/${contract.type}`
  const { jsonapi, data } = exampleDocument(contract)
  return {
    jsonapi,
    links: {
      self: path,
      first: `${path}?page%5Bnumber%5D=1`,
      prev: null,
      next: null,
      last: `${path}?page%5Bnumber%5D=1`,
    },
    data: [data],
    meta: { page: { number: 1, size: pageSize.default, total: 1, pages: 1 }, may: { create: true } },
  }
}

const notModified = answer('Not modified since the version in `If-None-Match`.')

function listPath({ contract }: Described): Json {
  const { type, create, keyed } = contract
  const tag = type
  const list = operation({
    tag,
    id: `${type}.list`,
    summary: `List ${type}`,
    description:
      'Without `filter[client_id]` of the reader’s own account, or of the account that the row of another filter, such as a panel, belongs to; with it of the account that is named. Of an account that is not shared with the reader there is nothing.',
    parameters: [...include(contract), fields, ...narrowing(contract), ...sorting(contract), ...paging],
    answers: {
      200: answer('A page of the list.', mediaType, listDocument(type), exampleList(contract)),
      304: notModified,
    },
    refusals: [400],
  })
  if (create.length === 0) return { get: list }
  const schema = writeSchema(contract, 'create')
  const post = operation({
    tag,
    id: `${type}.create`,
    summary: `Create one of ${type}`,
    parameters: [key(keyed), ...include(contract), fields],
    body: body(mediaType, schema, exampleOf(schema)),
    answers: { 201: answer('It was made.', mediaType, oneDocument(type), exampleDocument(contract)) },
    refusals: [403, 422],
  })
  return { get: list, post }
}

function itemPath({ contract }: Described): Json {
  const { type } = contract
  const place = pathParameters('{id}', idParameter(contract))
  const ok = answer('It.', mediaType, oneDocument(type), exampleDocument(contract))
  const schema = writeSchema(contract, 'update')
  return {
    parameters: place,
    get: operation({
      tag: type,
      id: `${type}.read`,
      summary: `Read one of ${type}`,
      parameters: [...include(contract), fields],
      answers: { 200: ok, 304: notModified },
      refusals: [404],
    }),
    ...(contract.update.length > 0 && {
      patch: operation({
        tag: type,
        id: `${type}.update`,
        summary: `Change one of ${type}`,
        parameters: [...include(contract), fields],
        body: body(mediaType, schema, exampleOf(schema)),
        answers: { 200: ok },
        refusals: [403, 404, 422],
      }),
    }),
    ...(contract.delete && {
      delete: operation({
        tag: type,
        id: `${type}.delete`,
        summary: `Delete one of ${type}`,
        answers:
          contract.delete === 'accepted'
            ? { 202: { ...ok, description: 'Deletion in progress; the current state of the resource.' } }
            : { 204: answer('It is gone.') },
        refusals: [403, 404, 409],
      }),
    }),
  }
}

function linkagePath(contract: Resource, name: string, relationship: Relationship): Json {
  const { type } = contract
  const many = relationship.kind === 'to-many'
  const ok = answer('The related resources.', mediaType, linkageDocument(relationship))
  const schema = linkageBody(relationship)
  const change = (verb: string, summary: string) =>
    operation({
      tag: type,
      id: `${type}.${name}.${verb}`,
      summary,
      body: body(mediaType, schema, exampleOf(schema)),
      answers: { 200: ok },
      refusals: [403, 404, 422],
    })
  return {
    parameters: pathParameters('{id}', idParameter(contract)),
    get: operation({
      tag: type,
      id: `${type}.${name}.linkage`,
      summary: `What ${name} of one of ${type} points to`,
      parameters: many ? paging : [],
      answers: { 200: ok, 304: notModified },
      refusals: [404],
    }),
    ...(contract.update.includes(name) && {
      patch: change('replace', `Replace ${name} of one of ${type}`),
      ...(many && {
        post: change('add', `Add to ${name} of one of ${type}`),
        delete: change('remove', `Take out of ${name} of one of ${type}`),
      }),
    }),
  }
}

function relatedPath(contract: Resource, name: string, relationship: Relationship, target: Resource): Json {
  const { type } = contract
  const many = relationship.kind === 'to-many'
  const schema = many ? listDocument(target.type) : oneDocument(target.type, true)
  return {
    parameters: pathParameters('{id}', idParameter(contract)),
    get: operation({
      tag: type,
      id: `${type}.${name}.related`,
      summary: `Read ${name} of one of ${type}`,
      parameters: [
        ...include(target),
        fields,
        ...(many ? [...narrowing(target), ...sorting(target), ...paging] : []),
      ],
      answers: {
        200: answer(many ? 'A page of the list.' : 'It, or null.', mediaType, schema),
        304: notModified,
      },
      refusals: [404],
    }),
  }
}

function actionPath(contract: Resource, name: string, action: Action): Json {
  const { type } = contract
  const input = jsonSchema(action.input, 'input')
  const output = jsonSchema(action.output, 'output')
  const reads = action.method === 'GET'
  const asked = Object.keys(input.properties ?? {}).length > 0
  const payload = asked ? [payloadOf(input)] : []
  const sent = { anyOf: [input, exactly({ data: input })] }
  const said = operation({
    tag: type,
    id: `${type}.-actions.${name}`,
    summary: name,
    description: action.description,
    ...(action.open && { open: true }),
    parameters: reads ? payload : [key(action.keyed ?? false)],
    ...(!reads && { body: body('application/json', sent, exampleOf(input), asked) }),
    answers: {
      200: answer('Done.', 'application/json', output, exampleOf(output)),
      ...(reads && { 304: notModified }),
    },
  })
  const place = action.on === 'one' ? { parameters: pathParameters('{id}', idParameter(contract)) } : {}
  return { ...place, [action.method.toLowerCase()]: said }
}

const exportPath = (contract: Resource): Json => ({
  get: operation({
    tag: contract.type,
    id: `${contract.type}.export`,
    summary: `All of ${contract.type} as CSV`,
    description: 'All rows of the list with the same filters and sorts.',
    parameters: [...narrowing(contract), ...sorting(contract)],
    answers: { 200: answer('The rows, each with its columns.', 'text/csv', text), 304: notModified },
    refusals: [400, 429],
  }),
})

/** Every path of a type: lists, rows, relationships and actions. */
export function pathsOf(described: Described, all: ReadonlyMap<string, Resource>): Paths {
  const { contract, csv } = described
  const at = `${base}/${contract.type}`
  const paths: Paths = { [at]: listPath(described), [`${at}/{id}`]: itemPath(described) }
  for (const [name, relationship] of Object.entries(contract.relationships)) {
    const target = all.get(relationship.type)
    if (target) paths[`${at}/{id}/${name}`] = relatedPath(contract, name, relationship, target)
    paths[`${at}/{id}/relationships/${name}`] = linkagePath(contract, name, relationship)
  }
  for (const [name, action] of Object.entries(contract.actions))
    paths[`${at}${action.on === 'one' ? '/{id}' : ''}/-actions/${name}`] = actionPath(contract, name, action)
  if (csv) paths[`${at}/-actions/export`] = exportPath(contract)
  return paths
}

/** The component schemas of documents. */
export function schemasOf(types: readonly Described[]): Record<string, Json> {
  const named = types.map(({ contract }) => [contract.type, resourceSchema(contract)] as const)
  return {
    ...Object.fromEntries(named),
    'any-resource': {
      oneOf: types.map(({ contract }) => reference(contract.type)),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(
          types.map(({ contract: { type } }) => [type, `#/components/schemas/${type}`]),
        ),
      },
    },
  }
}

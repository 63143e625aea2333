import { aliases, hasName, type Resource } from '@portico/contract/jsonapi.ts'
import { pageSize } from '@portico/contract/wire.ts'
import { exampleOf } from './examples.ts'
import { type Json, jsonSchema, text } from './json-schema.ts'

const query = (name: string, schema: Json, description?: string): Json => ({
  name,
  in: 'query',
  schema,
  ...(description !== undefined && { description }),
})

/** A parameter with names separated by commas. */
const names = (all: readonly string[]): Json => ({
  type: 'array',
  items: all.length > 0 ? { type: 'string', enum: all } : text,
})

const inCommas = (parameter: Json): Json => ({ ...parameter, style: 'form', explode: false })

export const include = ({ relationships }: Resource): Json[] => {
  const all = Object.keys(relationships)
  if (all.length === 0) return []
  const said = `What is to come with it: ${all.map((name) => `\`${name}\``).join(', ')}, and by a dot what these have.`
  return [inCommas(query('include', names([]), said))]
}

const keyHeader = (required: boolean): Json => ({
  name: 'Idempotency-Key',
  in: 'header',
  required,
  description:
    'A key that identifies the request: repetitions with the same key run once and get the same answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
})

/** Shared parameters, by their reference name. */
export const parameters: Readonly<Record<string, Json>> = {
  fields: {
    name: 'fields',
    in: 'query',
    style: 'deepObject',
    explode: true,
    description: 'By type, the fields that are wanted, separated by commas: `fields[panels]=name,status`.',
    schema: { type: 'object', additionalProperties: text },
  },
  ids: query('filter[id]', text, 'Ids, separated by commas: at most 100.'),
  name: query('filter[name]', text, 'The exact name, ignoring case.'),
  'page-number': query('page[number]', { type: 'integer', minimum: 1, default: 1 }),
  'page-size': query('page[size]', {
    type: 'integer',
    minimum: 1,
    maximum: pageSize.max,
    default: pageSize.default,
  }),
  'may-have-key': keyHeader(false),
  'must-have-key': keyHeader(true),
}

const known = (name: string): Json => ({ $ref: `#/components/parameters/${name}` })
export const fields = known('fields')
export const paging = [known('page-number'), known('page-size')]
export const key = (required: boolean) => known(required ? 'must-have-key' : 'may-have-key')

export const narrowing = (contract: Resource): Json[] => [
  known('ids'),
  ...(hasName(contract) ? [known('name')] : []),
  ...Object.entries(contract.filters).map(([name, schema]) =>
    query(`filter[${name}]`, jsonSchema(schema, 'input')),
  ),
]

export const sorting = ({ sorts }: Resource): Json[] => {
  const all = ['id', ...sorts].flatMap((name) => [name, `-${name}`])
  const older = sorts.some((name) => Object.values(aliases).includes(name))
  const said = `A minus turns the order.${older ? ' `created_at` is taken for `createdAt`.' : ''}`
  return [inCommas(query('sort', names(all), said))]
}

/** The payload parameter of a GET action. */
export const payloadOf = (input: Json): Json => ({
  name: 'payload',
  in: 'query',
  description: 'As JSON; or each of its members as `payload[name]=value`.',
  content: { 'application/json': { schema: input, example: exampleOf(input) } },
})

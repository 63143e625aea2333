import { type Json, reference } from './json-schema.ts'

/** What every operation says, whatever it is about. */
export type Operation = {
  readonly tag: string
  readonly id: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Json[]
  readonly body?: Json
  /** What it answers when it goes well, by status. */
  readonly answers: Readonly<Record<number, Json>>
  /** Whoever asks is answered, signed in or not. */
  readonly open?: boolean
  /** The statuses that it refuses with in particular. */
  readonly refusals?: readonly number[]
}

/** A refusal, in any of the statuses of a class. */
const refusal = (description: string): Json => ({
  description,
  content: { 'application/vnd.api+json': { schema: reference('errors') } },
})

const limited = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

/** What every answer says of how often one may still ask. */
export const headers: Record<(typeof limited)[number], Json> = {
  'RateLimit-Limit': { description: 'Requests in a minute.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'How many are left of them.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until they are all there again.', schema: { type: 'integer' } },
}
const toHeaders = Object.fromEntries(limited.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** What may be refused anywhere. */
export const responses: Json = {
  refused: refusal('Refused; each error says why by its `code`.'),
  failed: refusal('Not possible at the moment, or a fault of ours.'),
}

/** An answer in a media type; without one it has no body. */
export const answer = (description: string, type?: string, schema?: Json, example?: unknown): Json => ({
  description,
  headers: toHeaders,
  ...(type !== undefined && {
    content: { [type]: { schema: schema ?? {}, ...(example !== undefined && { example }) } },
  }),
})

/** A body that must be sent. */
export const body = (type: string, schema: Json, example?: unknown, required = true): Json => ({
  required,
  content: { [type]: { schema, ...(example !== undefined && { example }) } },
})

const places = /\{(\w+)\}/g

/** The parts of a path that are given, as parameters; `schemas` says what a part is, text where it says nothing. */
export const pathParameters = (path: string, schemas: Json = {}): Json[] =>
  [...path.matchAll(places)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: schemas[name] ?? { type: 'string' },
  }))

/** An operation as OpenAPI writes it. */
export function operation({ tag, id, summary, description, open = false, ...more }: Operation): Json {
  const refused = more.refusals?.join(', ')
  return {
    tags: [tag],
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    ...(open && { security: [] }),
    ...(more.parameters && more.parameters.length > 0 && { parameters: more.parameters }),
    ...(more.body && { requestBody: more.body }),
    responses: {
      ...more.answers,
      '4XX':
        refused === undefined
          ? { $ref: '#/components/responses/refused' }
          : refusal(`Refused, here in particular with ${refused}.`),
      '5XX': { $ref: '#/components/responses/failed' },
    },
  }
}

import { type Json, reference } from './json-schema.ts'

/** The parts of an operation. */
export type Operation = {
  readonly tag: string
  readonly id: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Json[]
  readonly body?: Json
  /** The successful responses, by status. */
  readonly answers: Readonly<Record<number, Json>>
  /** The operation needs no sign-in. */
  readonly open?: boolean
  /** The specific refusal statuses. */
  readonly refusals?: readonly number[]
}

/** The response schema of a refusal, for any status of a class. */
const refusal = (description: string): Json => ({
  description,
  content: { 'application/vnd.api+json': { schema: reference('errors') } },
})

const limited = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

/** The rate limit headers of every response. */
export const headers: Record<(typeof limited)[number], Json> = {
  'RateLimit-Limit': { description: 'Requests allowed per minute.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests left in this minute.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the limit resets.', schema: { type: 'integer' } },
}
const toHeaders = Object.fromEntries(limited.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Refusals that any operation may answer. */
export const responses: Json = {
  refused: refusal('Refused; the `code` of each error gives the reason.'),
  failed: refusal('Temporarily unavailable, or a server error.'),
}

/** A response of a media type; without one it has no body. */
export const answer = (description: string, type?: string, schema?: Json, example?: unknown): Json => ({
  description,
  headers: toHeaders,
  ...(type !== undefined && {
    content: { [type]: { schema: schema ?? {}, ...(example !== undefined && { example }) } },
  }),
})

/** A required body. */
export const body = (type: string, schema: Json, example?: unknown, required = true): Json => ({
  required,
  content: { [type]: { schema, ...(example !== undefined && { example }) } },
})

const places = /\{(\w+)\}/g

/** The path parameters; `schemas` holds their schemas, text by default. */
export const pathParameters = (path: string, schemas: Json = {}): Json[] =>
  [...path.matchAll(places)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: schemas[name] ?? { type: 'string' },
  }))

/** Renders an operation as OpenAPI. */
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

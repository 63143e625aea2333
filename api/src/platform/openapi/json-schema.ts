import type { Schema } from '@portico/contract/jsonapi.ts'
import * as z from 'zod/mini'

/** A part of a JSON Schema (2020-12) or of an OpenAPI document: plain data. */
export type Json = { readonly [name: string]: unknown }

/** What a whole number is at most where nothing else is said: no limit that a reader would want to know. */
const anyInteger = Number.MAX_SAFE_INTEGER

/** The JSON Schema of a schema of the contract: as it is sent (`input`), or as it is answered (`output`). */
export function jsonSchema(schema: Schema, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    // What a transform makes is data as any other.
    unrepresentable: 'any',
    override: ({ jsonSchema: made }) => {
      // The format says the same in one word.
      if (made.format !== undefined) delete made.pattern
      if (made.maximum === anyInteger) delete made.maximum
      if (made.minimum === -anyInteger) delete made.minimum
    },
  })
  return rest
}

export const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** An object that has no other members than these. */
export const exactly = (properties: Json, required: readonly string[] = Object.keys(properties)): Json => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
})

export const text: Json = { type: 'string' }
const link: Json = { type: ['string', 'null'], format: 'uri-reference' }

/** Links by their names; the pages of a list that are not there are null. */
export const links = (...names: readonly string[]): Json =>
  exactly(Object.fromEntries(names.map((name) => [name, link])))

export const version: Json = exactly({ version: { const: '1.1' } })

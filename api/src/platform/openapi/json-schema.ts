import type { Schema } from '@portico/contract/jsonapi.ts'
import * as z from 'zod/mini'

/** A part of a JSON Schema (2020-12) or of an OpenAPI document, as plain data. */
export type Json = { readonly [name: string]: unknown }

/** The default maximum of a whole number: not a limit that a reader needs to see. */
const anyInteger = Number.MAX_SAFE_INTEGER

/** The JSON Schema of a contract schema: as sent (`input`), or as answered (`output`). */
export function jsonSchema(schema: Schema, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    // The output of a transform is ordinary data.
    unrepresentable: 'any',
    override: ({ jsonSchema: made }) => {
      // The format is a shorter form of the pattern.
      if (made.format !== undefined) delete made.pattern
      if (made.maximum === anyInteger) delete made.maximum
      if (made.minimum === -anyInteger) delete made.minimum
    },
  })
  return rest
}

export const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** An object schema without additional members. */
export const exactly = (properties: Json, required: readonly string[] = Object.keys(properties)): Json => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
})

export const text: Json = { type: 'string' }
const link: Json = { type: ['string', 'null'], format: 'uri-reference' }

/** Link members by name; absent pages of a list are null. */
export const links = (...names: readonly string[]): Json =>
  exactly(Object.fromEntries(names.map((name) => [name, link])))

export const version: Json = exactly({ version: { const: '1.1' } })

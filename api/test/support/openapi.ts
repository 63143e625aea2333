import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describedTypes } from '../../src/openapi/described.ts'
import { openApi } from '../../src/openapi/document.ts'
import type { Json } from '../../src/openapi/json-schema.ts'

/** The document as programs get it. */
export const document = openApi(describedTypes)

const { schemas } = document.components as { schemas: Record<string, Json> } // It is made so.

// Each named schema is one of its own, so that it is compiled once, and only when something needs it.
const own = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"schema:'))

const ajv = new Ajv2020({ strict: false, inlineRefs: false, discriminator: false })
addFormats.default(ajv)
for (const [name, schema] of Object.entries(schemas)) ajv.addSchema({ ...own(schema), $id: `schema:${name}` })

const compiled = new Map<Json, ValidateFunction>()

/** What is wrong with a value by a schema of the document, in words; nothing when it is right. */
export function faultsOf(schema: Json, value: unknown): string | undefined {
  const validator = compiled.get(schema) ?? ajv.compile(own(schema))
  compiled.set(schema, validator)
  return validator(value) ? undefined : ajv.errorsText(validator.errors)
}

import { validate } from '@readme/openapi-parser'
import { expect, test } from 'vitest'
import { describedTypes } from '#start/described.ts'
import { faultsOf } from '#test/support/openapi.ts'
import { openApi } from './document.ts'
import type { Json } from './json-schema.ts'

const document = openApi(describedTypes)
// The document is made as this: paths hold methods, and methods operations.
const paths = document.paths as Record<string, Record<string, Json>>
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => method !== 'parameters')
    .map(([method, operation]) => ({ path, method, operation })),
)

test('the document is valid OpenAPI 3.1', async () => {
  // The validator changes what it is given, and its types are of documents that are known.
  const checked = await validate(structuredClone(document) as never)
  expect(checked).toMatchObject({ valid: true })
})

test('every type has its list, every operation a name of its own', () => {
  for (const { contract } of describedTypes) expect(paths).toHaveProperty([`/api/v1/${contract.type}`, 'get'])
  const names = operations.map(({ operation }) => operation.operationId)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThan(300)
})

/** Every place that has a schema and an example of it. */
function examplesIn(value: unknown): { schema: Json; example: unknown }[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(examplesIn)
  // Both are there, and a schema is an object.
  return 'schema' in value && 'example' in value
    ? [{ schema: value.schema as Json, example: value.example }, ...inner]
    : inner
}

test('every example is what its schema allows', () => {
  const examples = operations.flatMap(({ path, method, operation }) =>
    examplesIn(operation).map((one) => ({ ...one, at: `${method} ${path}` })),
  )
  const wrong = examples.flatMap(({ schema, example, at }) => {
    const faults = faultsOf(schema, example)
    return faults === undefined ? [] : [`${at}: ${faults} ${JSON.stringify(example)}`]
  })
  expect(wrong).toEqual([])
  expect(examples.length).toBeGreaterThan(250)
})

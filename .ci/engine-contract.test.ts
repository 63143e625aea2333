import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import * as events from '../contract/src/engine/events.ts'
import * as offers from '../contract/src/engine/offers.ts'
import * as calls from '../contract/src/engine/panel-calls.ts'
import * as readings from '../contract/src/engine/readings.ts'
import * as reasons from '../contract/src/engine/reasons.ts'
import * as usage from '../contract/src/engine/usage.ts'
import * as wire from '../contract/src/engine/wire.ts'

// The published contract for authors of engines matches what the portal checks.

type Schema = Record<string, unknown>

const file = path.join(import.meta.dirname, '../contract/panel-engine.v1.yaml')
const document: { components: { schemas: Record<string, Schema> }; paths: Record<string, Schema> } = parse(
  fs.readFileSync(file, 'utf8'),
)
const { schemas } = document.components

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function resolved(schema: Schema): Schema {
  const { $ref: ref } = schema
  return typeof ref === 'string' ? (schemas[ref.split('/').at(-1) ?? ''] ?? {}) : schema
}

const each = (record: unknown, change: (one: Schema) => unknown) =>
  Object.fromEntries(
    Object.entries(isSchema(record) ? record : {}).map(([name, one]) => [name, isSchema(one) && change(one)]),
  )

/**
 * The parts of a schema that both notations can express: its shape, without descriptions and finer limits.
 */
function shape(given: Schema): unknown {
  const schema = resolved(given)
  const { anyOf, oneOf, properties, items, required } = schema
  if (Array.isArray(anyOf)) {
    const some = anyOf.filter((one) => one.type !== 'null')
    const [only] = some
    const inner = shape(only)
    return isSchema(inner) ? { ...inner, type: [inner.type, 'null'].flat().sort() } : inner
  }
  if (Array.isArray(oneOf)) return { oneOf: oneOf.map(shape) }
  const kept = ['const', 'maxItems', 'minItems', 'enum'].filter((name) => name in schema)
  return {
    ...Object.fromEntries(kept.map((name) => [name, schema[name]])),
    type: [schema.type].flat().sort(),
    ...(properties !== undefined && {
      properties: each(properties, shape),
      required: [required ?? []].flat().sort(),
    }),
    ...(isSchema(items) && Object.keys(items).length > 0 && { items: shape(items) }),
  }
}

const jsonSchema = (schema: z.ZodMiniType): Schema =>
  // The library returns plain JSON.
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as unknown as Schema

const pairs: [string, z.ZodMiniType][] = [
  ['Id', wire.engineId],
  ['ResourceKind', wire.resourceKind],
  ['ResourceState', wire.resourceState],
  ['PanelStatus', wire.enginePanelStatus],
  ['Capabilities', wire.engineCapabilities],
  ['Health', wire.engineHealth],
  ['Region', offers.offeredRegion],
  ['PlanDetails', offers.planDetails],
  ['Exceeded', offers.exceededLimit],
  ['Actor', wire.actor],
  ['Owner', wire.panelOwner],
  ['PanelCheck', calls.panelCheck],
  ['PanelCheckAnswer', calls.panelCheckAnswer],
  ['PlanChange', calls.planChange],
  ['ListedPanel', calls.listedPanel],
  ['PanelPage', calls.panelPage],
  ['Adoption', calls.adoption],
  ['Release', calls.panelRelease],
  ['PowerAsk', calls.powerAsk],
  ['Series', readings.engineSeries],
  ['AuditPage', readings.auditPage],
  ['NewPanel', wire.newEnginePanel],
  ['Panel', wire.enginePanel],
  ['Reason', wire.engineReason],
  ['PowerVerb', reasons.powerVerb],
  ['Resource', wire.engineResource],
  ['ResourcePage', wire.resourcePage],
  ['Scope', wire.ssoScope],
  ['SsoRequest', wire.ssoRequest],
  ['SsoLink', wire.ssoLink],
  ['Refusal', wire.engineRefusal],
  ['Event', events.engineEvent],
  ['Receipt', events.engineReceipt],
  ['UsageEvent', usage.usageEvent],
  ['UsageReceipt', usage.usageReceipt],
  ['Watermark', usage.watermark],
]

test.each(pairs)('%s is the same in the text and in the check', (name, schema) => {
  expect(schemas[name], name).toBeDefined()
  expect(shape(schemas[name] ?? {})).toEqual(shape(jsonSchema(schema)))
})

test('every schema of the contract is checked', () => {
  expect(Object.keys(schemas).sort()).toEqual(
    [...pairs.map(([name]) => name), 'Events', 'Reasons', 'UsageEvents'].sort(),
  )
  expect(schemas.Events?.properties).toMatchObject({ events: { minItems: 1, maxItems: events.mostEvents } })
  expect(schemas.UsageEvents).toMatchObject({ minItems: 1, maxItems: usage.mostUsageEvents })
})

test('every reference leads somewhere, and every call refuses what is not signed', () => {
  const text = fs.readFileSync(file, 'utf8')
  for (const [, group = '', name = ''] of text.matchAll(/#\/components\/(\w+)\/(\w+)/g))
    expect(document.components, `${group}/${name}`).toHaveProperty([group, name])
  for (const operations of Object.values(document.paths))
    for (const [method, operation] of Object.entries(operations))
      if (method !== 'parameters') expect(operation).toHaveProperty(['responses', '401'])
})

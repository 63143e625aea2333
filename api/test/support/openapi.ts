import { refusals } from '@portico/contract/refusals/index.ts'
import { base, mediaType } from '@portico/contract/wire.ts'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { callPaths } from '#platform/openapi/calls.ts'
import { pathsOf } from '#platform/openapi/data-api.ts'
import { errors } from '#platform/openapi/document.ts'
import type { Json } from '#platform/openapi/json-schema.ts'
import { resourceSchema } from '#platform/openapi/resource-schemas.ts'
import { describedTypes } from '#start/described.ts'
import { holdRomanian } from './refusals-met.ts'

// Every answer of the tests is held against the document that programs are given. Of it only what is asked about is made and
// compiled, because every test file compiles its own.

const types = new Map(describedTypes.map((one) => [one.contract.type, one]))
const contracts = new Map(describedTypes.map(({ contract }) => [contract.type, contract]))

const ajv = new Ajv2020({ strict: false, inlineRefs: false, validateSchema: false })
addFormats.default(ajv)
ajv.addSchema(errors, 'schema:errors')
// Included resources are validated one by one against their own types.
ajv.addSchema({ type: 'object' }, 'schema:any-resource')

function ensure(name: string): void {
  const contract = contracts.get(name)
  if (contract && !ajv.getSchema(`schema:${name}`)) ajv.addSchema(resourceSchema(contract), `schema:${name}`)
}

const compiled = new Map<Json, ValidateFunction>()

function compile(schema: Json): ValidateFunction {
  const own = JSON.stringify(schema).replaceAll('"#/components/schemas/', '"schema:')
  for (const [, name = ''] of own.matchAll(/"schema:([\w-]+)"/g)) ensure(name)
  const validator = ajv.compile(JSON.parse(own))
  compiled.set(schema, validator)
  return validator
}

const named = new Map<string, Json>()

/** A schema by its name; always the same object, so that it is compiled once. */
function schemaOf(name: string): Json {
  const known = named.get(name) ?? { $ref: `#/components/schemas/${name}` }
  named.set(name, known)
  return known
}

/** The errors of a value against a schema of the document, as text; undefined when it is valid. */
export function faultsOf(schema: Json, value: unknown): string | undefined {
  const validator = compiled.get(schema) ?? compile(schema)
  return validator(value) ? undefined : ajv.errorsText(validator.errors)
}

type Operation = { readonly responses: Readonly<Record<string, { readonly content?: Json }>> }
type Route = { readonly pattern: RegExp; readonly item: Json }

const made = new Map<string, readonly Route[]>()
const calls = callPaths()

/** The files of a type, which are calls of their own. */
const under = (type: string) =>
  Object.fromEntries(Object.entries(calls).filter(([path]) => path.startsWith(`${base}/${type}/`)))

/** The routes of a type, or those of the other calls; what has fewer parts that are given comes first. */
function routesOf(type: string): readonly Route[] {
  const known = made.get(type)
  if (known) return known
  const described = types.get(type)
  const paths = described ? { ...under(type), ...pathsOf(described, contracts) } : calls
  const given = (path: string) => path.split('{').length
  const routes = Object.entries(paths)
    .sort(([a], [b]) => given(a) - given(b))
    .map(([path, item]) => ({ pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`), item }))
  made.set(type, routes)
  return routes
}

function operationOf(method: string, pathname: string): Operation | undefined {
  const [, type = ''] = /^\/api\/v1\/([\w-]+)/.exec(pathname) ?? []
  const found = routesOf(types.has(type) ? type : '').find(({ pattern }) => pattern.test(pathname))
  // Paths hold operations by their method.
  return found?.item[method.toLowerCase()] as Operation | undefined
}

/** The errors of the included resources. */
function faultsOfIncluded(body: unknown): string | undefined {
  const included: unknown = Object(body).included
  if (!Array.isArray(included)) return undefined
  for (const one of included) {
    const type = String(one.type)
    if (!contracts.has(type)) continue
    const faults = faultsOf(schemaOf(type), one)
    if (faults !== undefined) return `${type}: ${faults}`
  }
  return undefined
}

function faultsOfBody(content: Json, type: string, body: string): string | undefined {
  const said = content[type] ?? content['*/*']
  if (said === undefined) return `${type} is not among ${Object.keys(content).join()}`
  if (!type.endsWith('json')) return undefined
  const value: unknown = JSON.parse(body)
  return faultsOf(Object(said).schema, value) ?? faultsOfIncluded(value)
}

const quoted = (sentence: string) => sentence.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A sentence as it was declared, with anything where its parameters stand. */
const filled = (sentence: string) =>
  new RegExp(
    `^${sentence
      .split(/\{\w+\}/)
      .map(quoted)
      .join('.*')}$`,
    's',
  )

const sentences = new Map(
  Object.entries(refusals).map(([code, [, en, ro]]) => [code, [filled(en), filled(ro)]]),
)

/** A refusal whose sentence is not the one that was declared for its code, in either language. */
function undeclared({
  errors: all,
}: {
  errors: readonly { code: string; detail: string }[]
}): string | undefined {
  const other = all.find(({ code, detail }) => !sentences.get(code)?.some((one) => one.test(detail)))
  return other && `${other.code} says: ${other.detail}`
}

/** How an answer differs from the document; nothing where it does not, or where the document says nothing of the address. */
function differenceOf(method: string, url: string, answer: LightMyRequestResponse): string | undefined {
  const operation = operationOf(method, url.split('?', 1)[0] ?? '')
  if (operation === undefined) return undefined
  const { statusCode: status, body } = answer
  const [type = ''] = String(answer.headers['content-type'] ?? '').split(';')
  if (status >= 400) {
    if (type !== mediaType) return `a refusal is ${mediaType}, and not ${type}`
    const refused = JSON.parse(body)
    return faultsOf(schemaOf('errors'), refused) ?? undeclared(refused)
  }
  const said = operation.responses[status]
  if (said === undefined) return `${status} is not among ${Object.keys(operation.responses).join()}`
  if (said.content === undefined) return body === '' ? undefined : `${status} has a body`
  // Compressed responses are skipped: the same ones are validated uncompressed.
  if (answer.headers['content-encoding'] !== undefined) return undefined
  return faultsOfBody(said.content, type, body)
}

/** Makes every request to the application fail when its response does not match the document. */
export function holdAnswers(app: FastifyInstance): void {
  const inject: (asked: InjectOptions | string) => Promise<LightMyRequestResponse> = app.inject.bind(app)
  const held = async (asked: InjectOptions | string) => {
    const answer = await inject(asked)
    holdRomanian()
    const { method = 'GET', url = '' } = answer.raw.req
    const difference = differenceOf(method, url, answer)
    if (difference === undefined) return answer
    throw new Error(
      `${method} ${url} answered otherwise than it is described: ${difference}\n${answer.body.slice(0, 500)}`,
    )
  }
  // Tests wait for the answer, and use none of the other forms.
  Object.assign(app, { inject: held })
}

import { once } from 'node:events'
import http from 'node:http'
import type { Schema } from '@portico/contract/jsonapi.ts'
import { base, mediaType } from '@portico/contract/wire.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { type Model, modelsOf } from '#platform/jsonapi/declare/model.ts'
import { served as ours } from '#start/registry.ts'
import { makeAccount } from '#test/support/account.ts'
import { Answer } from '#test/support/answer.ts'
import { makeOperator } from '#test/support/documents.ts'
import { library, prepareLibrary, stock } from '#test/support/library.ts'
import { naughtyEscapes, naughtyTexts } from '#test/support/naughty.ts'
import { testPortal } from '#test/support/portal.ts'
import { assertDocument, assertErrors } from '#test/support/structure.ts'
import { runSeed } from '#test/support/sweep.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { wish } from '#test/support/wish.ts'

// Any request at all: never a 5xx, every 4xx is a JSON:API document, nothing is stored partially, and the next request
// succeeds.

const served = [...Object.values(ours), ...library]
const models = modelsOf(served)
const writable = ({ contract }: Model) => contract.create.length + contract.update.length > 0
// Writable types get more requests, because more can go wrong in them.
const share = (model: Model) => (writable(model) ? 3 : 1)
const shares = [...models.values()].reduce((sum, model) => sum + share(model), 0)
/** Say FUZZ_SECONDS to look for longer. */
const unit = (wish('FUZZ_SECONDS', 12) * 1000) / shares
const portal = await testPortal({ served, prepare: prepareLibrary })
const mine = await makeAccount(portal.pool, { projects: 30, panels: 2 })
const theirs = await makeAccount(portal.pool, { projects: 2, panels: 1 })
const shelves = await stock(portal.pool, mine.id, 30)
const hidden = await stock(portal.pool, theirs.id, 2)
const friend = await makeAccount(portal.pool, { projects: 2, panels: 2 })
const given = await portal.share(mine, friend)
const got = await portal.share(friend, mine, { add_panels: 'allowed' })
const foreign = await portal.share(theirs, friend)
// Without an operator the portal says 503 where documents are asked for, as it should.
await makeOperator(portal.pool)
const admin = await makeAdmin(portal.pool, 'admin')
const origin = new URL(await portal.listen())
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 })
afterAll(() => agent.destroy())

type Request = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | undefined
}

// Characters that node's client refuses to send: spaces, control characters and those beyond a byte.
const unsendable = /[^\u0021-\u00ff]/gu

/** Types of staff exist for staff alone. */
function readerOf(path: string): string {
  const [type = ''] = path.slice(base.length + 1).split(/[/?]/)
  return models.get(type)?.binding.ofStaff ? `staff-${admin}` : `client-${mine.id}`
}

async function send({ method, path, headers, body }: Request): Promise<Answer> {
  const request = http.request({
    agent,
    host: origin.hostname,
    port: origin.port,
    method,
    path: path.replace(unsendable, (one) => encodeURIComponent(one.toWellFormed())),
    headers: {
      authorization: `Bearer ${readerOf(path)}`,
      ...headers,
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    },
  })
  // The server may answer and close while a body that is too large is still being sent.
  request.on('error', () => undefined)
  request.end(body)
  // Node hands this event one argument, which its types leave open.
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return new Answer(response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString())
}

const tables = [
  'clients',
  'client_entities',
  'register_details',
  'projects',
  'panels',
  'shelves',
  'authors',
  'badges',
  'books',
  'countries',
  'share_permissions',
  'share_permission_workspaces',
  'share_invitations',
  'client_panels',
]
const jobs = 'select count(*)::text || 0 as part from graphile_worker._private_jobs'
const fingerprintSql = tables.map(
  (one) => `select count(*) || ' ' || coalesce(sum(hashtext(t::text)), 0) as part from ${one} t`,
)

/** Changes when any row of any table does, or when a job is asked for. */
async function fingerprint(): Promise<string> {
  const { rows } = await sql<{
    part: string
  }>`${sql.raw([...fingerprintSql, jobs].join(' union all '))}`.execute(portal.pool.kysely)
  return rows.map(({ part }) => part).join()
}

let stored = await fingerprint()

/** Checks the invariants that hold after any request. */
async function assertSurvives(request: Request): Promise<void> {
  const answer = await send(request)
  const outcome = `${request.method} ${answer.status}`
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  const bugs = portal.bugs.splice(0).map(({ stack }) => stack)
  // `sneak` is a mistake of the library's on purpose.
  if (request.path.includes('sneak') && answer.status === 500) return
  expect([answer.status < 500, answer.text.slice(0, 300), bugs]).toEqual([true, expect.anything(), []])
  if (answer.status >= 400 && request.method !== 'HEAD') assertErrors(answer, answer.status)
  const isDocument = answer.status < 300 && answer.header('content-type') === mediaType && answer.text !== ''
  if (isDocument) assertDocument(answer, { linkage: !request.path.includes('fields') })
  if (request.method === 'GET' || request.method === 'HEAD') return
  const now = await fingerprint()
  if (answer.status >= 300) expect(now, `changed by a ${answer.status}`).toBe(stored)
  stored = now
}

/** The outcomes by method and status, printed with FUZZ_SHOW to verify that the requests reach everything. */
const outcomes = new Map<string, number>()

const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values)
const text = fc.oneof(
  { weight: 3, arbitrary: oneOf(...naughtyTexts) },
  {
    weight: 3,
    arbitrary: fc.string({ unit: oneOf('a', 'B', 'ț', ' ', '7', '-'), minLength: 1, maxLength: 16 }),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 16 }) },
)
const anything = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
  oneOf<unknown>(null, true, [], {}),
)

type Definition = {
  type: string
  innerType?: Schema
  entries?: Record<string, string>
  shape?: Record<string, Schema>
}

/** Values that a schema takes, more or less: near misses are what is looked for. */
function near(schema: Schema): fc.Arbitrary<unknown> {
  const def = schema._zod.def as Definition // The base definition names only the type.
  if (def.innerType) return fc.oneof(near(def.innerType), fc.constant(null))
  if (def.entries) return oneOf(...Object.values(def.entries))
  if (def.shape)
    return fc.record(Object.fromEntries(Object.entries(def.shape).map(([name, one]) => [name, near(one)])), {
      requiredKeys: [],
    })
  if (def.type === 'string') return text
  if (def.type === 'number')
    return fc.oneof(fc.integer({ min: -1, max: 300 }), fc.double(), fc.maxSafeInteger())
  return def.type === 'boolean' ? fc.boolean() : anything
}

const ids: Readonly<Record<string, readonly (string | number)[]>> = {
  clients: [mine.id, mine.id, mine.id, theirs.id],
  projects: [...mine.projects, ...theirs.projects],
  panels: [...mine.panels, ...theirs.panels, ...friend.panels],
  'share-permissions': [given.permission, got.permission, foreign.permission],
  'share-invitations': [given.invitation, got.invitation, foreign.invitation],
  shelves: [shelves.shelf, hidden.shelf],
  authors: [shelves.author, hidden.author],
  books: [...shelves.books, ...hidden.books],
}

const knownId = (model: Model) => oneOf(...(ids[model.name] ?? [1, 2, 3])).map(String)
const idOf = (model: Model) =>
  fc.oneof({ weight: 9, arbitrary: knownId(model) }, { weight: 1, arbitrary: text })

const identifier = (model: Model) => fc.record({ type: fc.constant(model.name), id: idOf(model) })

function linkage(model: Model, name: string): fc.Arbitrary<unknown> {
  const relation = model.relations.get(name)
  if (!relation) return anything
  const one = identifier(relation.target)
  const right =
    relation.kind === 'to-many' ? fc.array(one, { maxLength: 4 }) : fc.oneof(one, fc.constant(null))
  return fc.oneof({ weight: 5, arbitrary: right }, { weight: 1, arbitrary: anything })
}

/** Often the fields that may be sent; what may not comes by mutation. */
function resourceBody(model: Model, id?: string): fc.Arbitrary<unknown> {
  const { attributes, create, update } = model.contract
  const sendable = [...new Set([...create, ...update])]
  const own = sendable.flatMap((name) => (attributes[name] ? [[name, near(attributes[name])]] : []))
  const related = sendable.flatMap((name) =>
    model.relations.has(name) ? [[name, linkage(model, name).map((data) => ({ data }))]] : [],
  )
  const some = (fields: unknown[][]): fc.Arbitrary<unknown> => {
    const record: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(fields)
    return fc.oneof(fc.record(record), fc.record(record, { requiredKeys: [] }))
  }
  const parts = { type: fc.constant(model.name), attributes: some(own), relationships: some(related) }
  const data = id === undefined ? fc.record(parts) : fc.record({ ...parts, id: fc.constant(id) })
  return data.map((one) => ({ data: one }))
}

/** The same value with something else at some place in it. */
function mutated(body: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(body, fc.array(fc.nat(6), { maxLength: 5 }), anything, text)
    .map(([root, steps, value, key]) => {
      const copy = structuredClone(root)
      let at: unknown = copy
      for (const step of steps) {
        if (typeof at !== 'object' || at === null) break
        const keys = Object.keys(at)
        const chosen = keys[step % (keys.length + 1)]
        if (chosen === undefined || step === 6) {
          Object.defineProperty(at, key, { value, enumerable: true, configurable: true, writable: true })
          break
        }
        const inner: unknown = Reflect.get(at, chosen)
        if (typeof inner !== 'object' || inner === null) Reflect.set(at, chosen, value)
        at = inner
      }
      return copy
    })
}

const nested = (levels: number, [open, close]: readonly [string, string]) =>
  `${open.repeat(levels)}1${close.repeat(levels)}`
const rawBody = fc.oneof(
  text,
  oneOf(
    '{',
    '[',
    '"',
    'nul',
    '{"data":}',
    "{'data':1}",
    '{"data":{"type":"\\ud800"}}',
    '{"a":1}{"b":2}',
    '\ufeff{"data":null}',
  ),
  oneOf(
    nested(1000, ['[', ']']),
    nested(1000, ['{"data":', '}']),
    nested(40, ['{"data":{"attributes":', '}}']),
  ),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
)

const escaped = fc.oneof(
  { weight: 6, arbitrary: text.map((one) => encodeURIComponent(one.toWellFormed())) },
  { weight: 1, arbitrary: oneOf(...naughtyEscapes) },
)
const or = (right: fc.Arbitrary<string>, weight = 6) =>
  fc.oneof({ weight, arbitrary: right }, { weight: 1, arbitrary: escaped })

function queryOf(model: Model): fc.Arbitrary<string> {
  const { contract } = model
  const families = [
    'include',
    'sort',
    'page[size]',
    'page[number]',
    `fields[${model.name}]`,
    'filter[id]',
    'payload',
    'payload[a]',
    'page',
    'filter[]',
  ]
  const name = or(oneOf(...families, ...Object.keys(contract.filters).map((one) => `filter[${one}]`)))
  const word = oneOf(
    ...model.relations.keys(),
    ...contract.sorts,
    ...Object.keys(contract.attributes),
    '1',
    '3',
    '-1',
    'NaN',
    '1000000000',
    '99999999',
  )
  const value = or(
    fc
      .array(
        fc.tuple(oneOf('', '-'), word).map((parts) => parts.join('')),
        { minLength: 1, maxLength: 3 },
      )
      .chain((words) => oneOf(',', '.').map((by) => words.join(by))),
    2,
  )
  const pair = fc.tuple(name, value).map(([left, right]) => `${left}=${right}`)
  return fc
    .array(fc.oneof({ weight: 9, arbitrary: pair }, { weight: 1, arbitrary: escaped }), { maxLength: 4 })
    .map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''))
}

const printable = (value: string) => value.replace(/[^\t\u0020-\u007e\u0080-\u00ff]/gu, '?').slice(0, 2000)
const headersOf = fc.record(
  {
    accept: fc.oneof(
      oneOf(mediaType, '*/*', `${mediaType}; ext="x"`, `${mediaType};;;`, ',;=",'),
      text.map(printable),
    ),
    'if-none-match': fc.oneof(oneOf('*', 'W/"x"', '"', ',,,'), text.map(printable)),
    authorization: fc.oneof(
      { weight: 9, arbitrary: fc.constant(`Bearer client-${mine.id}`) },
      { weight: 1, arbitrary: text.map(printable) },
    ),
    'x-request-id': text.map(printable),
  },
  { requiredKeys: [] },
)

const contentType = fc.oneof(
  oneOf('application/json', `${mediaType}; charset=utf-8`, 'text/plain', ';', '/'),
  text.map(printable),
)

type Shape = { readonly method: string; readonly path: string; readonly json: unknown }

const shapeOf = (method: string, path: string, json: fc.Arbitrary<unknown> = fc.constant(undefined)) =>
  json.map((value): Shape => ({ method, path, json: value }))

/** Requests that mean something to the type, with values that may or may not. */
function meant(model: Model): fc.Arbitrary<Shape> {
  const list = `${base}/${model.name}`
  return idOf(model).chain((id) => {
    const one = `${list}/${encodeURIComponent(id.toWellFormed())}`
    const relations = [...model.relations.values()].flatMap(({ name, kind }) => {
      const url = `${one}/relationships/${name}`
      const body = linkage(model, name).map((data) => ({ data }))
      const methods = kind === 'to-many' ? ['PATCH', 'POST', 'DELETE'] : ['PATCH']
      const writes = methods.map((method) => shapeOf(method, url, body))
      return [shapeOf('GET', url), shapeOf('GET', `${one}/${name}`), ...writes]
    })
    const actions = Object.entries(model.contract.actions).map(([name, { method, on, input }]) => {
      const url = `${on === 'one' ? one : list}/-actions/${name}`
      return method === 'GET' ? shapeOf('GET', url) : shapeOf('POST', url, near(input))
    })
    const whole = [shapeOf('GET', list), shapeOf('GET', one), shapeOf('DELETE', one)]
    const create = shapeOf('POST', list, resourceBody(model))
    const change = shapeOf('PATCH', one, resourceBody(model, id))
    const often = writable(model) ? [create, create, change, change] : []
    return fc.oneof(create, change, ...often, ...whole, ...relations, ...actions)
  })
}

const method = oneOf('GET', 'POST', 'PATCH', 'DELETE', 'HEAD', 'PUT', 'OPTIONS')
const junkPath = fc.array(or(oneOf('relationships', '-actions', '1')), { maxLength: 4 })

/** A request in which at most one part is invalid. */
function spoilt(model: Model, { json, ...shape }: Shape): fc.Arbitrary<Request> {
  const body = json === undefined ? undefined : JSON.stringify(json)
  const typed = body === undefined ? {} : { 'content-type': mediaType }
  const right: Request = { ...shape, headers: typed, body }
  const some = (part: fc.Arbitrary<Partial<Request>>) => part.map((changed) => ({ ...right, ...changed }))
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(right) },
    { weight: 2, arbitrary: some(queryOf(model).map((query) => ({ path: right.path + query }))) },
    {
      weight: 2,
      arbitrary: some(
        mutated(fc.constant(json ?? { data: null })).map((value) => ({ body: JSON.stringify(value) })),
      ),
    },
    some(junkPath.map((parts) => ({ path: `${base}/${model.name}/${parts.join('/')}` }))),
    some(rawBody.map((raw) => ({ body: raw, headers: { 'content-type': mediaType } }))),
    some(headersOf.map((headers) => ({ headers: { ...typed, ...headers } }))),
    some(contentType.map((type) => ({ headers: { 'content-type': type } }))),
    some(method.map((other) => ({ method: other }))),
  )
}

const withoutBody = (request: Request): Request =>
  request.method === 'GET' || request.method === 'HEAD' ? { ...request, body: undefined } : request

const requestOf = (model: Model): fc.Arbitrary<Request> =>
  meant(model)
    .chain((shape) => spoilt(model, shape))
    .map(withoutBody)

describe(`seed ${runSeed}`, () => {
  test.each([...models.values()])(
    '$name survives random requests',
    async (model) => {
      const survives = fc.asyncProperty(requestOf(model), assertSurvives)
      const until = performance.now() + unit * share(model)
      // A batch comes however busy the machine is, and as many more as there is time for.
      for (let batch = 0; batch === 0 || performance.now() < until; batch++)
        await fc.assert(survives, { seed: runSeed + batch, numRuns: 10, endOnFailure: true })
      const next = await send({ method: 'GET', path: `${base}/${model.name}`, headers: {}, body: undefined })
      expect(next.status).toBe(200)
    },
    60_000,
  )

  test('requests of every kind were sent', async () => {
    if (process.env.FUZZ_SHOW) expect(Object.fromEntries(outcomes)).toEqual({})
    const kinds = ['GET 200', 'GET 400', 'POST 201', 'POST 422', 'PATCH 400', 'PATCH 422']
    const missing = () => kinds.filter((kind) => !outcomes.has(kind))
    // On a busy machine each type had one batch, which may lack one of them.
    for (let more = 0; more < 20 && missing().length > 0; more++)
      for (const model of models.values())
        await fc.assert(fc.asyncProperty(requestOf(model), assertSurvives), {
          seed: runSeed - 1 - more,
          numRuns: 5,
        })
    expect(missing()).toEqual([])
  }, 120_000)
})

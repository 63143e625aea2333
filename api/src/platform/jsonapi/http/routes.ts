import { hash } from 'node:crypto'
import type { Action } from '@portico/contract/jsonapi.ts'
import { minuteMs } from '@portico/contract/time.ts'
import { base, mediaType } from '@portico/contract/wire.ts'
import type { FastifyRequest } from 'fastify'
import type { Context } from '#platform/context.ts'
import { runnerOf } from '#platform/db/pool.ts'
import { readOnly } from '#platform/db/transact.ts'
import { matchesTag } from '#platform/http/etag.ts'
import { isWhole } from '#platform/jsonapi/declare/may.ts'
import { type Model, parseId } from '#platform/jsonapi/declare/model.ts'
import { anonymous } from '#platform/jsonapi/declare/symbolic-actor.ts'
import { isClosedToViews } from '#platform/jsonapi/declare/view-reach.ts'
import { readingOn } from '#platform/jsonapi/explain.ts'
import { type Accepted, parseQuery, type Query } from '#platform/jsonapi/read/query.ts'
import { type Reading, readList, readOne } from '#platform/jsonapi/read/read.ts'
import { type Changes, changesNothing, parseCreate, parseUpdate } from '#platform/jsonapi/write/document.ts'
import {
  type Answered,
  type Claim,
  claim,
  keepAnswer,
  keepBegun,
  keyOf,
  releaseKey,
  replay,
} from '#platform/jsonapi/write/idempotency.ts'
import { assertMay, assertOffered, lockRow } from '#platform/jsonapi/write/rows.ts'
import { logStaffAction } from '#platform/jsonapi/write/staff-action.ts'
import { type Created, create, remove, update } from '#platform/jsonapi/write/write.ts'
import { actorIn, outsideContextOf, working } from '#platform/jsonapi/write/write-context.ts'
import { actorOf, largeBody } from './actor.ts'
import type { Call, Engine, Handler, Rendered } from './engine.ts'
import { assertAcceptable, assertDocument } from './media.ts'
import { note } from './offered.ts'
import { noteListed, readOpened } from './opened.ts'
import { propose } from './propose.ts'

/** The raw query string. */
export function rawQuery(request: FastifyRequest): string {
  const at = request.url.indexOf('?')
  return at < 0 ? '' : request.url.slice(at + 1)
}

// The maximum number of cached parsed queries.
const mostRemembered = 1000
// The maximum number of cached reference documents: one may be 60 kB, and any signed-in person can request
// many variants.
const mostRendered = 100
const referenceLifetime = minuteMs

// A document with a hundred relationships and long texts is far smaller.
const mostBodyBytes = 1_048_576

export function checkedQuery(
  engine: Engine,
  model: Model,
  request: FastifyRequest,
  accepted: Accepted,
): Query {
  const raw = rawQuery(request)
  const key = `${model.name} ${accepted} ${raw}`
  const known = engine.queries.get(key)
  if (known) return known
  const query = parseQuery(engine.models, model, raw, accepted)
  if (engine.queries.size >= mostRemembered) engine.queries.clear()
  if (raw.length < 500) engine.queries.set(key, query)
  return query
}

export function bodyOf(request: FastifyRequest): string {
  return typeof request.body === 'string' ? request.body : ''
}

/** The id in the path. */
export function idOf(request: FastifyRequest): string {
  const { params } = request
  const id = typeof params === 'object' && params !== null && 'id' in params ? params.id : ''
  return typeof id === 'string' ? id : ''
}

// The tag is weak, because compression follows.
function rendered(body: Buffer): Rendered {
  return { body, tag: `W/"${hash('sha1', body, 'base64url')}"` }
}

/** Sends a document; 304 when the client already has it. */
function send({ request, reply }: Call, document: Buffer | Rendered): Buffer | undefined {
  const { body, tag } = Buffer.isBuffer(document) ? rendered(document) : document
  if (request.method !== 'GET' && request.method !== 'HEAD') return body
  reply.header('etag', tag)
  if (!matchesTag(request.headers['if-none-match'], tag)) return body
  reply.code(304)
  return undefined
}

/** A list of a reference type, read and rendered once a minute for all readers. */
async function referenceList(engine: Engine, model: Model, call: Call): Promise<Rendered> {
  const known = engine.rendered.get(call.request.url)
  const now = engine.clock.now().getTime()
  if (known && known.until > now) return known.document
  const query = checkedQuery(engine, model, call.request, 'list')
  const document = rendered(await readList(readingOf(engine, call), model, query))
  if (engine.rendered.size >= mostRendered) engine.rendered.clear()
  engine.rendered.set(call.request.url, { document, until: now + referenceLifetime })
  return document
}

/**
 * Registers the methods of a path; every other method is a 405 that lists them. `open`: no sign-in is needed;
 * `personal`: those who are signed in are known all the same. `isShown`: also to staff who see an account as its owner does.
 */
export function offer(
  engine: Engine,
  model: Model,
  url: string,
  handlers: Partial<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', Handler>>,
  { open = false, personal = false, mostBytes }: Pick<Action, 'open' | 'personal' | 'mostBytes'> = {},
  isShown = !isClosedToViews(model),
) {
  for (const [method, handler] of Object.entries(handlers))
    engine.app.route({
      method,
      url,
      config: { views: isShown },
      ...(mostBytes === undefined ? { bodyLimit: mostBodyBytes } : largeBody(engine, model, mostBytes)),
      handler: async (request, reply) => {
        reply.header('content-type', mediaType)
        reply.header('vary', 'accept')
        const known = !open || (personal && request.headers.authorization !== undefined)
        const actor = known ? await actorOf(engine, model, request) : anonymous
        const call = { request, reply, actor }
        // Authentication comes first: an anonymous client is asked to sign in and learns nothing else.
        assertAcceptable(request.headers.accept)
        const document = await handler(call)
        return document === undefined ? undefined : send(call, document)
      },
    })
  note(engine, url, Object.keys(handlers))
}

// Simple clients send raw brackets, which a link may not contain (RFC 3986).
const notInLinks = /[^\w\-.~!$&'()*+,;=:@/?%]/g

/** The address of a request as a link. */
export function selfOf({ url }: FastifyRequest): string {
  return url.replace(notInLinks, encodeURIComponent)
}

export function readingOf(engine: Engine, call: Call): Reading {
  const { request, actor } = call
  const runner = actor.view ? readOnly(engine.pool.kysely) : engine.pool
  const listed = (model: Model, rows: number) => noteListed(engine, model, call, rows)
  return { run: readingOn(runner), actor, self: selfOf(request), ...(actor.staff && { listed }) }
}

/** Creates the row, or finds the one that the same request created before it was interrupted. */
async function rowOf(
  context: Context,
  model: Model,
  changes: Changes,
  claimed: Claim | undefined,
  admitted: () => Promise<void>,
): Promise<Created> {
  if (claimed?.state !== 'begun') return create(context, model, changes, admitted)
  return { row: await lockRow(context, model, claimed.id, false), returned: {} }
}

async function createOne(engine: Engine, model: Model, call: Call): Promise<Buffer> {
  assertOffered(model, 'create')
  assertDocument(call.request.headers['content-type'])
  const query = checkedQuery(engine, model, call.request, 'one')
  const changes = parseCreate(model, bodyOf(call.request))
  const keyed = keyOf(call, model.contract.keyed)
  const { begun } = model.binding
  const answer = async (context: Context, { row, returned }: Created): Promise<Answered> => {
    const location = `${model.path}/${row.id}`
    // A guest sees a new panel in a list of single panels only after their grants are read again.
    const actor = await actorIn(engine, context.actor, context)
    const reading = { run: runnerOf(context.tx), actor, self: location }
    const id = String(row.id)
    const body = await readOne(reading, model, id, query, returned)
    const made = { status: 201, location, body }
    // Values that are returned once are neither stored with the answer nor returned to a repeated request.
    const kept = model.binding.once && keyed ? await readOne(reading, model, id, query) : body
    if (!keyed) return made
    const first = { ...made, body: kept }
    const said = await keepAnswer(context, keyed, first)
    return said === first ? made : said
  }
  await propose(engine, model, call, { changes, keyed })
  const first = await working(engine, model, call, 'read write', async (context) => {
    const claimed = keyed && (await claim(context, keyed))
    if (claimed?.state === 'answered') {
      // Checks visibility again: an answer from before a permission was revoked is not repeated.
      const id = claimed.answer.location?.slice(model.path.length + 1) ?? ''
      await lockRow(context, model, parseId(model, id), false)
      return { before: claimed.answer }
    }
    const made = await rowOf(context, model, changes, claimed, () => logStaffAction(context, model, call))
    if (!begun) return { answered: await answer(context, made) }
    if (keyed) await keepBegun(context, keyed, Number(made.row.id))
    return { made }
  })
  if (first.before) return replay(call, first.before)
  const { status, location, body } = first.answered ?? (await goOn(engine, model, call, first.made, answer))
  call.reply.code(status).header('location', location)
  return body
}

/** Runs the outside calls after the commit, then renders the answer. */
async function goOn(
  engine: Engine,
  model: Model,
  call: Call,
  made: Created,
  answer: (context: Context, made: Created) => Promise<Answered>,
): Promise<Answered> {
  const keyed = keyOf(call, model.contract.keyed)
  const within = <T>(work: (context: Context) => Promise<T>) =>
    working(engine, model, call, 'read write', work)
  try {
    // The hook has the type of its own row; the engine does not know its columns.
    const returned = await model.binding.begun?.(outsideContextOf(engine, model, call), made.row as never)
    return await within((context) =>
      answer(context, { ...made, returned: { ...made.returned, ...returned } }),
    )
  } catch (error) {
    if (keyed) await within((context) => releaseKey(context, keyed))
    throw error
  }
}

async function updateOne(engine: Engine, model: Model, call: Call): Promise<Buffer> {
  assertOffered(model, 'update')
  assertDocument(call.request.headers['content-type'])
  const query = checkedQuery(engine, model, call.request, 'one')
  const id = idOf(call.request)
  return working(engine, model, call, 'read write', async (context) => {
    const row = await lockRow(context, model, parseId(model, id))
    // A reader may send a row back unchanged; older clients return everything that they received.
    if (!changesNothing(model, bodyOf(call.request), row, isWhole(model, call.actor, row))) {
      assertMay(model, 'update', context, row)
      await logStaffAction(context, model, call)
      await update(context, model, row, parseUpdate(model, bodyOf(call.request), row))
    }
    const self = `${model.path}/${id}`
    return readOne({ run: runnerOf(context.tx), actor: context.actor, self }, model, id, query)
  })
}

async function deleteOne(engine: Engine, model: Model, call: Call): Promise<Buffer | undefined> {
  assertOffered(model, 'delete')
  const query = checkedQuery(engine, model, call.request, 'none')
  const goesOn = model.contract.delete === 'accepted'
  const id = idOf(call.request)
  const left = await working(engine, model, call, 'read write', async (context) => {
    const row = await lockRow(context, model, parseId(model, id))
    assertMay(model, 'delete', context, row)
    await logStaffAction(context, model, call)
    await remove(context, model, row)
    const reading = { run: runnerOf(context.tx), actor: context.actor, self: `${model.path}/${id}` }
    return goesOn ? readOne(reading, model, id, query) : undefined
  })
  call.reply.code(goesOn ? 202 : 204)
  if (!goesOn) call.reply.removeHeader('content-type')
  return left
}

/** /{type}: list and create. */
export function typeRoutes(engine: Engine, model: Model): void {
  const url = model.path.slice(base.length)
  offer(engine, model, url, {
    GET: async (call) =>
      model.lookup
        ? referenceList(engine, model, call)
        : readList(readingOf(engine, call), model, checkedQuery(engine, model, call.request, 'list')),
    POST: (call) => createOne(engine, model, call),
  })
}

/** /{type}/{id}: read, update and delete. */
export function itemRoutes(engine: Engine, model: Model): void {
  const url = `${model.path.slice(base.length)}/:id`
  offer(engine, model, url, {
    GET: (call) => {
      const query = checkedQuery(engine, model, call.request, 'one')
      return readOpened(engine, model, { reading: readingOf(engine, call), id: idOf(call.request), query })
    },
    PATCH: (call) => updateOne(engine, model, call),
    DELETE: (call) => deleteOne(engine, model, call),
  })
}

import { base } from '@portico/contract/wire.ts'
import type { Context } from '#platform/context.ts'
import { type Model, parseId } from '#platform/jsonapi/declare/model.ts'
import { anonymous } from '#platform/jsonapi/declare/symbolic-actor.ts'
import { isClosedToViews, onlyReads } from '#platform/jsonapi/declare/view-reach.ts'
import {
  type Answered,
  claim,
  type Keyed,
  keepAnswer,
  keyOf,
  releaseKey,
  replay,
} from '#platform/jsonapi/write/idempotency.ts'
import { lockRow } from '#platform/jsonapi/write/rows.ts'
import { logStaffAction, reasonOf } from '#platform/jsonapi/write/staff-action.ts'
import { outsideContextOf, working } from '#platform/jsonapi/write/write-context.ts'
import {
  bodyPayload,
  type Called,
  callAction,
  callOutside,
  goesOutside,
  queryPayload,
} from './call-action.ts'
import type { Call, Engine } from './engine.ts'
import { assertActionBody } from './media.ts'
import { countAsked } from './opened.ts'
import { bodyOf, checkedQuery, idOf, offer, rawQuery } from './routes.ts'

/** Allows an answer to be kept; what is a person's own only in their browser, and only with the same session. */
function keepFor({ reply, actor }: Call, seconds: number): void {
  reply.header('vary', 'accept, authorization')
  reply.header('cache-control', `${actor === anonymous ? 'public' : 'private'}, max-age=${seconds}`)
}

/** Runs an action. A GET action gets a read-only transaction, so that the database rejects its writes. */
async function act(engine: Engine, model: Model, name: string, call: Call): Promise<Buffer> {
  const action = model.contract.actions[name]
  if (!action) throw new Error(`${model.name} declares no action ${name}`)
  const reads = action.method === 'GET'
  if (!reads && bodyOf(call.request) !== '') assertActionBody(call.request.headers['content-type'])
  if (!reads) checkedQuery(engine, model, call.request, 'none')
  const payload = reads ? queryPayload(rawQuery(call.request)) : bodyPayload(bodyOf(call.request))
  const id = action.on === 'one' ? parseId(model, idOf(call.request)) : undefined
  call.reply.header('content-type', 'application/json; charset=utf-8')
  if (action.fresh !== undefined) keepFor(call, action.fresh)
  const called: Called = { model, name, action, id, payload }
  const keyed = reads || action.unkept ? undefined : keyOf(call, action.keyed ?? false)
  if (reads) await countAsked(engine, model, name, call)
  if (goesOutside(called)) return actOutside(engine, call, called, keyed)
  return working(engine, model, call, reads ? 'read only' : 'read write', (context) =>
    once(context, call, called, keyed, () =>
      callAction(context, called, () => logStaffAction(context, model, call)),
    ),
  )
}

/** Repeats the stored answer, without the data of a row that the actor no longer sees. */
async function again(
  context: Context,
  call: Call,
  { model, action, id }: Called,
  answer: Answered,
): Promise<Buffer> {
  if (action.on === 'one') await lockRow(context, model, id, false)
  return replay(call, answer)
}

/** Runs the action in the transaction, unless the same request was already answered. */
async function once(
  context: Context,
  call: Call,
  called: Called,
  keyed: Keyed | undefined,
  work: () => Promise<Buffer>,
): Promise<Buffer> {
  if (!keyed) return work()
  const claimed = await claim(context, keyed)
  if (claimed.state === 'answered') return again(context, call, called, claimed.answer)
  const body = await work()
  await keepAnswer(context, keyed, { status: 200, location: null, body })
  return body
}

/** Runs an action with outside calls. Such actions converge: an interrupted one is simply repeated. */
async function actOutside(
  engine: Engine,
  call: Call,
  called: Called,
  keyed: Keyed | undefined,
): Promise<Buffer> {
  const { model } = called
  const within = <T>(work: (context: Context) => Promise<T>) =>
    working(engine, model, call, 'read write', work)
  const before =
    keyed &&
    (await within(async (context) => {
      const claimed = await claim(context, keyed)
      return claimed.state === 'answered' ? again(context, call, called, claimed.answer) : undefined
    }))
  if (before) return before
  try {
    const body = await callOutside(outsideContextOf(engine, model, call), called, (work) =>
      working(engine, model, call, 'read only', async (context) => {
        const given = await work(context)
        // Nothing is called outside for staff without a reason.
        if (call.actor.staff && called.action.method === 'POST') reasonOf(model, call)
        return given
      }),
    )
    if (!keyed) return body
    const answer = { status: 200, location: null, body }
    return (await within((context) => keepAnswer(context, keyed, answer))).body
  } catch (error) {
    if (keyed) await within((context) => releaseKey(context, keyed))
    throw error
  }
}

/** Whether staff who see an account as its owner does may use an action. */
const isShownTo = (model: Model, name: string) => !isClosedToViews(model) && onlyReads(model, name)

/** /{type}/-actions/{action} and /{type}/{id}/-actions/{action}. */
export function actionRoutes(engine: Engine, model: Model): void {
  const url = model.path.slice(base.length)
  for (const [name, action] of Object.entries(model.contract.actions)) {
    const path = `${action.on === 'one' ? `${url}/:id` : url}/-actions/${name}`
    const handler = (call: Call) => act(engine, model, name, call)
    offer(engine, model, path, { [action.method]: handler }, action, isShownTo(model, name))
  }
}

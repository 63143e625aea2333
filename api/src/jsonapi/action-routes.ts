import { base } from '@portico/contract/wire.ts'
import { storedAddress } from '../db/address.ts'
import type { Scene } from '../db/context.ts'
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
import { type Model, parseId } from './model.ts'
import { bodyOf, checkedQuery, idOf, offer, rawQuery } from './routes.ts'
import { working } from './work.ts'

/** What an action is handed that runs in no transaction. */
const sceneOf = (engine: Engine, model: Model, call: Call): Scene => ({
  actor: call.actor,
  ip: storedAddress(call.request.ip),
  now: engine.clock.now(),
  vault: engine.vault,
  ports: engine.ports,
  within: (work) => working(engine, model, call, 'read write', work),
})

/** Runs an action. One declared as GET gets a read-only transaction: the database refuses to write for it. */
async function act(engine: Engine, model: Model, name: string, call: Call): Promise<Buffer> {
  const action = model.contract.actions[name]
  if (!action) throw new Error(`${model.name} declares no action ${name}`)
  const reads = action.method === 'GET'
  if (!reads && bodyOf(call.request) !== '') assertActionBody(call.request.headers['content-type'])
  if (!reads) checkedQuery(engine, model, call.request, 'none')
  const payload = reads ? queryPayload(rawQuery(call.request)) : bodyPayload(bodyOf(call.request))
  const id = action.on === 'one' ? parseId(model, idOf(call.request)) : undefined
  call.reply.header('content-type', 'application/json; charset=utf-8')
  const called: Called = { model, name, action, id, payload }
  if (goesOutside(called))
    return callOutside(sceneOf(engine, model, call), called, (work) =>
      working(engine, model, call, 'read only', work),
    )
  return working(engine, model, call, reads ? 'read only' : 'read write', (context) =>
    callAction(context, called),
  )
}

/** /{type}/-actions/{action} and /{type}/{id}/-actions/{action}. */
export function actionRoutes(engine: Engine, model: Model): void {
  const url = model.path.slice(base.length)
  for (const [name, { method, on, open }] of Object.entries(model.contract.actions))
    offer(
      engine,
      `${on === 'one' ? `${url}/:id` : url}/-actions/${name}`,
      { [method]: (call: Call) => act(engine, model, name, call) },
      open,
    )
}

import { base } from '@portico/contract/wire.ts'
import { bodyPayload, callAction, queryPayload } from './call-action.ts'
import type { Call, Engine } from './engine.ts'
import { assertActionBody } from './media.ts'
import { type Model, parseId } from './model.ts'
import { bodyOf, checkedQuery, idOf, offer, rawQuery } from './routes.ts'
import { working } from './work.ts'

/** Runs an action. One declared as GET gets a read-only transaction: the database refuses to write for it. */
async function act(engine: Engine, model: Model, name: string, call: Call): Promise<string> {
  const action = model.contract.actions[name]
  if (!action) throw new Error(`${model.name} declares no action ${name}`)
  const reads = action.method === 'GET'
  if (!reads && bodyOf(call.request) !== '') assertActionBody(call.request.headers['content-type'])
  if (!reads) checkedQuery(engine, model, call.request, 'none')
  const payload = reads ? queryPayload(rawQuery(call.request)) : bodyPayload(bodyOf(call.request))
  const id = action.on === 'one' ? parseId(model, idOf(call.request)) : undefined
  call.reply.header('content-type', 'application/json; charset=utf-8')
  return working(engine, model, call, reads ? 'read only' : 'read write', (context) =>
    callAction(context, model, name, action, id, payload),
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

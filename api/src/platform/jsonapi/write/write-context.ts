import type { Actor, Context, OutsideContext } from '#platform/context.ts'
import { storedAddress } from '#platform/db/address.ts'
import { transact } from '#platform/db/transact.ts'
import type { Model } from '#platform/jsonapi/declare/model.ts'
import { explain } from '#platform/jsonapi/explain.ts'
import type { Call, Engine } from '#platform/jsonapi/http/engine.ts'
import { lookUp } from './write.ts'

/** What a service asks for by type and id, as the actor sees it. */
function seeing(engine: Engine, context: Omit<Context, 'see'>): Context['see'] {
  return async (type, id) => {
    const model = engine.models.get(type)
    if (model === undefined) throw new Error(`${type} is not served`)
    const found = await lookUp(context, model, [{ id }])
    const row = found.get(id)
    if (row === undefined) throw new Error(`${type} ${id} was neither found nor missed`)
    return row
  }
}

/**
 * Who acts in a transaction that is to write: a guest holds what they were given until the end of it. Asked again, what the
 * transaction itself has given them is in it.
 */
export async function actorIn(
  engine: Engine,
  actor: Actor,
  { tx, now }: Pick<Context, 'tx' | 'now'>,
): Promise<Actor> {
  return actor.grants.length > 0 ? engine.hold(tx, actor, now) : actor
}

/**
 * One transaction, committed before the answer is sent; faults of the database are said in the client's terms. In one that
 * only reads the database refuses to write.
 */
export async function working<T>(
  engine: Engine,
  model: Model,
  call: Call,
  mode: 'read only' | 'read write',
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const shared = { vault: engine.vault, ip: storedAddress(call.request.ip), now: engine.clock.now() }
  try {
    return await transact(engine.pool.kysely, mode, async (tx) => {
      const given = { ...shared, tx }
      const actor = mode === 'read write' ? await actorIn(engine, call.actor, given) : call.actor
      const context = { ...given, actor }
      return work({ ...context, see: seeing(engine, context) })
    })
  } catch (error) {
    throw explain(error, model)
  }
}

/** What a verb is handed that runs in no transaction. */
export const sceneOf = (engine: Engine, model: Model, call: Call): OutsideContext => ({
  actor: call.actor,
  ip: storedAddress(call.request.ip),
  now: engine.clock.now(),
  vault: engine.vault,
  ports: engine.ports,
  within: (work) => working(engine, model, call, 'read write', work),
})

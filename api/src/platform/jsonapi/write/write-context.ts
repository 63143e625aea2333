import type { Actor, Context, OutsideContext } from '#platform/context.ts'
import { storedAddress } from '#platform/db/address.ts'
import { transact } from '#platform/db/transact.ts'
import { refuse } from '#platform/errors/problem.ts'
import { type Model, parseId } from '#platform/jsonapi/declare/model.ts'
import { explain } from '#platform/jsonapi/explain.ts'
import { callAction } from '#platform/jsonapi/http/call-action.ts'
import type { Call, Engine } from '#platform/jsonapi/http/engine.ts'
import type { Json } from './body.ts'
import { lookUp } from './rows.ts'
import { assertStillStaff, logStaffAction, markStaff, writeAction } from './staff-action.ts'

/** Lets a service read a row by type and id, as the actor sees it. */
function seeing(engine: Engine, context: Omit<Context, 'see' | 'perform'>): Context['see'] {
  return async (type, id) => {
    const model = engine.models.get(type)
    if (model === undefined) throw new Error(`${type} is not served`)
    const found = await lookUp(context, model, [{ id }])
    const row = found.get(id)
    if (row === undefined) throw new Error(`${type} ${id} was neither found nor refused`)
    return row
  }
}

/** Lets a service run a verb for the member of staff who asked for it: their rights, the row and the input count as they are now. */
function performing(
  engine: Engine,
  call: Call,
  context: Omit<Context, 'see' | 'perform'>,
): Context['perform'] {
  return async ({ staff, second, type, verb: name, ref, input, reason }) => {
    const model = engine.models.get(type)
    const action = model?.contract.actions[name]
    if (model === undefined || action === undefined) throw new Error(`${type} has no verb ${name}`)
    // A verb that makes its row takes none: the second person would read a name that has nothing to do with it.
    if (action.on === 'type' && ref !== null)
      throw refuse('field_unknown', { names: 'ref' }, { source: { pointer: '/data/ref' } })
    const given = { ...context, actor: { ...context.actor, staff } }
    const id = action.on === 'one' ? parseId(model, ref ?? '') : undefined
    // It was parsed as JSON when it was sent.
    const payload = { value: input as Json, at: 'pointer', member: 'input' } as const
    await callAction(
      { ...given, second, see: seeing(engine, given), perform: performing(engine, call, given) },
      { model, name, action, id, payload },
      () =>
        writeAction(context.tx, call, {
          admin_id: staff.id,
          approved_by: second.by,
          verb: name,
          type,
          ref,
          reason,
        }),
    )
  }
}

/**
 * The actor of a writing transaction: the grants of a guest are locked until it ends. A second call also sees
 * grants that the transaction itself has added.
 */
export async function actorIn(
  engine: Engine,
  actor: Actor,
  { tx, now }: Pick<Context, 'tx' | 'now'>,
): Promise<Actor> {
  return actor.grants.length > 0 ? engine.hold(tx, actor, now) : actor
}

/**
 * Runs one transaction, committed before the answer is sent; database errors become refusals. A read-only one
 * rejects writes, and so does each of a view.
 */
export async function working<T>(
  engine: Engine,
  model: Model,
  call: Call,
  asked: 'read only' | 'read write',
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const mode = call.actor.view ? 'read only' : asked
  const shared = { vault: engine.vault, ip: storedAddress(call.request.ip), now: engine.clock.now() }
  try {
    return await transact(engine.pool.kysely, mode, async (tx) => {
      const given = { ...shared, tx }
      const actor = mode === 'read write' ? await actorIn(engine, call.actor, given) : call.actor
      if (mode === 'read write') await markStaff(tx, actor)
      const context = { ...given, actor }
      return work({
        ...context,
        see: seeing(engine, context),
        perform: performing(engine, call, context),
      })
    })
  } catch (error) {
    throw explain(error, model)
  }
}

/** The context of a verb that runs outside any transaction. */
export const outsideContextOf = (engine: Engine, model: Model, call: Call): OutsideContext => ({
  actor: call.actor,
  ip: storedAddress(call.request.ip),
  now: engine.clock.now(),
  vault: engine.vault,
  ports: engine.ports,
  within: (work) =>
    working(engine, model, call, 'read write', async (context) => {
      await assertStillStaff(context.tx, context.actor)
      await logStaffAction(context, model, call)
      return work(context)
    }),
})

import type { Model } from '#platform/jsonapi/declare/model.ts'
import type { Changes } from '#platform/jsonapi/write/document.ts'
import { type Keyed, wasAnswered } from '#platform/jsonapi/write/idempotency.ts'
import { creatable } from '#platform/jsonapi/write/write.ts'
import { outsideContextOf, working } from '#platform/jsonapi/write/write-context.ts'
import type { Call, Engine } from './engine.ts'

/** Asks the engine whether it would accept the new row, for the types that have such a check. */
export async function propose(
  engine: Engine,
  model: Model,
  call: Call,
  { changes, keyed }: { readonly changes: Changes; readonly keyed: Keyed | undefined },
): Promise<void> {
  const { proposed } = model.binding
  if (!proposed) return
  const wish = await working(engine, model, call, 'read write', async (context) =>
    keyed && (await wasAnswered(context, keyed)) ? undefined : creatable(context, model, changes),
  )
  // The attributes were validated against the type of this hook, which the generic code does not know.
  if (wish) await proposed(outsideContextOf(engine, model, call), wish as never)
}

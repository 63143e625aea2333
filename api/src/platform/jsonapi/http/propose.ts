import type { Model } from '#platform/jsonapi/declare/model.ts'
import type { Changes } from '#platform/jsonapi/write/document.ts'
import { type Keyed, wasAnswered } from '#platform/jsonapi/write/idempotency.ts'
import { creatable } from '#platform/jsonapi/write/write.ts'
import { outsideContextOf, working } from '#platform/jsonapi/write/write-context.ts'
import type { Call, Engine } from './engine.ts'

/** Asks outside whether what a request would create can be, where its type has somebody to ask. */
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
  // What was sent was checked by the attributes that the hook was written for; the engine does not know them.
  if (wish) await proposed(outsideContextOf(engine, model, call), wish as never)
}

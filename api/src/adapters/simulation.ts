import { type EngineEvent, mostEvents } from '@portico/contract/engine/wire.ts'
import type { EngineAccess } from './panel-engine.ts'
import type { SimulatedEngine } from './simulated-engine.ts'
import { sign } from './webhook-signature.ts'

/** A message as an engine sends it: what stands in its headers, and the text that they sign. */
export type Message = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

/** Brings a message to the portal and answers with the status. */
export type Deliver = (message: Message) => Promise<number>

const everyMs = 10_000

/** A message with what happened, signed with the newest secret as a real engine's is. */
function messageOf({ code, secrets }: EngineAccess, events: readonly EngineEvent[]): Message {
  const body = JSON.stringify({ events })
  const headers = {
    'content-type': 'application/json',
    'webhook-engine': code,
    ...sign(secrets.slice(0, 1), body),
  }
  return { headers, body }
}

/** Tells the portal what happened in the simulated engine, by the way that every engine has to come. */
export async function tellChanges(
  engine: SimulatedEngine,
  access: EngineAccess,
  deliver: Deliver,
): Promise<void> {
  const events = engine.changes()
  while (events.length > 0) {
    const batch = events.splice(0, mostEvents)
    const message = messageOf(access, batch)
    const status = await deliver(message).catch(() => 0)
    if (engine.faults.twice) await deliver(message).catch(() => 0)
    if (status === 200) continue
    engine.undelivered([...batch, ...events])
    return
  }
}

/** Lets the simulated engine speak every ten seconds until it is stopped. */
export function startSimulation(parts: {
  readonly engine: SimulatedEngine
  /** Undefined while the engine is disabled. */
  readonly access: () => Promise<EngineAccess | undefined>
  readonly deliver: Deliver
  readonly failed: (error: unknown) => void
}): { stop: () => Promise<void> } {
  const { engine, access, deliver, failed } = parts
  let speaking = Promise.resolve()
  const speak = async () => {
    const known = await access()
    if (known) await tellChanges(engine, known, deliver)
  }
  const timer = setInterval(() => {
    speaking = speaking.then(speak).catch(failed)
  }, everyMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await speaking
    },
  }
}

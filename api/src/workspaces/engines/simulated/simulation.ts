import { mostEvents } from '@portico/contract/engine/events.ts'
import { mostUsageEvents } from '@portico/contract/engine/usage.ts'
import { sign } from '#platform/webhook-signature.ts'
import type { EngineAccess } from '#workspaces/engines/panel-engine.ts'
import type { SimulatedEngine } from './engine.ts'

/** A message as an engine sends it: the path, the signed headers, and the text. */
export type Message = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Delivers a message to the portal and resolves with the status. */
export type Deliver = (message: Message) => Promise<number>

const everyMs = 10_000

const contentTypes = {
  events: 'application/json',
  usage: 'application/cloudevents-batch+json',
  watermark: 'application/json',
} as const

/** A message signed with the newest secret, like a real engine's. */
function messageOf(
  { code, secrets }: EngineAccess,
  kind: keyof typeof contentTypes,
  content: unknown,
): Message {
  const body = JSON.stringify(content)
  const headers = {
    'content-type': contentTypes[kind],
    'webhook-engine': code,
    ...sign(secrets.slice(0, 1), body),
  }
  return { path: `/engine/v1/${kind}`, headers, body }
}

/** Sends the events of the simulated engine to the portal over the engines' API. */
export async function reportChanges(
  engine: SimulatedEngine,
  access: EngineAccess,
  deliver: Deliver,
): Promise<void> {
  const events = engine.changes()
  while (events.length > 0) {
    const batch = events.splice(0, mostEvents)
    const message = messageOf(access, 'events', { events: batch })
    const status = await deliver(message).catch(() => 0)
    if (engine.faults.twice) await deliver(message).catch(() => 0)
    if (status === 200) continue
    engine.undelivered([...batch, ...events])
    return
  }
}

/** A panel with metered usage: the engine's id, and the start of the unreported time. */
export type Metered = { readonly panel: string; readonly from: Date }

/** Reports the usage of panels up to a moment; resolves to whether the portal accepted it. */
export type Meter = {
  /** panel_engines.id */
  readonly engineId: number
  readonly report: (use: { readonly panels: readonly Metered[]; readonly to: Date }) => Promise<boolean>
}

/**
 * Reports the usage of panels and then the watermark. Repeated reports use the same ids, so that nothing
 * counts twice; rejected ones are sent again.
 */
export function meterOf(engine: SimulatedEngine, access: EngineAccess, deliver: Deliver): Meter {
  const accepted = async (kind: 'usage' | 'watermark', content: unknown, status: number) =>
    (await deliver(messageOf(access, kind, content)).catch(() => 0)) === status
  return {
    engineId: access.id,
    report: async ({ panels, to }) => {
      const events = panels.flatMap(({ panel, from }) => engine.usage(panel, from, to))
      for (let at = 0; at < events.length; at += mostUsageEvents)
        if (!(await accepted('usage', events.slice(at, at + mostUsageEvents), 202))) return false
      return accepted('watermark', { through: to.toISOString() }, 200)
    },
  }
}

/** Runs the simulated engine every ten seconds until it is stopped. */
export function startSimulation(parts: {
  readonly engine: SimulatedEngine
  /** Undefined while the engine is disabled. */
  readonly access: () => Promise<EngineAccess | undefined>
  readonly deliver: Deliver
  /** Reports the usage since the last report. */
  readonly meter: (meter: Meter) => Promise<unknown>
  /** Restores the plans and domains of the panels, which the engine forgot when the last process ended. */
  readonly remind: (engineId: number) => Promise<void>
  readonly failed: (error: unknown) => void
}): { stop: () => Promise<void> } {
  const { engine, access, deliver, meter, remind, failed } = parts
  let reminded = false
  let speaking = Promise.resolve()
  const speak = async () => {
    const known = await access()
    if (!known) return
    if (!reminded) await remind(known.id)
    reminded = true
    await reportChanges(engine, known, deliver)
    await meter(meterOf(engine, known, deliver))
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

import type { Clock } from '#platform/clock.ts'
import { type Allowed, guardedAgent } from '#platform/egress.ts'
import { consolePath } from '#workspaces/engines/simulated/console.ts'
import { SimulatedEngine } from '#workspaces/engines/simulated/engine.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { EngineRefused } from './engine-calls.ts'
import { HttpEngine } from './http-engine.ts'
import type { EngineAccess, Engines, PanelEngine } from './panel-engine.ts'

export type EngineAdapters = Engines & {
  readonly simulated: SimulatedEngine
  /** Closes the connections to engines; calls in progress fail. */
  close(): Promise<void>
}

type Parts = {
  readonly clock: Clock
  readonly publicUrl: string
  readonly allowed: Allowed
  /** A factor on the usage of the simulated engine. */
  readonly simSpeed?: number
}

/** The adapters for all kinds of engines. Circuit breaker states last as long as the process. */
export function engineAdapters({ clock, publicUrl, allowed, simSpeed = 1 }: Parts): EngineAdapters {
  const simulated = new SimulatedEngine(clock, `${publicUrl}${consolePath}`, simSpeed)
  let agent: ReturnType<typeof guardedAgent> | undefined
  const dispatcher = () => {
    agent ??= guardedAgent(allowed)
    return agent
  }
  const breakers = new Map<string, CircuitBreaker>()
  const breakerOf = ({ id, baseUrl }: EngineAccess) => {
    // The failures of one address say nothing about the next one.
    const place = `${id} ${baseUrl}`
    const known = breakers.get(place)
    if (known) return known
    const breaker = new CircuitBreaker(clock, (error) => !(error instanceof EngineRefused))
    breakers.set(place, breaker)
    return breaker
  }
  const open = (access: EngineAccess): PanelEngine => {
    switch (access.kind) {
      case 'simulated':
        return simulated
      case 'http':
        return new HttpEngine(access, { dispatcher, breaker: breakerOf(access) })
    }
  }
  return { open, simulated, close: async () => (await agent)?.destroy() }
}

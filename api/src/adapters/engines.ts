import { CircuitBreaker } from './circuit-breaker.ts'
import type { Clock } from './clock.ts'
import { type Allowed, guardedAgent } from './egress.ts'
import { EngineRefused, HttpEngine } from './http-engine.ts'
import type { EngineAccess, Engines, PanelEngine } from './panel-engine.ts'
import { consolePath } from './simulated-console.ts'
import { SimulatedEngine } from './simulated-engine.ts'

export type EngineAdapters = Engines & {
  readonly simulated: SimulatedEngine
  /** Ends the connections to engines; calls under way fail. */
  close(): Promise<void>
}

/** The ways to all kinds of engines. What an engine did before is remembered as long as the process lives. */
export function engineAdapters(parts: { clock: Clock; publicUrl: string; allowed: Allowed }): EngineAdapters {
  const { clock, publicUrl, allowed } = parts
  const simulated = new SimulatedEngine(clock, `${publicUrl}${consolePath}`)
  let agent: ReturnType<typeof guardedAgent> | undefined
  const dispatcher = () => {
    agent ??= guardedAgent(allowed)
    return agent
  }
  const breakers = new Map<number, CircuitBreaker>()
  const breakerOf = (id: number) => {
    const known = breakers.get(id)
    if (known) return known
    const breaker = new CircuitBreaker(clock, (error) => !(error instanceof EngineRefused))
    breakers.set(id, breaker)
    return breaker
  }
  const open = (access: EngineAccess): PanelEngine => {
    switch (access.kind) {
      case 'simulated':
        return simulated
      case 'http':
        return new HttpEngine(access, { dispatcher, breaker: breakerOf(access.id) })
    }
  }
  return { open, simulated, close: async () => (await agent)?.destroy() }
}

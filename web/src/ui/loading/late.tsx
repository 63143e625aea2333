import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react'
import { lazily } from './lazily.ts'

/**
 * A part that is not needed for the first paint. `wake` loads it: on intent, on use, or when the browser is
 * idle; it is undefined until loaded. A failure leaves it undefined, and the next use retries.
 */
export function useLate<P>(load: () => Promise<ComponentType<P>>) {
  const [part, setPart] = useState<{ component: ComponentType<P> }>()
  const wake = () => {
    if (!part)
      void load().then(
        // Its first render gives way to what the person does meanwhile.
        (component) => startTransition(() => setPart({ component })),
        () => undefined,
      )
  }
  return [part?.component, wake] as const
}

function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, 1_000)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: 2_000 })
  return () => cancelIdleCallback(handle)
}

/** Resolves once the browser has nothing more urgent to do. */
const idle = (): Promise<void> => new Promise((resolve) => void whenIdle(resolve))

/** A component that is loaded when it is first shown, after what is more urgent. */
export const lazilyWhenIdle = <P,>(load: () => Promise<ComponentType<P>>) =>
  lazily(async () => {
    await idle()
    return load()
  })

/** Shows a part once the browser has nothing more urgent to do. */
export function WhenIdle({ children }: { children: ReactNode }) {
  const [idle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true)), [])
  return idle && children
}

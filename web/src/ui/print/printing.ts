import { useSyncExternalStore } from 'react'

let isPrinting = false
const listeners = new Set<() => void>()

function set(now: boolean): void {
  isPrinting = now
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

if (typeof window !== 'undefined') {
  // Browsers differ in which of these comes before the page is laid out on paper.
  window.addEventListener('beforeprint', () => set(true))
  window.addEventListener('afterprint', () => set(false))
  matchMedia('print').addEventListener('change', ({ matches }) => set(matches))
}

/** Calls back when printing begins and ends. */
export const onPrinting = (then: (isPrinting: boolean) => void): (() => void) =>
  subscribe(() => then(isPrinting))

/** Whether the page is being printed, so that what is folded on the screen can be unfolded on paper. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting)

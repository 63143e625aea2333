import { useEffect, useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Whether the app runs: false in a prerendered page until it is hydrated. */
export const useRunning = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

/** Answers the buttons that were pressed in a prerendered page before the app ran (`holdPresses` keeps them). */
export function useHeldPresses(): void {
  const isRunning = useRunning()
  useEffect(() => {
    if (isRunning) document.dispatchEvent(new Event('app-runs'))
  }, [isRunning])
}

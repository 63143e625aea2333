import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Whether the app runs: false in a prerendered page until it is hydrated. */
export const useRunning = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Whether the app runs: false in a page that was rendered at build, until it has come to life. */
export const useRunning = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

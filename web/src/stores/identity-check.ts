import { store } from './store.ts'

/** The server wants to know that it is still the same person; `settle` says how it went. */
export type IdentityCheck = { readonly settle: (confirmed: boolean) => void }

const asked = store<IdentityCheck | undefined>(undefined)
let running: Promise<boolean> | undefined

/** Asks the person who they are; false when they would rather not. Calls that are refused together ask once. */
export function confirmIdentity(): Promise<boolean> {
  running ??= new Promise<boolean>((resolve) => asked.set({ settle: resolve })).finally(() => {
    running = undefined
    asked.set(undefined)
  })
  return running
}

export const useIdentityCheck = asked.use

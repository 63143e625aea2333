import { safeNext } from './session.ts'

const key = 'way-back'

/** Where somebody goes on who is sent to a bank and comes back without what the address said. */
export const wayBack = {
  keep: (path: string): void => sessionStorage.setItem(key, path),
  read: (): string | undefined => {
    const path = sessionStorage.getItem(key)
    return path === null ? undefined : safeNext(path)
  },
}

import { safeNext } from './session.ts'

const key = 'way-back'

/** The address that a person returns to from a bank, which drops the parameters. */
export const wayBack = {
  keep: (path: string): void => sessionStorage.setItem(key, path),
  read: (): string | undefined => {
    const path = sessionStorage.getItem(key)
    return path === null ? undefined : safeNext(path)
  },
}

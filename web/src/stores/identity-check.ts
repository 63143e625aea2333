/** Whatever asks the person who they are; it is there on every page behind sign-in. */
let ask: () => Promise<boolean> = async () => false
let running: Promise<boolean> | undefined

/** Asks the person who they are; false when they would rather not. Calls that are refused together ask once. */
export function confirmIdentity(): Promise<boolean> {
  running ??= ask().finally(() => {
    running = undefined
  })
  return running
}

/** From now on the person is asked by `how`. */
export const askIdentityBy = (how: () => Promise<boolean>): void => {
  ask = how
}

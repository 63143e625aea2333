/** The component that asks the person to confirm their identity; every signed-in page mounts it. */
let ask: () => Promise<boolean> = async () => false
let running: Promise<boolean> | undefined

/** Asks the person to confirm their identity; false when they decline. Concurrent calls share one dialog. */
export function confirmIdentity(): Promise<boolean> {
  running ??= ask().finally(() => {
    running = undefined
  })
  return running
}

/** Registers the component that asks. */
export const askIdentityBy = (how: () => Promise<boolean>): void => {
  ask = how
}

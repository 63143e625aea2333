import { test as base } from './fixtures.ts'
import { type RunningPortal, startPortal } from './portal.ts'

/**
 * For a spec that lets time pass, or changes what everybody sees: a portal of its own, which no other spec has. Call it at the
 * top of the file, whose tests then run one after another. `env` says what is otherwise.
 */
export const withOwnPortal = (env: Readonly<Record<string, string>> = {}) => {
  // In one worker, so that there is one such portal: each costs as much as several tests.
  base.describe.configure({ mode: 'default' })
  return base.extend<object, { portal: RunningPortal }>({
    portal: [
      // biome-ignore lint/correctness/noEmptyPattern: a fixture must name what it uses, and this one uses nothing.
      async ({}, use) => {
        const portal = await startPortal(env)
        await use(portal)
        await portal.stop()
      },
      { scope: 'worker', timeout: 180_000 },
    ],
    baseURL: async ({ portal }, use) => use(portal.url),
  })
}

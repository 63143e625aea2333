import { test as base } from './fixtures.ts'
import { type RunningPortal, startPortal } from './portal.ts'

type Settings = Readonly<Record<string, string>>

/**
 * For a spec that lets time pass, or changes what everybody sees: a portal of its own, which no other spec has. Call it at the
 * top of the file, whose tests then run one after another. `settings` says what is otherwise, or starts what the portal
 * needs and then says it.
 */
export const withOwnPortal = (settings: Settings | (() => Promise<Settings>) = {}) => {
  // In one worker, so that there is one such portal: each costs as much as several tests.
  base.describe.configure({ mode: 'default' })
  let running: RunningPortal | undefined
  // A fixture of the worker would take another worker and browser for each of these files.
  base.beforeAll(async () => {
    base.setTimeout(180_000)
    running = await startPortal(typeof settings === 'function' ? await settings() : settings)
  })
  base.afterAll(() => running?.stop())
  return base.extend<{ portal: RunningPortal }>({
    // biome-ignore lint/correctness/noEmptyPattern: a fixture must name what it uses, and this one uses nothing.
    portal: async ({}, use) => {
      if (running === undefined) throw new Error('The portal of this file did not start.')
      await use(running)
    },
    // The runner asks for it before the portal starts, too.
    // biome-ignore lint/correctness/noEmptyPattern: a fixture must name what it uses, and this one uses nothing.
    baseURL: async ({}, use) => use(running?.url),
  })
}

import type { Page } from '@playwright/test'

/** The demo people who can be signed in on a picture. */
export type Account = 'ana' | 'ioana' | 'mihai' | 'support'

/** One page in one state, as a picture of it is taken. */
export type Shot = {
  readonly name: string
  readonly address: string
  /** The signed-in person; none by default. */
  readonly as?: Account
  /** Actions before the page is opened, and after it has loaded. */
  readonly before?: (page: Page) => Promise<unknown>
  readonly after?: (page: Page) => Promise<void>
  /** A page that never arrives is taken while one waits for it. */
  readonly waiting?: boolean
}

import { store } from '../../stores/store.ts'

/** What the first administrator does now: the account, the authenticator app, or its recovery codes. */
export type Stage = { kind: 'account' } | { kind: 'app' } | { kind: 'codes'; codes: readonly string[] }

/** Outside of React, because a change of language remounts the page, and the link works once. */
export const stage = store<Stage>({ kind: 'account' })

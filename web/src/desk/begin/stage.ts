import { store } from '../../stores/store.ts'

/** The present step of the first administrator: the account, the authenticator app, or its recovery codes. */
export type Stage = { kind: 'account' } | { kind: 'app' } | { kind: 'codes'; codes: readonly string[] }

/** Outside of React, because a change of language remounts the page, and the link works once. */
export const stage = store<Stage>({ kind: 'account' })

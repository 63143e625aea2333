import { list } from './query.ts'

/** The own account's billing state: without a filter a list shows the own account, which has one. */
export const billingQuery = { ...list('billing-profiles'), staleTime: 60_000 }

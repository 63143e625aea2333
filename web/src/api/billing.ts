import { list } from './query.ts'
import type { Row } from './rows.ts'

/** The own account's billing state: without a filter a list shows the own account, which has one. */
export const billingQuery = { ...list('billing-profiles'), staleTime: 60_000 }

/** The same of any account whose billing one may see. Its pages are about it, so they ask again when they are opened. */
export const billingOf = (client: number | undefined) =>
  client === undefined
    ? list('billing-profiles')
    : list('billing-profiles', { filter: { client_id: client } })

export type Billing = Row<'billing-profiles'>

import { useQuery } from '@tanstack/react-query'
import { list } from '../query.ts'
import type { Row } from '../rows.ts'

/** The billing state of the person's own account: without a filter the list contains only that. */
export const billingQuery = { ...list('billing-profiles'), staleTime: 60_000 }

/**
 * The billing state of any account whose billing is shared with the person. Its pages refetch it when they
 * open.
 */
export const billingOf = (client: number | undefined) =>
  client === undefined
    ? list('billing-profiles')
    : list('billing-profiles', { filter: { client_id: client } })

export type Billing = Row<'billing-profiles'>

/**
 * What an account has left after the usage of today, as on Billing, or its debt, as the warning says it. The sign of a sum of
 * two amounts is exact, and its millionths are not shown.
 */
export function fundsOf({ account_balance, credit_balance, available }: Billing): number {
  const charged = account_balance + credit_balance
  return charged < 0 ? charged : Math.max(0, available)
}

/**
 * The limits of amounts in the account's currency; undefined until they are known, and while an older replica answers
 * during an upgrade.
 */
export function useAmounts(client: number | undefined): Billing['amounts'] | undefined {
  const profile: Partial<Billing> | undefined = useQuery(billingOf(client)).data?.items[0]
  return profile?.amounts
}

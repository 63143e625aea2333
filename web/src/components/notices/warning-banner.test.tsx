import { billingStatus } from '@portico/contract/rules/billing-status.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { billingQuery } from '../../api/queries/billing.ts'
import { userQuery } from '../../api/queries/user.ts'
import { WarningBanner } from './warning-banner.tsx'

/** The banner of a client with this billing profile. */
function banner(profile: Record<string, unknown>): string {
  const client = new QueryClient()
  client.setQueryData(userQuery.queryKey, { staff: null } as never) // The banner reads no other fields of the person.
  client.setQueryData(billingQuery.queryKey, { items: [profile] } as never) // The banner reads no other fields of the profile.
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <WarningBanner />
    </QueryClientProvider>,
  )
}

test('a replica that does not yet say what an invoice lacks is no failure of the page', () => {
  const settled = { billing_status: billingStatus.ok, billing_complete: true, banner: { show: false } }
  expect(banner({ ...settled, as_of: '2026-11-22', trial_ends_at: null })).toBe('')
})

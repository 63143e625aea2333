import { billingStatus } from '@portico/contract/rules/billing-status.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { billingQuery } from '../../api/queries/billing.ts'
import { userQuery } from '../../api/queries/user.ts'
import { WarningBanner } from './warning-banner.tsx'

/** The banner of a client with this billing profile. */
function banner(profile: Record<string, unknown>, person: Record<string, unknown> = {}): string {
  const client = new QueryClient()
  client.setQueryData(userQuery.queryKey, { staff: null, ...person } as never) // The banner reads no other fields of the person.
  client.setQueryData(billingQuery.queryKey, { items: [profile] } as never) // The banner reads no other fields of the profile.
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <WarningBanner isDashboard />
    </QueryClientProvider>,
  )
}

test('a replica that does not yet say what an invoice lacks is no failure of the page', () => {
  const settled = { billing_status: billingStatus.ok, billing_complete: true, banner: { show: false } }
  expect(banner({ ...settled, as_of: '2026-11-22', trial_ends_at: null })).toBe('')
})

const quiet = {
  billing_status: billingStatus.ok,
  banner: { show: false },
  as_of: '2026-11-22',
  trial_ends_at: null,
}
const incomplete = { ...quiet, billing_complete: false, billing_missing: ['city'] }

test('missing billing details are a warning only to those who are invoiced', () => {
  expect(banner({ ...incomplete, is_invoiced: true })).not.toBe('')
  expect(banner({ ...incomplete, is_invoiced: false })).toBe('')
})

test('the first steps on the dashboard take the place of the softer warnings, and not of a debt', () => {
  const trial = {
    ...incomplete,
    is_invoiced: true,
    billing_status: billingStatus.trial,
    trial_ends_at: '2026-12-01',
  }
  expect(banner(trial)).not.toBe('')
  expect(banner(trial, { get_started: true })).toBe('')
  expect(banner({ ...trial, banner: { show: true } }, { get_started: true })).not.toBe('')
})

import type { Page } from '@playwright/test'
import { api } from './api.ts'

/** An amount as pages write it; as text, so that half a cent is rounded by its decimals. */
export const money = (amount: number, currency = 'USD'): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency, signDisplay: 'negative' }).format(
    `${amount}` as const,
  )

/** A day as pages write it in English. */
export const dayInWords = (day: string): string =>
  new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

/** Amounts have six decimals; as whole millionths they are added without a remainder. */
export const sum = (...amounts: number[]): number =>
  amounts.reduce((total, amount) => total + Math.round(amount * 1e6), 0) / 1e6

type Profile = {
  id: string
  as_of: string
  account_balance: number
  credit_balance: number
  available: number
  daily_use: number
  exhaustion_date: string | null
  automatic_works: boolean
  warn_below: number
  credit_limit: number
  negative_days: number
  billing_status: number
  banner: { show: boolean; amount_due: number; suspend_on: string | null }
}

/** The billing profile of the signed-in person. */
export async function profileOf(page: Page): Promise<Profile> {
  const [profile] = await (await api(page)).list('billing-profiles')
  if (!profile) throw new Error('Everybody has a billing profile.')
  // The contract's, which the server's own tests hold.
  return { id: profile.id, ...profile.attributes } as Profile
}

/** Balance and credit together. */
export const held = ({ account_balance, credit_balance }: Profile): number =>
  sum(account_balance, credit_balance)

/** The amount charged for a day so far. */
export async function chargedFor(page: Page, day: string): Promise<number> {
  const payload = JSON.stringify({ group_by: ['day'], from: day, to: day })
  const server = await api(page)
  const { totals } = await server.ask(`usages/-actions/summary?payload=${encodeURIComponent(payload)}`)
  return totals.charged_amount
}

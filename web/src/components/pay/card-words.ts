import { cardBrands } from '@portico/contract/rules/money/card-brands.ts'
import type { Card } from '../../api/queries/cards.ts'
import { m } from '../../texts/compiled/messages.js'

/** `Visa •••• 4242` */
export const cardName = (brand: string | null, last4: string | null): string =>
  `${cardBrands[brand ?? ''] ?? m.card()} •••• ${last4 ?? ''}`

/** `12/40` */
export const expiryOf = ({ exp_month, exp_year }: Pick<Card, 'exp_month' | 'exp_year'>): string =>
  `${String(exp_month).padStart(2, '0')}/${String(exp_year % 100).padStart(2, '0')}`

/** Whether a card expires within a month of a day, or has expired. */
export function endsSoon(
  { exp_month, exp_year }: Pick<Card, 'exp_month' | 'exp_year'>,
  today: string,
): boolean {
  const [year, month] = today.split('-').map(Number)
  return exp_year * 12 + exp_month - ((year ?? 0) * 12 + (month ?? 0)) <= 1
}

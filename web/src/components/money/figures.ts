import { exactly, formatOf } from '../../ui/format.ts'

/** Money in lists of small amounts: four decimals, or a mailbox's day would cost nothing. */
export const fineMoney = (amount: number, currency: string): string =>
  formatOf(currency, 4, 4).format(exactly(amount))

/** A price of a unit, which may be a thousandth of a cent: up to six decimals. */
export const rate = (amount: number, currency: string): string =>
  formatOf(currency, 2, 6).format(exactly(amount))

/** An approximate hourly price, with a precision of a tenth of a cent. */
export const hourlyRate = (amount: number, currency: string): string =>
  formatOf(currency, 2, 3).format(exactly(amount))

/** The currency symbol in front of an amount field. */
export const symbolOf = (currency: string): string =>
  formatOf(currency, 2, 2)
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

/** A quantity as it was measured, up to six decimals. US format, as money is. */
const quantities = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })
export const quantity = (amount: number): string => quantities.format(exactly(amount))

/** A sum of quantities, at a glance: what it is exactly, its lines say. */
const roundQuantities = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
export const roundQuantity = (amount: number): string => roundQuantities.format(exactly(amount))

/** Whether amounts as they are shown come to another total than is shown, because each is rounded by itself. */
export function isUneven(amounts: readonly number[], total: number, decimals: 0 | 2 = 2): boolean {
  const shown = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: false,
  })
  const inUnits = (amount: number) => Number(shown.format(exactly(amount)).replace('.', ''))
  return amounts.reduce((all, amount) => all + inUnits(amount), 0) !== inUnits(total)
}

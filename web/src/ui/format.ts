const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string, least: number, most: number): Intl.NumberFormat {
  const key = `${currency} ${least} ${most}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: least,
    maximumFractionDigits: most,
    // A small debt that rounds to nothing is nothing, not minus nothing.
    signDisplay: 'negative',
  })
  formats.set(key, made)
  return made
}

/** An amount as text: text is rounded by its decimals, half away from zero, where a number would be by its binary digits. */
const exactly = (amount: number) => `${amount}` as const

/** Money as the portal shows it everywhere: two decimals, US format, in the currency of its account (ISO 4217). */
export const money = (amount: number, currency: string): string =>
  formatOf(currency, 2, 2).format(exactly(amount))

/** Money in lists of small amounts: four decimals, or a mailbox's day would cost nothing. */
export const fineMoney = (amount: number, currency: string): string =>
  formatOf(currency, 4, 4).format(exactly(amount))

/** A price of a unit, which may be a thousandth of a cent: up to six decimals. */
export const rate = (amount: number, currency: string): string =>
  formatOf(currency, 2, 6).format(exactly(amount))

/** What an hour costs, about: up to a tenth of a cent. */
export const hourlyRate = (amount: number, currency: string): string =>
  formatOf(currency, 2, 3).format(exactly(amount))

/** What stands before a typed amount. */
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

const millionths = 1e6

/** Amounts have six decimals; added as floats they would come to have sixteen. */
export const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + Math.round(amount * millionths), 0) / millionths

const cents = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  useGrouping: false,
})

/** Whether amounts as they are shown come to another total than is shown, because each is rounded by itself. */
export function isUneven(amounts: readonly number[], total: number): boolean {
  const inCents = (amount: number) => Number(cents.format(exactly(amount)).replace('.', ''))
  return amounts.reduce((all, amount) => all + inCents(amount), 0) !== inCents(total)
}

/** A moment as people say it: "5 minutes ago". */
export function relative(moment: string, language: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(moment) - now) / 1000)
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const steps = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const
  const step = steps.find(([, size]) => Math.abs(seconds) >= size)
  return step
    ? format.format(Math.trunc(seconds / step[1]), step[0])
    : format.format(Math.min(seconds, 0), 'second')
}

/** The same moment exactly, in the reader's zone. */
export const exact = (moment: string, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(moment))

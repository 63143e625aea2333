const formats = new Map<string, Intl.NumberFormat>()

/** The format of amounts of a currency with so many decimals. */
export function formatOf(currency: string, least: number, most: number): Intl.NumberFormat {
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
export const exactly = (amount: number) => `${amount}` as const

/** The currencies without cents, as on documents; a test compares them with the contract, which this folder does not know. */
const whole = new Set('BIF CLP DJF GNF HUF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '))

const decimalsOf = (currency: string) => (whole.has(currency) ? 0 : 2)

/**
 * Money as the portal shows it everywhere: US format, in the currency of its account (ISO 4217), with the decimals that are
 * paid in it.
 */
export const money = (amount: number, currency: string): string =>
  formatOf(currency, decimalsOf(currency), decimalsOf(currency)).format(exactly(amount))

const millionths = 1e6

/** Amounts have six decimals; added as floats they would come to have sixteen. */
export const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + Math.round(amount * millionths), 0) / millionths

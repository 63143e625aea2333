import { minorUnits } from '@portico/contract/rules/money/minor-units.ts'
import { symbolOf } from './figures.ts'

const typed = { 0: /^\d{1,7}$/, 2: /^\d{1,7}(?:[.,]\d{1,2})?$/ } as const

type Limits = { readonly least: number; readonly most: number }

/**
 * Parses a typed amount: at most the decimals of its currency, or two, with point or comma, within the limits; undefined
 * for anything else.
 */
export function amountIn(
  text: string,
  { least, most }: Limits = { least: 0, most: 9_999_999 },
  currency = '',
) {
  if (!typed[minorUnits(currency)].test(text.trim())) return undefined
  const amount = Number(text.trim().replace(',', '.'))
  return amount >= least && amount <= most ? amount : undefined
}

/** A code such as RON is wider than a sign, for which the place is made, in pixels. */
const codeWidth = 52

/** The currency before a typed amount. */
export function currencySection(currency: string) {
  const symbol = symbolOf(currency)
  return { leftSection: symbol, ...(symbol.length > 1 && { leftSectionWidth: codeWidth }) }
}

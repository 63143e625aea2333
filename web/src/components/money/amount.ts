import { symbolOf } from './figures.ts'

const typed = /^\d{1,7}(?:[.,]\d{1,2})?$/

type Limits = { readonly least: number; readonly most: number }

/**
 * Parses a typed amount: at most two decimals, with point or comma, within the limits; undefined for anything
 * else.
 */
export function amountIn(text: string, { least, most }: Limits = { least: 0, most: 9_999_999 }) {
  if (!typed.test(text.trim())) return undefined
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

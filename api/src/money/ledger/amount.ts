import Big from 'big.js'
import { refuse } from '#platform/errors/problem.ts'

/** The precision of the ledger: a finer amount is refused rather than rounded. */
const decimals = 6

// The range of numeric(20, 6); a longer text is not parsed.
const shape = /^-?\d{1,14}(\.\d{1,20})?$/

/**
 * Parses an exact decimal. Amounts are texts outside of calculations, because a JavaScript number is a float.
 * Throws `amount_invalid`, and `amount_decimals_most` with more than 6 decimals.
 */
export function amount(text: string): Big {
  if (!shape.test(text)) throw refuse('amount_invalid')
  const exact = new Big(text)
  if (!exact.eq(exact.round(decimals))) throw refuse('amount_decimals_most', { most: decimals })
  return exact
}

/** Parses an amount above zero. Throws `amount_not_positive`. */
export function positive(text: string): Big {
  const exact = amount(text)
  if (exact.lte(0)) throw refuse('amount_not_positive')
  return exact
}

/**
 * Parses the amounts of a bill payment, or of its reversal: above zero in total. Where only VAT is owed, or a
 * part is less than half a cent of net, the net is zero. Throws `amount_not_positive`.
 */
export function owedSum(sum: { readonly net: string; readonly vat: string }): { net: Big; vat: Big } {
  const [net, vat] = [amount(sum.net), amount(sum.vat)]
  if (net.lt(0) || net.plus(vat).lte(0)) throw refuse('amount_not_positive')
  return { net, vat }
}

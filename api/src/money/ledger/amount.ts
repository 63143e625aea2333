import Big from 'big.js'
import { refuse } from '#platform/errors/problem.ts'

/** What the books hold of an amount: anything finer is refused rather than rounded on the way. */
const decimals = 6

// As numeric(20, 6) holds it; a longer text is not worth reading.
const shape = /^-?\d{1,14}(\.\d{1,20})?$/

/**
 * Reads an exact decimal. Amounts are texts everywhere outside of a calculation, because a number of JavaScript is a float.
 * Throws the Problem `amount_invalid` for anything else, `amount_decimals_most` with more than 6 decimals.
 */
export function amount(text: string): Big {
  if (!shape.test(text)) throw refuse('amount_invalid')
  const exact = new Big(text)
  if (!exact.eq(exact.round(decimals))) throw refuse('amount_decimals_most', { most: decimals })
  return exact
}

/** An amount that something can be charged or given: above zero. Throws the Problem `amount_not_positive`. */
export function positive(text: string): Big {
  const exact = amount(text)
  if (exact.lte(0)) throw refuse('amount_not_positive')
  return exact
}

/**
 * Reads what is paid of a bill, or taken back of that: above zero as a whole. Where only VAT is owed, or a part comes to less
 * than half a cent of net, the net is zero. Throws the Problem `amount_not_positive`.
 */
export function owedSum(sum: { readonly net: string; readonly vat: string }): { net: Big; vat: Big } {
  const [net, vat] = [amount(sum.net), amount(sum.vat)]
  if (net.lt(0) || net.plus(vat).lte(0)) throw refuse('amount_not_positive')
  return { net, vat }
}

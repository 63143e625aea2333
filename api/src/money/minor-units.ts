import { minorUnits } from '@portico/contract/rules/money/minor-units.ts'
import Big, { type RoundingMode } from 'big.js'
import { type RawBuilder, sql } from 'kysely'
import { positive } from '#money/ledger/amount.ts'
import { refuse } from '#platform/errors/problem.ts'

/** Rounds to the minor units of a currency, by default half up. */
export const rounded = (exact: Big, currency: string, mode: RoundingMode = Big.roundHalfUp): Big =>
  exact.round(minorUnits(currency), mode)

/** SQL: an amount, rounded half up to the minor units of the currency of a code. */
export const roundedIn = (exact: RawBuilder<unknown>, currency: RawBuilder<unknown>) =>
  sql<string>`round(${exact}, (select mu.decimals::int from currencies mu where mu.code = ${currency}))`

/** Parses an amount above zero that can be paid. Throws `amount_not_positive`, and `amount_decimals_most`. */
export function payable(text: string, currency: string): Big {
  const exact = positive(text)
  if (!exact.eq(rounded(exact, currency)))
    throw refuse('amount_decimals_most', { most: minorUnits(currency) })
  return exact
}

import pg from 'pg'
import { type Refusal, reason } from '#platform/errors/problem.ts'
import type { Gap } from './price-effect.ts'

/** The refusals of a file by constraints of the database. Any other constraint is named as it is. */
const constraints: Readonly<Record<string, Refusal>> = {
  currency_in_use: reason('currency_without_default'),
  plan_kept: reason('plan_kept'),
  plan_limit_lowered: reason('plan_limit_lowered'),
  plan_price_too_fine: reason('plan_price_too_fine'),
  price_lists_one_default: reason('price_list_default_twice'),
  price_missing: reason('prices_missing'),
}

/** The classes of errors of PostgreSQL that are about a value: data, cardinality, integrity. */
const ofValues = /^(?:21|22|23)/

/** The refusal behind an error of the database; undefined for everything that is a bug or an outage. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof pg.DatabaseError) || !ofValues.test(error.code ?? '')) return undefined
  const { constraint, code = '' } = error
  return constraints[constraint ?? ''] ?? reason('plan_file_impossible', { name: constraint ?? code })
}

/** The refusal of a missing price. */
export const refusalOfGap = ({ currency, plan, what }: Gap): Refusal =>
  reason('plan_price_missing', { currency, name: `${plan} ${what}` })

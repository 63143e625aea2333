import { addDays } from '@portico/contract/time.ts'
import type { Period } from '#money/exports/accounting-file.ts'
import type { Seller } from '#money/invoices/documents/document.ts'
import { operatorIfSet } from '#money/invoices/parties.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { taxCodeOf } from './codes.ts'
import { declaredTaxes } from './statements.ts'

const at = (field: 'kind' | 'to_day') => ({ source: { pointer: `/data/attributes/${field}` } })

/** Whether a period is a calendar month or a quarter, for which the declaration is filed. */
function isTaxPeriod({ from, to }: Period): boolean {
  const isWhole = from.endsWith('-01') && addDays(to, 1).endsWith('-01')
  const [first, last] = [Number(from.slice(5, 7)), Number(to.slice(5, 7))]
  const isQuarter = first % 3 === 1 && last === first + 2
  return isWhole && from.slice(0, 4) === to.slice(0, 4) && (last === first || isQuarter)
}

/**
 * The company of a file of SAF-T. Throws `export_saft_period`, `export_saft_seller` for a company that is not in Romania or has
 * other books than in lei, `export_saft_company` without telephone or IBAN, and `export_saft_document` for a tax without a code.
 */
export async function assertSaft(db: Database, period: Period): Promise<Seller> {
  if (!isTaxPeriod(period)) throw refuse('export_saft_period', {}, at('to_day'))
  const operator = await operatorIfSet(db)
  if (operator?.seller.country !== 'RO' || operator.currency !== 'RON')
    throw refuse('export_saft_seller', {}, at('kind'))
  const { phone, iban } = operator.seller
  if (!phone || !iban) throw refuse('export_saft_company', {}, at('kind'))
  const { rows } = await declaredTaxes(period).execute(db)
  for (const { home, currency, number, ...taxed } of rows) {
    if (home !== 'RO' || currency !== 'RON') throw refuse('export_saft_seller', {}, at('kind'))
    if (!taxCodeOf(taxed)) throw refuse('export_saft_document', { number }, at('kind'))
  }
  return operator.seller
}

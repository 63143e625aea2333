import { sql } from 'kysely'
import { fxRate } from '#money/invoices/rates/fx.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import type { Operator } from './parties.ts'

/**
 * Throws `documents_need_series` when a payment of today could not be invoiced: without active series of
 * numbers, or without a rate from its currency.
 */
export async function assertIssuable(
  tx: Database,
  { currency: declared, today }: Operator,
  currency: string,
): Promise<void> {
  await fxRate(tx, currency, declared, today)
  const { rows } = await sql<{ open: boolean }>`select
    exists (select from proforma_series where active and coalesce(last_issue_date <= ${today}::date, true))
      and exists (select from invoice_series
        where active and kind = 'fiscal' and coalesce(last_issue_date <= ${today}::date, true)) as open`.execute(
    tx,
  )
  if (!rows[0]?.open) throw refuse('documents_need_series')
}

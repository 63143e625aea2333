import type { VatTreatment } from '@portico/contract/rules/vat.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import type { Operator } from '#money/invoices/parties.ts'
import type { Database } from '#platform/db/pool.ts'

// Consumers in other EU countries are taxed at home until they have bought more than a threshold in a year: in the year of the sale or
// in the one before it (Directive 2006/112/EC, art. 59c(1)). The sale that exceeds it is the first at their own rate (art. 59c(2)).

/** What they have bought, net, in the currency of VAT: in the year of a day up to that day, and in the whole year before. */
export type SoldAbroad = { readonly threshold: Big; readonly now: Big; readonly before: Big }

/** Reads what was sold as of a day. What is dated later does not count: the threshold may have been exceeded after that day only. */
export async function soldAbroad(tx: Database, { threshold }: Operator, on: string): Promise<SoldAbroad> {
  const { rows } = await sql<{ now: string; before: string }>`
    select coalesce(sum(sold) filter (where day >= year), 0) as now, coalesce(sum(sold) filter (where day < year), 0) as before
    from (select net * coalesce(fx_rate, 1) as sold, tax_point_date as day, date_trunc('year', ${on}::date)::date as year
      from invoices where vat_treatment in ('origin', 'destination') and kind <> 'proforma' and issued_at is not null
        and tax_point_date between date_trunc('year', ${on}::date) - interval '1 year' and ${on}::date) sales`.execute(
    tx,
  )
  return {
    threshold: new Big(threshold),
    now: new Big(rows[0]?.now ?? 0),
    before: new Big(rows[0]?.before ?? 0),
  }
}

/** Whether the threshold was exceeded. */
export const isExceeded = ({ threshold, now, before }: SoldAbroad): boolean =>
  now.gt(threshold) || before.gt(threshold)

/** The amount of a sale, as far as no document has counted it yet. */
export type Counted = {
  readonly currency: string
  /** Net, where a rate of VAT applies. */
  readonly netAt: (rate: string) => Big
  /** The treatment by which its price was quoted. */
  readonly quoted?: VatTreatment | undefined
}

type Rates = { readonly home: string; readonly there: string | undefined; readonly fx: string | undefined }

/**
 * Whether a sale exceeds the threshold. It does where its net amount at home is above what is left. Money with VAT included may be
 * above it at a lower rate there only: either rule would hold then, and the payer has the one that was quoted.
 */
export function exceeds(
  { threshold, now }: SoldAbroad,
  { netAt, quoted }: Counted,
  { home, there, fx = '1' }: Rates,
): boolean {
  const isAbove = (rate: string) => netAt(rate).times(fx).gt(threshold.minus(now))
  return isAbove(home) || (quoted === 'destination' && there !== undefined && isAbove(there))
}

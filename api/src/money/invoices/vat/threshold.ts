import type { VatTreatment } from '@portico/contract/rules/vat.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import type { Operator } from '#money/invoices/parties.ts'
import type { Database } from '#platform/db/pool.ts'
import { Conflict } from '#platform/db/transact.ts'

// Consumers in other EU countries are taxed at home until they have bought more than a threshold in a year: in the year of the sale or
// in the one before it (Directive 2006/112/EC, art. 59c(1)). The sale that exceeds it is the first at their own rate (art. 59c(2)).

/**
 * What they have bought, net, in the currency of VAT: in the year of a day up to that day, and in the whole year before. `read` is the
 * part of `now` that documents with numbers have.
 */
export type SoldAbroad = {
  readonly threshold: Big
  readonly read: Big
  readonly now: Big
  readonly before: Big
}

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
    read: new Big(rows[0]?.now ?? 0),
    now: new Big(rows[0]?.now ?? 0),
    before: new Big(rows[0]?.before ?? 0),
  }
}

/** The sums by which a sale is taxed at home or abroad, as its document keeps them: net, in the currency of VAT, as of the day of the sale. */
export type ThresholdSums = {
  readonly year: number
  readonly currency: string
  readonly threshold: string
  readonly sold: string
  readonly soldYearBefore: string
  /** Null where the threshold was exceeded before. */
  readonly sale: string | null
}

export const sumsOf = (
  { threshold, now, before }: SoldAbroad,
  on: string,
  currency: string,
): ThresholdSums => ({
  year: Number(on.slice(0, 4)),
  currency,
  threshold: threshold.toFixed(2),
  sold: now.toFixed(2),
  soldYearBefore: before.toFixed(2),
  sale: null,
})

/** A sale that is taxed at home: what was sold when it was decided, and what with it. */
export type TaxedAtHome = { readonly on: string; readonly sold: SoldAbroad; readonly upTo: Big }

/**
 * Locks the series of invoices, and throws a conflict, after which the transaction starts again, where others have sold so much since
 * the decision that a sale exceeds the threshold. Each transaction that issues an invoice waits for the series, so the second of two
 * sales at one moment sees the first.
 */
export async function assertStillBelow(
  tx: Database,
  operator: Operator,
  sales: readonly TaxedAtHome[],
): Promise<void> {
  if (sales.length === 0) return
  await sql`select from invoice_series where active and kind = 'fiscal' for no key update`.execute(tx)
  for (const { on, sold, upTo } of sales) {
    const { threshold, now, before } = await soldAbroad(tx, operator, on)
    if (before.gt(threshold) || upTo.plus(now).minus(sold.read).gt(threshold))
      throw new Conflict(
        'Others have exceeded the threshold for sales to consumers abroad since the decision.',
      )
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

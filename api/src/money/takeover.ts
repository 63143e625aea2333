import { sql } from 'kysely'
import { alertStaff } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'
import { chargeAfterBackup, chargesUnknown } from './payments/automatic/held.ts'
import type { PaymentProvider, ProviderMovement } from './payments/providers/payment-provider.ts'

// Actions that the original of a restored database may have taken after the backup.

/** A series of documents with the last number that this database knows. */
export type Series = {
  readonly table: 'invoice_series' | 'proforma_series'
  readonly id: number
  readonly prefix: string
  readonly last: number
}

/** The series that give numbers. */
export async function activeSeries(db: Database): Promise<Series[]> {
  const { rows } = await sql<Series>`
    select 'invoice_series' as table, id, prefix, next_number - 1 as last from invoice_series where active
    union all select 'proforma_series', id, prefix, next_number - 1 from proforma_series where active
    order by prefix`.execute(db)
  return rows
}

/** Skips the numbers of a series up to `last`, which the original has given. The guard permits one at a time. */
export async function skipNumbers(db: Database, series: Series, last: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (let given = series.last; given < last; given++)
      await sql`update ${sql.table(series.table)} set next_number = next_number + 1
        where id = ${series.id} and next_number = ${given + 1}`.execute(tx)
  })
}

/** The payment providers that have cards of clients. The sandbox moves no money. */
export async function chargingProviders(db: Database): Promise<string[]> {
  const { rows } = await sql<{ provider: string }>`
    select distinct provider from payment_customers where provider <> 'sandbox'`.execute(db)
  return rows.map(({ provider }) => provider)
}

/** The provider's charges and refunds since a moment that this database does not have. */
export async function unknownMovements(
  db: Database,
  provider: PaymentProvider,
  since: Date,
  until: Date,
): Promise<ProviderMovement[]> {
  const all: ProviderMovement[] = []
  for await (const movement of provider.movements(since, until)) all.push(movement)
  const { rows } = await sql<{ ref: string }>`
    select provider_ref as ref from payments where provider = ${provider.id} and settled_at is not null
    union select r.provider_ref from payment_refunds r join payments p on p.id = r.payment_id
      where p.provider = ${provider.id} and r.ledger_transaction_id is not null`.execute(db)
  const known = new Set(rows.map(({ ref }) => ref))
  return all.filter(({ ref, kind }) => kind !== 'refund_failure' && !known.has(ref))
}

async function alertMovement(tx: Database, provider: string, movement: ProviderMovement): Promise<void> {
  const { kind, ref, customerRef, currency, at } = movement
  const sum = `${movement.amount} ${currency}`
  if (kind !== 'charge') {
    const detail = { kind, ref, paymentId: null, provider: sum, books: null }
    await alertStaff(tx, ref, `reconciliation_${kind}`, detail)
    return
  }
  const client = await tx
    .selectFrom('payment_customers')
    .select('client_id')
    .where('provider', '=', provider)
    .where('ref', '=', customerRef)
    .executeTakeFirst()
  const detail = {
    client_id: client?.client_id ?? null,
    ref,
    received: sum,
    day: at.toISOString().slice(0, 10),
  }
  await alertStaff(tx, `${provider} ${ref}`, chargeAfterBackup, detail)
}

/**
 * Alerts staff to each movement that this database does not have, or to all of them while they are unknown. Until the alert of a charge is
 * resolved, its client is charged nothing automatically.
 */
export async function alertMovements(
  db: Database,
  provider: string,
  movements: readonly ProviderMovement[] | undefined,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (movements === undefined) await alertStaff(tx, provider, chargesUnknown, { provider })
    else for (const movement of movements) await alertMovement(tx, provider, movement)
  })
}

import type { OwnReason } from '@portico/contract/resources/staff-actions.ts'
import { sql } from 'kysely'
import type { Database } from './pool.ts'

/** Sets a setting of PostgreSQL until the transaction ends. */
export async function setForTransaction(tx: Database, name: string, value: string): Promise<void> {
  await sql`select set_config(${name}, ${value}, true)`.execute(tx)
}

/**
 * Says why the portal itself writes in this transaction: what it changes of the operator's own is logged with that. Staff give
 * a reason of their own, commands are named by `withDatabase`, and a person at psql calls `portico_because`.
 */
export function because(tx: Database, why: OwnReason): Promise<void> {
  if (!tx.isTransaction) throw new Error('A reason holds for a transaction, and this is none.')
  return setForTransaction(tx, 'portico.because', why)
}

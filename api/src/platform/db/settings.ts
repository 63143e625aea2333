import type { OwnReason } from '@portico/contract/resources/staff-actions.ts'
import { sql } from 'kysely'
import type { Database } from './pool.ts'

/** Sets a setting of PostgreSQL until the transaction ends. */
export async function setForTransaction(tx: Database, name: string, value: string): Promise<void> {
  await sql`select set_config(${name}, ${value}, true)`.execute(tx)
}

/** SQL: the id of the action of staff that this transaction writes under; an error without one. */
export const staffAction = sql<number>`current_setting('portico.action')::int8`

/** The id of the action of staff that this transaction writes under. Throws without one. */
export async function readStaffAction(tx: Database): Promise<number> {
  const { rows } = await sql<{ id: number }>`select ${staffAction} as id`.execute(tx)
  const [action] = rows
  if (!action) throw new Error('The statement always has one row.')
  return action.id
}

/** Names the action of staff in their log under which the database notes the changes of this transaction from now on. */
export const nameStaffAction = (tx: Database, action: number): Promise<void> =>
  setForTransaction(tx, 'portico.action', String(action))

/** Names the member of staff who writes in this transaction: from now on it refuses a change without an action. */
export const nameStaff = (tx: Database, admin: number): Promise<void> =>
  setForTransaction(tx, 'portico.staff', String(admin))

/**
 * Says why the portal itself writes in this transaction: what it changes of the operator's own is logged with that. Staff give
 * a reason of their own, commands are named by `withDatabase`, and a person at psql calls `portico_because`.
 */
export function because(tx: Database, why: OwnReason): Promise<void> {
  if (!tx.isTransaction) throw new Error('A reason holds for a transaction, and this is none.')
  return setForTransaction(tx, 'portico.because', why)
}

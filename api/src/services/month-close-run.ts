import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'
import { closeMonth } from './month-close.ts'
import type { Month } from './month-lines.ts'

// Shorter than a job may take; what is left is taken up by the next one at once.
const longestRunMs = 15_000
const batch = 200
const atOnce = 4

/** The month that is over where the operator is, from three o'clock of the first day on; null without an operator. */
async function monthToClose(db: Database): Promise<Month | null> {
  const { rows } = await sql<Month>`
    select (until - interval '1 month')::date as from, until::date as until from (
      select date_trunc('month', (clock_now() at time zone time_zone) - interval '3 hours') as until from operator_profile
    ) m`.execute(db)
  return rows[0] ?? null
}

async function clientsOf(db: Database, { from, until }: Month, after: number): Promise<number[]> {
  const { rows } = await sql<{ client_id: number }>`
    select distinct c.client_id from usage_charges c
    where c.service_bill_id is null and c.usage_on < ${until} and c.client_id > ${after} and not exists (
      select from invoices i where i.client_id = c.client_id and i.period = daterange(${from}, ${until})
        and i.reason = 'service_bill')
    order by c.client_id limit ${batch}`.execute(db)
  return rows.map(({ client_id }) => client_id)
}

/** What a run came to; `unfinished` when its time was over first. */
export type CloseRun = { readonly issued: number; readonly unfinished: boolean }

/**
 * Closes the month that is over for everyone who used something, each in a transaction of their own. Any number of processes
 * may do so at once, and be killed at any moment. A client who cannot be billed is told to `failed` and tried again by the
 * next run; the others are not kept waiting.
 */
export async function closeDueMonth(
  db: Database,
  failed: (clientId: number, error: unknown) => void,
  until = performance.now() + longestRunMs,
): Promise<CloseRun> {
  const month = await monthToClose(db)
  let issued = 0
  const close = async (clientId: number) => {
    const bill = await db
      .transaction()
      .execute((tx) => closeMonth(tx, clientId, month ?? { from: '', until: '' }))
      .catch((error: unknown) => {
        failed(clientId, error)
        return null
      })
    if (bill) issued += 1
  }
  for (let after = 0; month !== null; ) {
    const clients = await clientsOf(db, month, after)
    if (clients.length === 0) break
    for (let at = 0; at < clients.length; at += atOnce) {
      if (performance.now() > until) return { issued, unfinished: true }
      await Promise.all(clients.slice(at, at + atOnce).map(close))
    }
    after = clients.at(-1) ?? after
  }
  return { issued, unfinished: false }
}

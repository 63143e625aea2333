import { sql } from 'kysely'
import { isOwedBill } from '#money/invoice-statuses.ts'
import { alertStaff, resolveOthers } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transact.ts'
import { Problem, Problems } from '#platform/errors/problem.ts'
import { closeInTurn, openMonths } from './close.ts'
import { waitsForBill } from './disputed.ts'
import type { Month } from './lines.ts'
import { monthEnd, openItems } from './open-items.ts'

// Shorter than the limit of a job; the next one continues with the rest.
const longestRunMs = 15_000
const batch = 200
const atOnce = 4

/** The operator's last month, by `monthEnd`; null without an operator. */
async function monthToClose(db: Database): Promise<Month | null> {
  const { rows } = await sql<Month>`
    select (m.until - interval '1 month')::date as from, m.until from (select ${monthEnd} as until) m
    where m.until is not null`.execute(db)
  return rows[0] ?? null
}

async function clientsOf(db: Database, { until }: Month, after: number): Promise<number[]> {
  const { rows } = await sql<{ client_id: number }>`
    select distinct c.client_id from (${openItems(sql`${until}::date`)}) c
    where c.client_id > ${after} order by c.client_id limit ${batch}`.execute(db)
  return rows.map(({ client_id }) => client_id)
}

const notIssued = 'bill_not_issued'

const caseOf = (clientId: number): string => `client ${clientId}`

/** The refusal codes of what is missing to bill a client. */
function reasonsOf(error: unknown): string[] {
  const refused = error instanceof Problems ? error.all : [error]
  return [...new Set(refused.map((one) => (one instanceof Problem ? one.code : 'internal')))]
}

const vatLeft = 'vat_due_left'

/** Alerts staff to clients whose account of VAT due is not zero although no bill asks for it, or will. */
async function alertVatLeft(db: Database): Promise<void> {
  const { rows } = await sql<{ client_id: number; vat_due: string; currency: string }>`
    select a.client_id, a.balance as vat_due, a.currency from ledger_accounts a
    where a.kind = 'client_vat_due' and a.balance <> 0 and not exists (
      select from invoices i where i.client_id = a.client_id and ${isOwedBill('i')})
      and not exists (select from dispute_parts d where d.client_id = a.client_id and ${waitsForBill})
    order by a.client_id limit ${batch}`.execute(db)
  for (const { client_id, ...detail } of rows)
    await alertStaff(db, caseOf(client_id), vatLeft, { client_id, ...detail })
  await resolveOthers(
    db,
    vatLeft,
    rows.map(({ client_id }) => caseOf(client_id)),
  )
}

/** The result of a run; `unfinished` when its time limit was reached. */
export type CloseRun = { readonly issued: number; readonly unfinished: boolean }

/**
 * Closes the last month for everyone with usage, after those that could not be closed before, each in a separate transaction. Safe under concurrency and
 * interruption. A client who cannot be billed, mostly for lack of an address, is alerted to staff, reported
 * to `failed`, and retried by the next run; the others are not delayed. VAT that no bill explains is alerted.
 */
export async function closeDueMonth(
  db: Database,
  failed: (clientId: number, error: unknown) => void,
  until = performance.now() + longestRunMs,
): Promise<CloseRun> {
  const month = await monthToClose(db)
  let issued = 0
  const unbilled: string[] = []
  /** Whether later months may be closed. */
  const closeOne = async (clientId: number, due: Month, tried: string | undefined): Promise<boolean> => {
    try {
      const closed = await transact(db, 'read write', (tx) => closeInTurn(tx, clientId, due, tried))
      if (typeof closed !== 'string') issued += 1
      return closed !== 'waiting'
    } catch (error) {
      failed(clientId, error)
      unbilled.push(caseOf(clientId))
      const detail = { client_id: clientId, ...due, reasons: reasonsOf(error) }
      await alertStaff(db, caseOf(clientId), notIssued, detail)
      return false
    }
  }
  const close = async (clientId: number, last: Month) => {
    let tried: string | undefined
    for (const due of await openMonths(db, clientId, last)) {
      // A later bill would take the usage of a month that failed or waits.
      if (!(await closeOne(clientId, due, tried))) return
      tried = due.until
    }
  }
  if (month === null) return { issued, unfinished: false }
  for (let after = 0; ; ) {
    const clients = await clientsOf(db, month, after)
    if (clients.length === 0) break
    for (let at = 0; at < clients.length; at += atOnce) {
      if (performance.now() > until) return { issued, unfinished: true }
      await Promise.all(clients.slice(at, at + atOnce).map((clientId) => close(clientId, month)))
    }
    after = clients.at(-1) ?? after
  }
  await resolveOthers(db, notIssued, unbilled)
  await alertVatLeft(db)
  return { issued, unfinished: false }
}

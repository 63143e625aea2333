import { sql } from 'kysely'
import { openMonth } from '#desk/money/month-preview.ts'
import { closeInTurn, openMonths } from '#money/invoices/month/close.ts'
import type { Month } from '#money/invoices/month/lines.ts'
import { monthEnd } from '#money/invoices/month/open-items.ts'
import { resolveAlert } from '#platform/alerts.ts'
import type { Context } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

/** Closes the month now, instead of with the next hour. Throws `recent_sign_in_required`, `month_nothing_open`. */
export async function closeMonthNow(context: Context): Promise<{ status: 'queued' }> {
  assertRecentSignIn(context)
  const { tx } = context
  const { rows } = await sql`${openMonth} limit 1`.execute(tx)
  if (rows.length === 0) throw refuse('month_nothing_open')
  await enqueue(tx, 'invoice.month-close', {}, { key: 'invoice.month-close' })
  return { status: 'queued' }
}

/**
 * Closes the month of one client, after earlier ones that are still open, and answers the last bill. Throws `recent_sign_in_required`, `month_client_not_open`, and what `closeInTurn` throws
 * for what the bill lacks.
 */
export async function retryClose(
  context: Context,
  { input: { client_id } }: { readonly input: { readonly client_id: number } },
): Promise<{ full_number: string | null }> {
  assertRecentSignIn(context)
  const { tx } = context
  const { rows } = await sql<Month>`
    select (${monthEnd} - interval '1 month')::date as from, ${monthEnd} as until
    where exists (select from (${openMonth}) o where o.client_id = ${client_id})`.execute(tx)
  const [month] = rows
  if (!month) throw refuse('month_client_not_open')
  let number: string | null = null
  let tried: string | undefined
  for (const due of await openMonths(tx, client_id, month)) {
    const closed = await closeInTurn(tx, client_id, due, tried)
    if (closed === 'waiting') return { full_number: number }
    if (typeof closed !== 'string') number = closed.fullNumber
    tried = due.until
  }
  await resolveAlert(tx, `client ${client_id}`, 'bill_not_issued')
  return { full_number: number }
}

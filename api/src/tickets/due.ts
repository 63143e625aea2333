import { dayMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import { notify } from '#notifications/notifications.ts'
import { aliased } from '#platform/db/aliased.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { roleAnswers } from '#staff/ticket-visibility.ts'
import { waitsForStaff } from './actions.ts'
import { minutesFor, stageOf } from './service-levels.ts'

// Longer than the last quarter of any deadline takes, including a weekend.
const aheadMs = 7 * dayMs
const atOnce = 500

// Only deadlines that staff have not been notified of count: otherwise many notified ones would fill the
// batch.
const nextDue = sql`least(
  case when t.first_responded_at is null and t.first_response_told < 100 then t.first_response_due end,
  case when t.resolve_told < 100 then t.resolve_due end)`

/** Tickets with a deadline that has passed or is near, the most urgent first. */
function urgent(tx: Database, now: Date, most: number) {
  const before = new Date(now.getTime() + aheadMs).toISOString()
  return tx
    .selectFrom('tickets as t')
    .innerJoin('ticket_departments as d', 'd.id', 't.ticket_department_id')
    .select(aliased('t', columns.tickets))
    .select(['d.first_response_minutes', 'd.resolve_minutes', 'd.office_hours', 'd.requires_billing'])
    .where(waitsForStaff('t'))
    .where(sql<boolean>`${nextDue} < ${before}`)
    .orderBy(nextDue)
    .limit(most)
    .forNoKeyUpdate('t')
    .skipLocked()
    .execute()
}

type Urgent = Awaited<ReturnType<typeof urgent>>[number]

/** The accounts to notify: the assigned staff member, else all staff who answer such tickets. */
async function staffFor(tx: Database, { assigned_admin_id, requires_billing }: Urgent): Promise<number[]> {
  const all = await tx
    .selectFrom('admins as a')
    .innerJoin('clients as c', 'c.auth_id', 'a.auth_id')
    .select(['a.id as admin', 'c.id'])
    .where('a.disabled_at', 'is', null)
    .where(roleAnswers(sql.ref('a.role'), sql`${requires_billing}::boolean`))
    .orderBy('a.id')
    .execute()
  const assigned = all.filter(({ admin }) => admin === assigned_admin_id)
  return (assigned.length > 0 ? assigned : all).map(({ id }) => id)
}

function stagesOf(now: Date, ticket: Urgent) {
  const { first_responded_at, first_response_due, first_response_minutes, office_hours, priority } = ticket
  const first =
    first_responded_at === null
      ? stageOf(now, new Date(first_response_due), minutesFor(priority, first_response_minutes), office_hours)
      : 0
  const whole = ticket.resolve_due
    ? stageOf(now, new Date(ticket.resolve_due), minutesFor(priority, ticket.resolve_minutes), office_hours)
    : 0
  return { first, whole }
}

/**
 * A deadline that passed this long before its first check is known already, like all that are older than this
 * feature.
 */
const knownAfterMs = dayMs

/** Whether a stage needs a notification: not yet sent, and not long past without any. */
const isNews = (now: Date, stage: number, sent: number, due: string | null): boolean =>
  stage > sent && (sent > 0 || due === null || now.getTime() - Date.parse(due) < knownAfterMs)

async function notifyStaff(tx: Database, now: Date, ticket: Urgent): Promise<void> {
  const { first, whole } = stagesOf(now, ticket)
  const { id, subject, first_response_told, first_response_due, resolve_told, resolve_due } = ticket
  if (first <= first_response_told && whole <= resolve_told) return
  const stage = Math.max(
    isNews(now, first, first_response_told, first_response_due) ? first : 0,
    isNews(now, whole, resolve_told, resolve_due) ? whole : 0,
  )
  const kind = stage === 100 ? 'ticket_overdue' : 'ticket_due'
  if (stage > 0)
    for (const client of await staffFor(tx, ticket))
      await notify(tx, client, { kind, about: id, params: { subject } })
  await tx
    .updateTable('tickets')
    .set(({ fn, ref, val }) => ({
      first_response_told: fn<number>('greatest', [ref('first_response_told'), val(first)]),
      resolve_told: fn<number>('greatest', [ref('resolve_told'), val(whole)]),
    }))
    .where('id', '=', id)
    .execute()
}

/**
 * Notifies staff of tickets with a deadline in its last quarter, and of those past it: once for each stage,
 * under any concurrency. A deadline that passed a day before its first check is skipped, so that an upgraded
 * installation does not begin with an alert for each old ticket.
 */
export function notifyOfDeadlines(db: Database, now: Date, most = atOnce): Promise<void> {
  return db.transaction().execute(async (tx) => {
    for (const ticket of await urgent(tx, now, most)) await notifyStaff(tx, now, ticket)
  })
}

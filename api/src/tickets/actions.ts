import {
  closedAfterDays,
  stateAfter,
  type TicketEvent,
  type TicketState,
  ticketStates,
} from '@portico/contract/rules/tickets/ticket-states.ts'
import { dayMs } from '@portico/contract/time.ts'
import { type SqlBool, sql } from 'kysely'
import type { Context, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { type Problem, refuse } from '#platform/errors/problem.ts'
import { endStaffAccess } from '#sharing/staff-access.ts'
import { roleAnswers } from '#staff/ticket-visibility.ts'
import { dueAfterStop } from './service-levels.ts'

type Work = Pick<Context, 'tx' | 'now'>

/** The id of a state: the ids of ticket_statuses follow the order of the states. */
const statusId = (state: TicketState): number => ticketStates.indexOf(state) + 1

/** SQL: whether a ticket, `t` of `tickets`, waits for staff. */
export const waitsForStaff = (t: string) =>
  sql<SqlBool>`${sql.ref(`${t}.ticket_status_id`)} in (${sql.lit(statusId('open'))}, ${sql.lit(statusId('awaiting_staff'))})`

/** The refusal of an event that a ticket's state does not allow. */
function refusal(state: TicketState, event: TicketEvent): Problem {
  const isOver = state === 'closed' && event !== 'close' && event !== 'resolve' && event !== 'hold'
  if (isOver && event === 'staffMessage') return refuse('ticket_closed')
  return refuse(isOver ? 'ticket_closed_long_ago' : 'ticket_moved_on')
}

/** Locks a ticket until the transaction ends, which serializes its changes. */
async function hold(tx: Database, id: number) {
  const row = await tx
    .selectFrom('tickets')
    .select(columns.tickets)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return { row, status: ticketStates[row.ticket_status_id - 1] ?? 'closed', closed_at: row.closed_at }
}

/**
 * The deadlines of a ticket after a transition: they stop while it waits for the client, is on hold or
 * closed.
 */
async function timesAfter({ tx, now }: Work, ticket: RowOf<'tickets'>, state: TicketState) {
  const { stopped_at, first_response_due, resolve_due } = ticket
  const runs = state === 'open' || state === 'awaiting_staff'
  if (!runs) return stopped_at === null ? { stopped_at: now.toISOString() } : {}
  if (stopped_at === null) return {}
  const { office_hours } = await tx
    .selectFrom('ticket_departments')
    .select('office_hours')
    .where('id', '=', ticket.ticket_department_id)
    .executeTakeFirstOrThrow()
  const later = (due: string) =>
    dueAfterStop(new Date(due), new Date(stopped_at), now, office_hours).toISOString()
  return {
    stopped_at: null,
    first_response_due: later(first_response_due),
    resolve_due: resolve_due && later(resolve_due),
  }
}

/**
 * Applies an event to a ticket's state (contract/src/rules/tickets/ticket-states.ts). Throws `ticket_closed`,
 * `ticket_closed_long_ago` or `ticket_moved_on` when the state does not allow it, `ticket_merged`.
 */
export async function moveTicket({ tx, now }: Work, id: number, event: TicketEvent): Promise<TicketState> {
  const ticket = await hold(tx, id)
  if (ticket.row.merged_into_id !== null) throw refuse('ticket_merged')
  const state = stateAfter(ticket, event, now)
  if (state === undefined) throw refusal(ticket.status, event)
  const at = now.toISOString()
  await tx
    .updateTable('tickets')
    .set({
      ticket_status_id: statusId(state),
      resolved_at: state === 'resolved' ? at : null,
      closed_at: state === 'closed' ? at : null,
      ...(await timesAfter({ tx, now }, ticket.row, state)),
    })
    .where('id', '=', id)
    .execute()
  if (state === 'closed') await endStaffAccess({ tx, now }, [id])
  return state
}

export async function act(
  context: Work,
  { id }: RowOf<'tickets'>,
  event: TicketEvent,
): Promise<{ status: TicketState }> {
  return { status: await moveTicket(context, id, event) }
}

/** Marks a ticket as read by the account. */
export async function markRead(
  { tx }: Pick<Context, 'tx'>,
  { id }: RowOf<'tickets'>,
): Promise<{ client_unread: false }> {
  await tx
    .updateTable('tickets')
    .set({ client_unread: false })
    .where('id', '=', id)
    .where('client_unread', '=', true)
    .execute()
  return { client_unread: false }
}

/**
 * Assigns a ticket to a staff member; panel access of the previous one is revoked. Throws
 * `ticket_assignee_unfit` for a person who cannot read or answer it.
 */
export async function assign(
  { tx, now }: Work,
  { id, ticket_department_id, assigned_admin_id }: RowOf<'tickets'>,
  adminId: number | null,
): Promise<{ assigned_admin_id: number | null }> {
  const requiresBilling = sql`exists (
    select from ticket_departments d where d.id = ${ticket_department_id} and d.requires_billing)`
  const found =
    adminId === null ||
    (await tx
      .selectFrom('admins')
      .select('id')
      .where('id', '=', adminId)
      .where('disabled_at', 'is', null)
      .where(roleAnswers(sql.ref('admins.role'), requiresBilling))
      .executeTakeFirst())
  if (!found) throw refuse('ticket_assignee_unfit', {}, { source: { pointer: '/data/admin_id' } })
  await tx.updateTable('tickets').set({ assigned_admin_id: adminId }).where('id', '=', id).execute()
  if (adminId !== assigned_admin_id) await endStaffAccess({ tx, now }, [id])
  return { assigned_admin_id: adminId }
}

/**
 * Moves a ticket to another department. The deadline of the first answer stays, because the client knows it. Throws
 * `department_unknown`, `department_closed`.
 */
export async function moveToDepartment(
  { tx }: Pick<Context, 'tx'>,
  { id }: Pick<RowOf<'tickets'>, 'id'>,
  code: string,
): Promise<{ department: string }> {
  const found = await tx
    .selectFrom('ticket_departments')
    .select(['id', 'closed_at'])
    .where('code', '=', code)
    .executeTakeFirst()
  const at = { source: { pointer: '/data/department' } }
  if (!found) throw refuse('department_unknown', {}, at)
  if (found.closed_at !== null) throw refuse('department_closed', {}, at)
  await tx.updateTable('tickets').set({ ticket_department_id: found.id }).where('id', '=', id).execute()
  return { department: code }
}

/** Closes tickets that were resolved a week ago without a later message. Returns their number. */
export function closeResolved(db: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - closedAfterDays * dayMs).toISOString()
  return db.transaction().execute(async (tx) => {
    const closed = await tx
      .updateTable('tickets')
      .set({ ticket_status_id: statusId('closed'), closed_at: now.toISOString() })
      .where('ticket_status_id', '=', statusId('resolved'))
      .where('resolved_at', '<=', before)
      .returning('id')
      .execute()
    await endStaffAccess(
      { tx, now },
      closed.map(({ id }) => id),
    )
    return closed.length
  })
}

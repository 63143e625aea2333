import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { dueAfterChange, minutesFor } from './service-levels.ts'

/**
 * Sets a ticket's priority, and shifts its deadlines by the department's times for that priority. Staff are
 * notified of the new deadlines as of any. Throws `ticket_closed`.
 */
export async function setPriority<P extends number>(
  { tx, now }: Pick<Context, 'tx' | 'now'>,
  { id }: Pick<RowOf<'tickets'>, 'id'>,
  priority: P,
): Promise<{ priority: P }> {
  const ticket = await tx
    .selectFrom('tickets as t')
    .innerJoin('ticket_departments as d', 'd.id', 't.ticket_department_id')
    .select(['t.priority', 't.closed_at', 't.stopped_at', 't.first_response_due', 't.resolve_due'])
    .select(['d.first_response_minutes', 'd.resolve_minutes', 'd.office_hours'])
    .where('t.id', '=', id)
    .forNoKeyUpdate('t')
    .executeTakeFirstOrThrow()
  if (ticket.closed_at !== null) throw refuse('ticket_closed')
  if (ticket.priority === priority) return { priority }
  // While the ticket waits for the client its deadlines are frozen.
  const at = ticket.stopped_at === null ? now : new Date(ticket.stopped_at)
  const moved = (due: string, minutes: number) =>
    dueAfterChange(new Date(due), at, {
      more: minutesFor(priority, minutes) - minutesFor(ticket.priority, minutes),
      officeHours: ticket.office_hours,
    }).toISOString()
  await tx
    .updateTable('tickets')
    .set({
      priority,
      first_response_due: moved(ticket.first_response_due, ticket.first_response_minutes),
      resolve_due: ticket.resolve_due && moved(ticket.resolve_due, ticket.resolve_minutes),
      first_response_told: 0,
      resolve_told: 0,
    })
    .where('id', '=', id)
    .execute()
  return { priority }
}

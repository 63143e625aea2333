import type { tickets } from '@portico/contract/resources/tickets.ts'
import type * as z from 'zod/mini'
import type { Context, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { moveTicket, moveToDepartment } from './actions.ts'
import { messageCreated } from './messages.ts'
import { setPriority } from './priority.ts'
import { addTags } from './tags.ts'

type Ticket = RowOf<'tickets'>
type Input = z.output<(typeof tickets.actions)['runMacro']['input']>

/** The macro. Throws `macro_unknown` where there is none for tickets of this department. */
async function macroOf(tx: Database, { ticket_department_id }: Ticket, id: number) {
  const found = await tx
    .selectFrom('canned_answers as a')
    .leftJoin('ticket_departments as d', 'd.id', 'a.move_to_id')
    .select(['a.priority', 'a.hold', 'a.tags', 'd.code as department'])
    .where('a.id', '=', id)
    .where((eb) =>
      eb.or([
        eb('a.ticket_department_id', 'is', null),
        eb('a.ticket_department_id', '=', ticket_department_id),
      ]),
    )
    .executeTakeFirst()
  if (!found) throw refuse('macro_unknown', {}, { source: { pointer: '/data/answer_id' } })
  return found
}

/** Attaches files that the same member of staff has uploaded. Throws `file_unknown`. */
async function attach(tx: Database, adminId: number, messageId: number, ids: readonly number[]) {
  if (ids.length === 0) return
  const attached = await tx
    .updateTable('ticket_files')
    .set({ ticket_message_id: messageId })
    .where('id', 'in', ids)
    .where('uploaded_by_admin_id', '=', adminId)
    .where('ticket_id', 'is', null)
    .where('ticket_message_id', 'is', null)
    .returning('id')
    .execute()
  if (attached.length < new Set(ids).size)
    throw refuse('file_unknown', {}, { source: { pointer: '/data/file_ids' } })
}

async function answer(context: Context, ticket: Ticket, { body, file_ids = [] }: Input): Promise<void> {
  const { tx, actor } = context
  // Only staff pass the rule of this action.
  const admin = actor.staff?.id ?? 0
  const message = await tx
    .insertInto('ticket_messages')
    .values({ ticket_id: ticket.id, client_id: ticket.client_id, author_admin_id: admin, body })
    .returning(columns.ticket_messages)
    .executeTakeFirstOrThrow()
  await attach(tx, admin, message.id, file_ids)
  await messageCreated(context, message)
}

/**
 * Sends an answer, and does what its macro says with the ticket: all of it, or nothing. Throws `macro_unknown`,
 * `file_unknown`, `ticket_tags_most`, `ticket_closed`, `department_closed`.
 */
export async function runMacro(context: Context, ticket: Ticket, input: Input): Promise<{ ran: true }> {
  const { priority, hold, tags, department } = await macroOf(context.tx, ticket, input.answer_id)
  await answer(context, ticket, input)
  await addTags(context, ticket, tags)
  if (priority !== null) await setPriority(context, ticket, priority)
  if (department !== null) await moveToDepartment(context, ticket, department)
  if (hold) await moveTicket(context, ticket.id, 'hold')
  return { ran: true }
}

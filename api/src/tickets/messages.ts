import { mostMessages } from '@portico/contract/resources/tickets.ts'
import { notifyOfAnswer } from '#notifications/notifications.ts'
import type { Context, Related, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertFilesFit } from '#tickets/files/files.ts'
import { notifyRecipients } from '#tickets/recipients/notify.ts'
import { moveTicket } from './actions.ts'
import { endWriting } from './presence/writers.ts'

type Message = RowOf<'ticket_messages'>
/** Rows of the request's relationships. */
type Sent = { readonly visibility?: 'public' | 'internal' | undefined }

/** The author and the account of a new message. Throws `staff_only` when a client writes an internal note. */
export function newMessage({
  actor,
  related,
  sent,
}: Pick<Context, 'actor'> & { readonly related: Related; readonly sent: Sent }) {
  if (sent.visibility === 'internal' && !actor.staff)
    throw refuse('staff_only', {}, { source: { pointer: '/data/attributes/visibility' } })
  return {
    client_id: related.ticket?.client_id,
    ...(actor.staff ? { author_admin_id: actor.staff.id } : { author_client_id: actor.id }),
  }
}

/** Applies a public message: the state of its ticket, unread marks, and the first answer. */
export async function messagePosted(
  { tx, now }: Pick<Context, 'tx' | 'now'>,
  { ticket_id, author_admin_id }: Pick<Message, 'ticket_id' | 'author_admin_id'>,
): Promise<void> {
  const byStaff = author_admin_id !== null
  if (byStaff) await notifyOfAnswer(tx, ticket_id)
  await moveTicket({ tx, now }, ticket_id, byStaff ? 'staffMessage' : 'clientMessage')
  const at = now.toISOString()
  await tx
    .updateTable('tickets')
    .set(({ fn, ref, val }) => ({
      last_message_at: at,
      last_message_by: byStaff ? 'staff' : 'client',
      ...(byStaff && {
        client_unread: true,
        // The staff member who answers an unassigned ticket is assigned to it.
        assigned_admin_id: fn.coalesce(ref('assigned_admin_id'), val(author_admin_id)),
        first_responded_at: fn.coalesce(ref('first_responded_at'), val(at)),
      }),
    }))
    .where('id', '=', ticket_id)
    .execute()
}

/**
 * The number of messages in a ticket. From `mostMessages` on only staff may add more, which bounds an
 * account's data. Concurrent messages do not count each other, so the limit may be slightly exceeded.
 */
export async function messagesIn(tx: Context['tx'], ticketId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('ticket_messages')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('ticket_id', '=', ticketId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function assertNotFull(tx: Context['tx'], { ticket_id, author_admin_id }: Message): Promise<void> {
  if (author_admin_id === null && (await messagesIn(tx, ticket_id)) > mostMessages)
    throw refuse('ticket_full', { most: mostMessages })
}

/** Throws `ticket_merged`: a merge that committed before this message was inserted has not moved it. */
async function assertNotMerged(tx: Context['tx'], { ticket_id }: Message): Promise<void> {
  const ticket = tx.selectFrom('tickets').select('merged_into_id').where('id', '=', ticket_id)
  if ((await ticket.executeTakeFirstOrThrow()).merged_into_id !== null) throw refuse('ticket_merged')
}

/**
 * Runs after a message was created, with its files: a public message updates the ticket, an internal note
 * does not. Throws `ticket_full`, `ticket_merged`.
 */
export async function messageCreated(
  context: Pick<Context, 'tx' | 'now' | 'vault'>,
  row: Message,
): Promise<void> {
  await assertNotMerged(context.tx, row)
  await assertNotFull(context.tx, row)
  await assertFilesFit(context.tx, row.id, row.client_id)
  await endWriting(context, row)
  if (row.visibility === 'internal') return
  await messagePosted(context, row)
  await notifyRecipients(context, row)
}

/** Rates an answer. Throws `message_not_answer` for a message that staff did not write. */
export async function rate<Rating extends string>(
  { tx }: Pick<Context, 'tx'>,
  { id, author_admin_id }: Message,
  { rating, comment }: { readonly rating: Rating; readonly comment?: string | undefined },
): Promise<{ rating: Rating }> {
  if (author_admin_id === null) throw refuse('message_not_answer')
  await tx
    .updateTable('ticket_messages')
    .set({ rating, rating_comment: comment || null })
    .where('id', '=', id)
    .execute()
  return { rating }
}

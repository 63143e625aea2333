import { mostMessages } from '@portico/contract/resources/tickets.ts'
import { tellOfAnswer } from '#notifications/notifications.ts'
import type { Context, Related, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertFilesFit } from '#tickets/files/files.ts'
import { notifyRecipients } from '#tickets/recipients/notify.ts'
import { moveTicket } from './actions.ts'

type Message = RowOf<'ticket_messages'>
/** Rows that the request names, by relationship. */
type Sent = { readonly visibility?: 'public' | 'internal' | undefined }

/** Who says it, in whose account. Throws `staff_only` when a client writes what only staff reads. */
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

/** What follows from a public message: the state of its ticket, who has something to read, and the first answer. */
export async function messagePosted(
  { tx, now }: Pick<Context, 'tx' | 'now'>,
  { ticket_id, author_admin_id }: Pick<Message, 'ticket_id' | 'author_admin_id'>,
): Promise<void> {
  const byStaff = author_admin_id !== null
  if (byStaff) await tellOfAnswer(tx, ticket_id)
  await moveTicket({ tx, now }, ticket_id, byStaff ? 'staffMessage' : 'clientMessage')
  const at = now.toISOString()
  await tx
    .updateTable('tickets')
    .set(({ fn, ref, val }) => ({
      last_message_at: at,
      last_message_by: byStaff ? 'staff' : 'client',
      ...(byStaff && {
        client_unread: true,
        // Who answers a ticket that is nobody's takes it.
        assigned_admin_id: fn.coalesce(ref('assigned_admin_id'), val(author_admin_id)),
        first_responded_at: fn.coalesce(ref('first_responded_at'), val(at)),
      }),
    }))
    .where('id', '=', ticket_id)
    .execute()
}

/**
 * How many messages a ticket has. From `mostMessages` on nobody but staff adds another: what one account writes is not to grow
 * without end. Messages of the same moment do not count each other, so it may have a few more.
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

/**
 * After a message was written, with its files: a note changes nothing, anything else goes on with the ticket. Throws
 * `ticket_full`.
 */
export async function messageCreated(
  context: Pick<Context, 'tx' | 'now' | 'vault'>,
  row: Message,
): Promise<void> {
  await assertNotFull(context.tx, row)
  await assertFilesFit(context.tx, row.id, row.client_id)
  if (row.visibility === 'internal') return
  await messagePosted(context, row)
  await notifyRecipients(context, row)
}

/** What a client thinks of an answer. Throws `message_not_answer` for what nobody of staff wrote. */
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

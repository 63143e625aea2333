import { type TicketState, ticketStates } from '@portico/contract/rules/tickets/ticket-states.ts'
import { clientsWithLanguage } from '#notifications/clients-with-language.ts'
import type { Actor, Context, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { reason, refuse } from '#platform/errors/problem.ts'
import type { Verdict } from '#platform/jsonapi/declare/policy.ts'
import { moveTicket } from '#tickets/actions.ts'
import { notifiedCreated } from '#tickets/recipients/emails.ts'
import { dropUnwritten, stillOpen } from '#tickets/recipients/recipients.ts'

type Ticket = RowOf<'tickets'>
type Work = Pick<Context, 'tx' | 'now'>
type Pair = { readonly from: Ticket; readonly into: Ticket }

const whileApart = (_: Actor, { merged_into_id }: Ticket): Verdict =>
  merged_into_id === null || reason('ticket_merged')

/** The verbs that need a ticket which was not merged into another one. */
export const unlessMerged = {
  reply: whileApart,
  note: whileApart,
  close: whileApart,
  reopen: whileApart,
  resolve: whileApart,
  addEmail: whileApart,
  grantStaffAccess: whileApart,
  hold: whileApart,
  assign: whileApart,
  move: whileApart,
  setPriority: whileApart,
  tag: whileApart,
  merge: whileApart,
  runMacro: whileApart,
} as const

const sentences = {
  en: {
    into: (number: string) => `Ticket ${number} was merged into this one.`,
    from: (number: string) => `This ticket was merged into ${number}, where the conversation goes on.`,
  },
  ro: {
    into: (number: string) => `Tichetul ${number} a fost unit cu acesta.`,
    from: (number: string) => `Acest tichet a fost unit cu ${number}, unde continuă conversația.`,
  },
} as const

const at = { source: { pointer: '/data/into_id' } }

/**
 * Locks both tickets and those that were merged into the first, in one order. The lock also waits for messages
 * and addresses that are being added, so that none is left behind.
 */
async function lockBoth(tx: Database, fromId: number, intoId: number): Promise<Pair> {
  const rows = await tx
    .selectFrom('tickets')
    .select(columns.tickets)
    .where((eb) => eb.or([eb('id', 'in', [fromId, intoId]), eb('merged_into_id', '=', fromId)]))
    .orderBy('id')
    .forUpdate()
    .execute()
  const [from, into] = [fromId, intoId].map((id) => rows.find((row) => row.id === id))
  if (!from || !into) throw refuse('not_found', { type: 'tickets' })
  return { from, into }
}

function assertMergeable({ from, into }: Pair): void {
  const { number } = into
  if (from.id === into.id) throw refuse('ticket_merge_itself', {}, at)
  if (from.client_id !== into.client_id) throw refuse('ticket_merge_of_other_account', {}, at)
  if (from.merged_into_id !== null) throw refuse('ticket_merged')
  if (into.merged_into_id !== null) throw refuse('ticket_merge_merged', { number }, at)
  if (into.closed_at !== null) throw refuse('ticket_merge_closed', { number }, at)
}

/** Throws `ticket_merge_readers` unless each guest of the account reads both tickets or neither. */
async function assertSameReaders({ tx, now }: Work, { from, into }: Pair): Promise<void> {
  const guests = await tx
    .selectFrom('share_permissions')
    .select('invited_client_id as guest')
    .distinct()
    .where('inviting_client_id', '=', into.client_id)
    .where('revoked_at', 'is', null)
    .execute()
  for (const { guest } of guests)
    if (guest !== null && (await stillOpen(tx, from, guest, now)) !== (await stillOpen(tx, into, guest, now)))
      throw refuse('ticket_merge_readers', {}, at)
}

/** Moves the notified addresses; one that the other ticket has already is dropped. Throws `ticket_notified_most`. */
async function moveAddresses({ tx, now }: Work, { from, into }: Pair): Promise<void> {
  for (const ticket of [from, into]) await dropUnwritten(tx, ticket, now)
  const known = tx
    .selectFrom('ticket_ticket_emails as x')
    .innerJoin('ticket_emails as e', 'e.id', 'x.ticket_email_id')
    .where('x.ticket_id', '=', into.id)
    .select('e.email')
  const double = tx.selectFrom('ticket_emails').select('id').where('email', 'in', known)
  await tx
    .deleteFrom('ticket_ticket_emails')
    .where('ticket_id', '=', from.id)
    .where('ticket_email_id', 'in', double)
    .execute()
  await tx
    .updateTable('ticket_ticket_emails')
    .set({ ticket_id: into.id })
    .where('ticket_id', '=', from.id)
    .execute()
  await notifiedCreated({ tx }, { ticket_id: into.id })
}

const stateOf = ({ ticket_status_id }: Ticket): TicketState => ticketStates[ticket_status_id - 1] ?? 'closed'

const isWaiting = (ticket: Ticket): boolean => ['open', 'awaiting_staff'].includes(stateOf(ticket))

const earlier = (one: string, other: string): string => (Date.parse(other) < Date.parse(one) ? other : one)

/**
 * The ticket goes on as if the messages had been written in it: a question of the other waits here, no later than it would
 * have there.
 */
async function carryState({ tx, now }: Work, { from, into }: Pair): Promise<void> {
  if (isWaiting(from) && !isWaiting(into)) await moveTicket({ tx, now }, into.id, 'clientMessage')
  const isLater = Date.parse(from.last_message_at) > Date.parse(into.last_message_at)
  const { first_response_due, resolve_due } = await tx
    .selectFrom('tickets')
    .select(['first_response_due', 'resolve_due'])
    .where('id', '=', into.id)
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('tickets')
    .set({
      client_unread: into.client_unread || from.client_unread,
      ...(isLater && { last_message_at: from.last_message_at, last_message_by: from.last_message_by }),
      ...(isWaiting(from) && {
        ...(from.first_responded_at === null && {
          first_response_due: earlier(first_response_due, from.first_response_due),
        }),
        resolve_due: resolve_due && from.resolve_due ? earlier(resolve_due, from.resolve_due) : resolve_due,
      }),
    })
    .where('id', '=', into.id)
    .execute()
}

/** Closes the merged ticket for good; tickets that were merged into it lead to the other as well. */
async function endMerged({ tx, now }: Work, { from, into }: Pair): Promise<void> {
  if (from.closed_at === null) await moveTicket({ tx, now }, from.id, 'close')
  await tx
    .updateTable('tickets')
    .set({ merged_into_id: into.id, client_unread: false })
    .where((eb) => eb.or([eb('id', '=', from.id), eb('merged_into_id', '=', from.id)]))
    .execute()
}

/** Writes what happened into both conversations, in the language of the account. */
async function writeSentences(tx: Database, { from, into }: Pair): Promise<void> {
  const { code } = await clientsWithLanguage(tx)
    .select('l.code')
    .where('c.id', '=', into.client_id)
    .executeTakeFirstOrThrow()
  const { into: said, from: left } = sentences[code === 'ro' ? 'ro' : 'en']
  const system = { client_id: into.client_id, source: 'system' } as const
  await tx
    .insertInto('ticket_messages')
    .values([
      { ...system, ticket_id: into.id, body: said(from.number) },
      { ...system, ticket_id: from.id, body: left(into.number) },
    ])
    .execute()
}

/**
 * Merges a ticket into another one of its account. Throws `not_found` for one that the actor does not see,
 * `ticket_merge_itself`, `ticket_merge_of_other_account`, `ticket_merge_closed`, `ticket_merge_merged`,
 * `ticket_merge_readers`, `ticket_merged`, `ticket_notified_most`.
 */
export async function merge(context: Context, { id }: Ticket, intoId: number): Promise<{ into_id: number }> {
  const { tx } = context
  await context.see('tickets', intoId)
  const pair = await lockBoth(tx, id, intoId)
  assertMergeable(pair)
  await assertSameReaders(context, pair)
  await moveAddresses(context, pair)
  // Their ids are in the order of time in both, and so the messages are in the one. Files follow their messages.
  await tx.updateTable('ticket_messages').set({ ticket_id: intoId }).where('ticket_id', '=', id).execute()
  await carryState(context, pair)
  await endMerged(context, pair)
  await writeSentences(tx, pair)
  return { into_id: intoId }
}

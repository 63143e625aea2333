import { mostNotified } from '@portico/contract/rules/tickets/ticket-limits.ts'
import { type SqlBool, sql } from 'kysely'
import type { Context, Related, RowOf } from '#platform/context.ts'
import { holdCount } from '#platform/db/advisory-locks.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { dropUnwritten } from './recipients.ts'

// An address book is for the people around an account.
const mostInBook = 200

/** The columns of a new address in one's own book, or in that of an account whose tickets one answers. */
export async function newEmail({
  tx,
  actor,
  sent,
}: Pick<Context, 'tx' | 'actor'> & { readonly sent: { readonly client_id?: number | undefined } }) {
  const client = sent.client_id ?? actor.id
  if (!actor.owners('tickets').includes(client))
    throw refuse('ticket_emails_not_open', {}, { source: { pointer: '/data/attributes/client_id' } })
  await holdCount(tx, 'addresses', actor.id)
  return { client_id: client, added_by: actor.id }
}

/** Limits each person's entries in a book separately. The caller holds the count. */
async function assertRoomInBook(tx: Database, client: number, adder: number): Promise<void> {
  const { count } = await tx
    .selectFrom('ticket_emails')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('client_id', '=', client)
    .where('added_by', '=', adder)
    .executeTakeFirstOrThrow()
  if (count > mostInBook) throw refuse('ticket_emails_full', { most: mostInBook })
}

export async function emailCreated(
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  { client_id }: RowOf<'ticket_emails'>,
): Promise<void> {
  await assertRoomInBook(tx, client_id, actor.id)
}

/**
 * Deletes an address with its ticket subscriptions, for the owner of the book. A guest's deletion only
 * removes their own entry: subscriptions of tickets that they cannot see stay.
 */
export async function removeEmail(
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  { id, client_id }: RowOf<'ticket_emails'>,
): Promise<void> {
  const entry = tx.deleteFrom('ticket_emails').where('id', '=', id)
  if (client_id === actor.id) {
    await entry.execute()
    return
  }
  const used = sql<SqlBool>`exists (select from ticket_ticket_emails x where x.ticket_email_id = ${id})`
  await tx.updateTable('ticket_emails').set({ added_by: null }).where('id', '=', id).where(used).execute()
  await entry.where(({ not }) => not(used)).execute()
}

/** Locks a ticket, after removing subscriptions that get no letters. Throws `ticket_merged`. */
async function holdTicket({ tx, now }: Pick<Context, 'tx' | 'now'>, id: number): Promise<void> {
  const ticket = await tx
    .selectFrom('tickets')
    .select(['id', 'client_id', 'opened_by_client_id', 'merged_into_id'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (ticket.merged_into_id !== null) throw refuse('ticket_merged')
  await dropUnwritten(tx, ticket, now)
}

/**
 * The adder and the account of a subscription. The ticket is locked and checked again: it may have been
 * hidden from the actor meanwhile. Throws `not_found` then.
 */
export async function newNotified({ related, ...context }: Context & { readonly related: Related }) {
  const ticket = related.ticket
  if (!ticket) throw refuse('not_found', { type: 'tickets' })
  await holdTicket(context, Number(ticket.id))
  await context.see('tickets', Number(ticket.id))
  return { client_id: ticket.client_id, added_by: context.actor.staff ? null : context.actor.id }
}

/**
 * Throws `ticket_notified_most` when a ticket has too many subscriptions, `ticket_email_notified` for a
 * duplicate address by another entry. The caller holds the ticket's lock, which serializes the count.
 */
export async function notifiedCreated(
  { tx }: Pick<Context, 'tx'>,
  { ticket_id }: Pick<RowOf<'ticket_ticket_emails'>, 'ticket_id'>,
): Promise<void> {
  const { count, different } = await tx
    .selectFrom('ticket_ticket_emails as x')
    .innerJoin('ticket_emails as e', 'e.id', 'x.ticket_email_id')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.count<number>('e.email').distinct().as('different'),
    ])
    .where('x.ticket_id', '=', ticket_id)
    .executeTakeFirstOrThrow()
  if (count > different)
    throw refuse('ticket_email_notified', {}, { source: { pointer: '/data/relationships/ticketEmail' } })
  if (count > mostNotified) throw refuse('ticket_notified_most', { most: mostNotified })
}

type Entry = { readonly client_id: number; readonly added_by: number; readonly email: string }

async function inBook(tx: Database, entry: Entry, name: string | undefined): Promise<number> {
  const { client_id, added_by, email } = entry
  await holdCount(tx, 'addresses', added_by)
  const known = tx
    .selectFrom('ticket_emails')
    .select('id')
    .where('client_id', '=', client_id)
    .where('added_by', '=', added_by)
    .where('email', '=', email)
  const added = await tx
    .insertInto('ticket_emails')
    .values({ ...entry, name: name || null })
    .onConflict((conflict) => conflict.constraint('ticket_emails_once').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added) await assertRoomInBook(tx, client_id, added_by)
  return (added ?? (await known.executeTakeFirstOrThrow())).id
}

/** Subscribes an address to the answers of a ticket; returns the subscription's id. Idempotent. */
export async function addEmail(
  { tx, actor, now }: Pick<Context, 'tx' | 'actor' | 'now'>,
  ticket: Pick<RowOf<'tickets'>, 'id' | 'client_id'>,
  email: string,
  name?: string,
): Promise<number> {
  await holdTicket({ tx, now }, ticket.id)
  const existing = await tx
    .selectFrom('ticket_ticket_emails as x')
    .innerJoin('ticket_emails as e', 'e.id', 'x.ticket_email_id')
    .select('x.id')
    .where('x.ticket_id', '=', ticket.id)
    .where('e.email', '=', email)
    .executeTakeFirst()
  const { client_id } = ticket
  const adder = actor.staff ? null : actor.id
  if (existing) {
    // The entry stays when the guest leaves who added it first.
    if (adder === null || adder === client_id)
      await tx
        .updateTable('ticket_ticket_emails')
        .set({ added_by: adder })
        .where('id', '=', existing.id)
        .execute()
    return existing.id
  }
  // Entries added by staff belong to the owner.
  const added_by = adder ?? client_id
  const entry = {
    ticket_id: ticket.id,
    ticket_email_id: await inBook(tx, { client_id, added_by, email }, name),
  }
  const { id } = await tx
    .insertInto('ticket_ticket_emails')
    .values({ ...entry, client_id, added_by: adder })
    .returning('id')
    .executeTakeFirstOrThrow()
  await notifiedCreated({ tx }, entry)
  return id
}

import { mostNotified } from '@portico/contract/resources/tickets.ts'
import type { Context, RowOf } from '../db/context.ts'
import type { Database } from '../db/pool.ts'
import { Problem } from '../errors/problem.ts'

// An address book is for the people around an account, not for everybody in the world.
const mostInBook = 200

/** An address of one's own book, or of one of somebody whose tickets one answers. */
export function newEmail({
  actor,
  sent,
}: Pick<Context, 'actor'> & { readonly sent: { readonly client_id?: number | undefined } }) {
  const client = sent.client_id ?? actor.id
  if (!actor.owners('tickets').includes(client))
    throw new Problem('forbidden', 'You cannot add addresses to this account.', {
      source: { pointer: '/data/attributes/client_id' },
    })
  return { client_id: client }
}

async function assertRoomInBook(tx: Database, client: number): Promise<void> {
  const { count } = await tx
    .selectFrom('ticket_emails')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('client_id', '=', client)
    .executeTakeFirstOrThrow()
  if (count > mostInBook) throw new Problem('validation', `At most ${mostInBook} addresses are kept.`)
}

export async function emailCreated(
  { tx }: Pick<Context, 'tx'>,
  { client_id }: RowOf<'ticket_emails'>,
): Promise<void> {
  await assertRoomInBook(tx, client_id)
}

/** `validation` when a ticket tells more addresses than it may. The ticket is held, so that they are counted one by one. */
export async function notifiedCreated(
  { tx }: Pick<Context, 'tx'>,
  { ticket_id }: Pick<RowOf<'ticket_ticket_emails'>, 'ticket_id'>,
): Promise<void> {
  await tx.selectFrom('tickets').select('id').where('id', '=', ticket_id).forNoKeyUpdate().execute()
  const { count } = await tx
    .selectFrom('ticket_ticket_emails')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('ticket_id', '=', ticket_id)
    .executeTakeFirstOrThrow()
  if (count > mostNotified)
    throw new Problem('validation', `A ticket tells at most ${mostNotified} addresses of its answers.`)
}

async function inBook(
  tx: Database,
  client: number,
  email: string,
  name: string | undefined,
): Promise<number> {
  const known = tx
    .selectFrom('ticket_emails')
    .select('id')
    .where('client_id', '=', client)
    .where('email', '=', email)
  const added = await tx
    .insertInto('ticket_emails')
    .values({ client_id: client, email, name: name || null })
    .onConflict((conflict) => conflict.constraint('ticket_emails_once').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added) await assertRoomInBook(tx, client)
  return (added ?? (await known.executeTakeFirstOrThrow())).id
}

/** Tells an address of the answers in a ticket from now on; returns the id of what says so. Twice is once. */
export async function addEmail(
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  ticket: Pick<RowOf<'tickets'>, 'id' | 'client_id'>,
  email: string,
  name?: string,
): Promise<number> {
  const { client_id } = ticket
  const entry = { ticket_id: ticket.id, ticket_email_id: await inBook(tx, client_id, email, name) }
  const added = await tx
    .insertInto('ticket_ticket_emails')
    .values({ ...entry, client_id, added_by: actor.staff ? null : actor.id })
    .onConflict((conflict) => conflict.constraint('ticket_ticket_emails_once').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added) {
    await notifiedCreated({ tx }, entry)
    return added.id
  }
  const { id } = await tx
    .selectFrom('ticket_ticket_emails')
    .select('id')
    .where('ticket_id', '=', entry.ticket_id)
    .where('ticket_email_id', '=', entry.ticket_email_id)
    .executeTakeFirstOrThrow()
  return id
}

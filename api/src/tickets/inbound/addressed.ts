import type { RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import type { ReplyTo } from '#platform/mail/reply-address.ts'
import { type Participant, participants } from '#tickets/recipients/recipients.ts'

/** The ticket to which a reply address leads, locked: the other one when it was merged into another. */
export async function addressedTicket(tx: Database, id: number): Promise<RowOf<'tickets'> | undefined> {
  const before = await tx
    .selectFrom('tickets')
    .select('merged_into_id')
    .where('id', '=', id)
    .executeTakeFirst()
  const ticket = await tx
    .selectFrom('tickets')
    .select(columns.tickets)
    .where('id', '=', before?.merged_into_id ?? id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  // It may have been merged while this waited for the lock.
  return ticket?.merged_into_id ? addressedTicket(tx, ticket.merged_into_id) : ticket
}

/**
 * The participant to whom a reply address was given. An address that both of two merged tickets notified is in the one
 * ticket once, by either of its entries.
 */
export async function addressedPerson(
  tx: Database,
  ticket: RowOf<'tickets'>,
  { kind, id }: ReplyTo,
  now: Date,
): Promise<Participant | undefined> {
  const all = (await participants(tx, ticket, now)).filter((one) => one.kind === kind)
  const found = all.find((one) => one.id === id)
  if (found || kind !== 'email') return found
  const entry = await tx
    .selectFrom('ticket_emails')
    .select('email')
    .where('id', '=', id)
    .where('client_id', '=', ticket.client_id)
    .executeTakeFirst()
  return all.find(({ email }) => email.toLowerCase() === entry?.email.toLowerCase())
}

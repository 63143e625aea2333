import { writingSeconds } from '@portico/contract/rules/tickets/ticket-limits.ts'
import { sql } from 'kysely'
import type { Context, RowOf } from '#platform/context.ts'
import type { SymbolicActor } from '#platform/jsonapi/declare/symbolic-actor.ts'

const lasting = sql`interval '1 second' * ${writingSeconds}::int`

/** The names of colleagues who write at the ticket; null for clients. */
export const writersAt = ({ staff }: SymbolicActor) =>
  staff
    ? sql`(select coalesce(jsonb_agg(a.display_name order by a.display_name), '[]') from ticket_writers w
        join admins a on a.id = w.admin_id
        where w.ticket_id = tickets.id and w.admin_id <> ${staff.id} and w.at > now() - ${lasting})`
    : sql`null::jsonb`

/** Shows colleagues for a while that the caller writes at the ticket, and clears what they have left at others. */
export async function write({ tx, actor: { staff } }: Context, { id }: RowOf<'tickets'>) {
  if (staff)
    await sql`with ended as (
        delete from ticket_writers where admin_id = ${staff.id} and ticket_id <> ${id} and at <= now() - ${lasting})
      insert into ticket_writers (ticket_id, admin_id, at) values (${id}, ${staff.id}, now())
      on conflict (ticket_id, admin_id) do update set at = excluded.at`.execute(tx)
  return { writing: true as const }
}

/** Ends the sign with the message that was written. */
export async function endWriting(
  { tx }: Pick<Context, 'tx'>,
  { ticket_id, author_admin_id }: Pick<RowOf<'ticket_messages'>, 'ticket_id' | 'author_admin_id'>,
): Promise<void> {
  if (author_admin_id === null) return
  await tx
    .deleteFrom('ticket_writers')
    .where('ticket_id', '=', ticket_id)
    .where('admin_id', '=', author_admin_id)
    .execute()
}

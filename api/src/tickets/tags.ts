import { mostTags } from '@portico/contract/rules/tickets/ticket-limits.ts'
import { sql } from 'kysely'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { ofBilling } from '#staff/ticket-visibility.ts'

type Ticket = Pick<RowOf<'tickets'>, 'id'>

/** Replaces the tags of a ticket. */
export async function setTags(
  { tx }: Pick<Context, 'tx'>,
  { id }: Ticket,
  tags: readonly string[],
): Promise<{ tags: string[] }> {
  const given = [...new Set(tags)].sort()
  await tx.updateTable('tickets').set({ tags: given }).where('id', '=', id).execute()
  return { tags: given }
}

/** Adds tags to those of a ticket. Throws `ticket_tags_most`. */
export async function addTags({ tx }: Pick<Context, 'tx'>, { id }: Ticket, tags: readonly string[]) {
  if (tags.length === 0) return
  const { tags: known } = await tx
    .selectFrom('tickets')
    .select('tags')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (new Set([...known, ...tags]).size > mostTags) throw refuse('ticket_tags_most', { most: mostTags })
  await setTags({ tx }, { id }, [...known, ...tags])
}

/** The tags in use on the tickets that the actor sees, which are few. */
export async function tagsSeen({ tx, actor }: Context): Promise<{ tags: string[] }> {
  if (!actor.staff) return { tags: [] }
  const { rows } = await sql<{ tag: string }>`
    select distinct unnest(t.tags) as tag from tickets t
    where t.tags <> '{}' and (${actor.staff.role} <> 'billing' or ${ofBilling('t')})
    order by 1 limit 200`.execute(tx)
  return { tags: rows.map(({ tag }) => tag) }
}

import type { announcements } from '@portico/contract/resources/announcements.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { audienceIds, concerns } from './audience.ts'
import { requestLetters } from './letters.ts'

type Verbs = typeof announcements.actions
type Input = z.output<Verbs['announce']['input']>
type Current = z.input<Verbs['current']['output']>

/** The action of everybody that reads what is announced to them now. */
export async function currentAnnouncements({ tx, actor }: Context): Promise<Current> {
  const { rows } = await sql<Current['announcements'][number]>`
    select n.id, n.title_en, n.title_ro, n.body_en, n.body_ro from announcements n
    where n.starts_at <= clock_now() and (n.ends_at is null or n.ends_at > clock_now())
      and ${concerns(sql`${actor.id}`, { engine: sql`n.panel_engine_id`, plan: sql`n.plan_id` })}
    order by n.starts_at desc, n.id desc limit 5`.execute(tx)
  return { announcements: rows }
}

/**
 * The action of administrators that announces something, by letter too where that is wanted. Throws
 * `announcement_audience`, `announcement_end`.
 */
export async function announce({ tx }: Context, { input }: { readonly input: Input }) {
  const { audience, of, ends_at, by_letter = false, about_service = false, ...words } = input
  const { rows } = await sql`select where ${ends_at}::timestamptz <= clock_now()`.execute(tx)
  if (rows.length > 0) throw refuse('announcement_end', {}, { source: { pointer: '/data/ends_at' } })
  const made = await tx
    .insertInto('announcements')
    .values({ ...words, about_service, ends_at, ...(await audienceIds(tx, { audience, of })) })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (by_letter) await requestLetters({ tx }, made.id)
  return made
}

/**
 * The action of administrators that ends an announcement; one that has not begun was never seen and is removed from the
 * future by the same end. Throws `announcement_over`.
 */
export async function endAnnouncement({ tx }: Context, { row }: { readonly row: RowOf<'announcements'> }) {
  const { rows } = await sql<{ ends_at: string }>`
    update announcements set starts_at = least(starts_at, clock_now() - interval '1 second'), ends_at = clock_now()
    where id = ${row.id} and (ends_at is null or ends_at > clock_now()) returning ends_at`.execute(tx)
  const [ended] = rows
  if (!ended) throw refuse('announcement_over')
  return ended
}

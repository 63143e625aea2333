import type { announcements } from '@portico/contract/resources/announcements.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'

type Verbs = typeof announcements.actions
type Input = z.output<Verbs['announce']['input']>
type Current = z.input<Verbs['current']['output']>

/** The action of everybody that reads what is announced to them now. */
export async function currentAnnouncements({ tx, actor }: Context): Promise<Current> {
  const { rows } = await sql<Current['announcements'][number]>`
    select n.id, n.title_en, n.title_ro, n.body_en, n.body_ro from announcements n
    where n.starts_at <= clock_now() and (n.ends_at is null or n.ends_at > clock_now())
      and (coalesce(n.panel_engine_id, n.plan_id) is null or exists (
        select from panels p where p.client_id = ${actor.id} and p.deleted_at is null
          and (p.panel_engine_id = n.panel_engine_id or p.plan_id = n.plan_id)))
    order by n.starts_at desc, n.id desc limit 5`.execute(tx)
  return { announcements: rows }
}

/** The id behind a code. Throws `announcement_audience` for an unknown one. */
async function idOf(tx: Database, table: 'panel_engines' | 'plans', code: string | null): Promise<number> {
  const found = await tx
    .selectFrom(table)
    .select('id')
    .where('code', '=', code ?? '')
    .executeTakeFirst()
  if (!found) throw refuse('announcement_audience', {}, { source: { pointer: '/data/of' } })
  return found.id
}

/** The action of administrators that announces something. Throws `announcement_audience`, `announcement_end`. */
export async function announce({ tx }: Context, { input }: { readonly input: Input }) {
  const { audience, of, ends_at, ...words } = input
  const { rows } = await sql`select where ${ends_at}::timestamptz <= clock_now()`.execute(tx)
  if (rows.length > 0) throw refuse('announcement_end', {}, { source: { pointer: '/data/ends_at' } })
  return await tx
    .insertInto('announcements')
    .values({
      ...words,
      ends_at,
      panel_engine_id: audience === 'engine' ? await idOf(tx, 'panel_engines', of) : null,
      plan_id: audience === 'plan' ? await idOf(tx, 'plans', of) : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
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

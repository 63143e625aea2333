import type { audiences } from '@portico/contract/resources/announcements.ts'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { mayAct } from '#reference/client-status.ts'
import { notStaff } from '#staff/roles.ts'

/** The engine or the plan that an announcement is about, as SQL; both null: everybody. */
export type Audience = {
  readonly engine: RawBuilder<unknown>
  readonly plan: RawBuilder<unknown>
}

/** Whether an announcement concerns the account of a client: it has panels of the engine or the plan. */
export const concerns = (client: RawBuilder<unknown>, { engine, plan }: Audience): Expression<SqlBool> =>
  sql<SqlBool>`(coalesce(${engine}, ${plan}) is null or exists (
    select from panels p where p.client_id = ${client} and p.deleted_at is null
      and (p.panel_engine_id = ${engine} or p.plan_id = ${plan})))`

/**
 * Whether a client `c` gets the letter of an announcement: not one who is blocked or closed, whose address is not
 * confirmed, or who is staff; and not one who turned off news, unless it is about the service.
 */
export const getsLetter = (audience: Audience, isAboutService: boolean): Expression<SqlBool> =>
  sql<SqlBool>`(c.status = any(${[...mayAct]}::int[]) and c.email_verified_at is not null
    and ${notStaff('c')} and (${isAboutService} or 'newsletter' <> all(c.mail_off)) and ${concerns(sql`c.id`, audience)})`

/** An audience as it is asked for; `of` is the code of the engine or the plan. */
type Wanted = { readonly audience: (typeof audiences)[number]; readonly of: string | null }

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

/** The ids of what an announcement concerns. Throws `announcement_audience`. */
export async function audienceIds(tx: Database, { audience, of }: Wanted) {
  return {
    panel_engine_id: audience === 'engine' ? await idOf(tx, 'panel_engines', of) : null,
    plan_id: audience === 'plan' ? await idOf(tx, 'plans', of) : null,
  }
}

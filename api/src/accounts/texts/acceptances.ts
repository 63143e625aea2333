import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { assertCurrentTerms } from './texts.ts'

/**
 * SQL: the version of the terms that a client still has to accept, else null. Terms that applied before the client
 * registered were accepted then; those of the very day only if the registration says so.
 */
export const termsDue = (client: string): string => `(select t.version from (
    select version, from_day from published_texts
    where kind = 'terms' and from_day <= coalesce(operator_today(), clock_today())
    order by from_day desc limit 1) t
  where t.from_day >= ${client}.created_at::date and not exists (
    select from terms_acceptances a where a.client_id = ${client}.id and a.version = t.version))`

/** Stores that a client accepted a version; repeating it changes nothing. */
export async function keepAcceptance(tx: Database, clientId: number, version: string): Promise<void> {
  await sql`insert into terms_acceptances (client_id, version) values (${clientId}, ${version})
    on conflict do nothing`.execute(tx)
}

/** The action of clients that accepts the terms of today. Throws `terms_changed` for another version. */
export async function acceptTerms(
  { tx }: Context,
  { row, input }: { readonly row: { readonly id: number }; readonly input: { readonly version: string } },
): Promise<{ version: string }> {
  await assertCurrentTerms(tx, input.version, '/data/version')
  await keepAcceptance(tx, row.id, input.version)
  return { version: input.version }
}

import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

/** The names of two plans in the language of a client; of no plan, none. */
export async function namesOfPlans(
  tx: Database,
  client: number,
  { from, to }: { readonly from: number | null; readonly to: number },
): Promise<{ from: string; to: string }> {
  const name = (plan: number | null) =>
    sql<string>`coalesce((select case l.code when 'ro' then p.name_ro else p.name_en end from plans p where p.id = ${plan}), '–')`
  const { rows } = await sql<{ from: string; to: string }>`select ${name(from)} as from, ${name(to)} as to
    from clients c join languages l on l.id = c.language_id where c.id = ${client}`.execute(tx)
  const [names] = rows
  if (!names) throw new Error(`There is no client ${client}.`)
  return names
}

import { sql } from 'kysely'

/** The id of the oldest workspace that client `c` owns: who loses the workspace that they worked in works there next. */
export const oldestWorkspace = sql`(select p.id from projects p
  where p.client_id = c.id and p.archived_at is null order by p.created_at, p.id limit 1)`

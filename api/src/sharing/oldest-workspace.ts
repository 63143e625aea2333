import { sql } from 'kysely'

/**
 * The id of the oldest workspace that client `c` owns: it becomes current when the client loses the current
 * one.
 */
export const oldestWorkspace = sql`(select p.id from projects p
  where p.client_id = c.id and p.archived_at is null order by p.created_at, p.id limit 1)`

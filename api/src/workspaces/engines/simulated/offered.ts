import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { because } from '#platform/db/settings.ts'

const offer = sql`update panel_engines set disabled_at = null, is_default = true
  where kind = 'simulated' and not exists (select from panel_engines where is_default)`

const withhold = sql`update panel_engines e set disabled_at = coalesce(disabled_at, now()), is_default = false
  where kind = 'simulated' and (is_default or disabled_at is null)
  and not exists (select from panels p where p.panel_engine_id = e.id and p.deleted_at is null)`

/**
 * Disables the simulated engine unless it has panels, so that a real portal never creates simulated panels by mistake. When
 * it is offered and no engine is the default, it becomes the default again.
 */
export async function offerSimulated(db: Database, offered: boolean): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await because(tx, 'start of the portal')
    await (offered ? offer : withhold).execute(tx)
  })
}

import { alertStaff, resolveAlert } from '#platform/alerts.ts'
import type { Connection } from '#platform/db/connection.ts'
import type { Pool } from '#platform/db/pool.ts'
import { keepArchive } from './kept-archives.ts'

export type NightlyParts = {
  readonly pool: Pool
  /** The embedded database; an external one is backed up by its operator. */
  readonly nightly?: false | { readonly dataDir: string; readonly connection: Connection }
}

/** Archives the embedded database, and alerts staff when that fails. */
export async function archiveNightly({ pool, nightly }: NightlyParts): Promise<void> {
  if (!nightly) return
  try {
    await keepArchive(nightly, nightly.connection, 'nightly')
  } catch (error) {
    await alertStaff(pool.kysely, 'database', 'archive_failed', { said: String(error) })
    throw error
  }
  await resolveAlert(pool.kysely, 'database', 'archive_failed')
}

import type { Clock } from '#platform/clock.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { nameStaff, nameStaffAction } from '#platform/db/settings.ts'
import type { EngineAccess, PanelEngine } from '#workspaces/engines/panel-engine.ts'
import type { Act, At } from './take-over.ts'

/** The member of staff who runs a command (admins.id), why, and a name for the run. */
export type By = { readonly admin: number; readonly reason: string; readonly run: string }

/**
 * Writes an act of staff on panels into their log, in the transaction of its changes, which the database notes under it,
 * with the client.
 */
async function writeAsStaff(tx: Database, { admin, reason, run }: By, act: Act): Promise<void> {
  const { id } = await tx
    .insertInto('staff_actions')
    .values({ ...act, type: 'panels', admin_id: admin, reason, request_id: run })
    .returning('id')
    .executeTakeFirstOrThrow()
  await nameStaff(tx, admin)
  await nameStaffAction(tx, id)
}

type Run = {
  readonly pool: Pool
  readonly clock: Clock
  readonly access: EngineAccess
  readonly engine: PanelEngine
}

/** An engine whose accounts a command links. */
export const asStaff = ({ pool, clock, access, engine }: Run, by: By): At => ({
  access,
  engine,
  admin: by.admin,
  now: () => clock.now(),
  within: (act, work) =>
    pool.kysely.transaction().execute(async (tx) => {
      await writeAsStaff(tx, by, act)
      return work(tx)
    }),
})

import type { Database } from '#platform/db/pool.ts'
import { setForTransaction } from '#platform/db/settings.ts'

/** The member of staff who runs a command (admins.id), why, and a name for the run. */
export type By = { readonly admin: number; readonly reason: string; readonly run: string }

type Act = { readonly verb: string; readonly type: string; readonly ref: string; readonly client: number }

/** Writes an act of staff into their log, in the transaction of its changes, which the database notes under it. */
export async function writeAsStaff(tx: Database, { admin, reason, run }: By, act: Act): Promise<void> {
  const { verb, type, ref, client } = act
  const { id } = await tx
    .insertInto('staff_actions')
    .values({ admin_id: admin, verb, type, ref, client_id: client, reason, request_id: run })
    .returning('id')
    .executeTakeFirstOrThrow()
  await setForTransaction(tx, 'portico.staff', String(admin))
  await setForTransaction(tx, 'portico.action', String(id))
}

import { sql } from 'kysely'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'

/** Makes a workspace the one the person works in. One that they do not see does not exist for them. */
export async function chooseProject(
  { tx, see }: Context,
  client: RowOf<'clients'>,
  projectId: number,
): Promise<{ current_project_id: number }> {
  // Held until commit, so that it cannot be archived in between and leave the person in a workspace that is gone.
  await see('projects', projectId)
  await tx.updateTable('clients').set({ current_project_id: projectId }).where('id', '=', client.id).execute()
  return { current_project_id: projectId }
}

/** Full UTC days since an account's balance, credit included, went below zero; 0 when it is not. */
export async function negativeDays({ tx }: { tx: Database }, clientId: number): Promise<number> {
  const balance = await tx
    .selectFrom('account_balances')
    .select(sql<number>`greatest(clock_today() - negative_since, 0)`.as('days'))
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return balance?.days ?? 0
}

import { sql } from 'kysely'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'

/** Makes a workspace the person's current one. Throws `not_found` for one that they do not see. */
export async function chooseProject(
  { tx, see }: Context,
  client: RowOf<'clients'>,
  projectId: number,
): Promise<{ current_project_id: number }> {
  // Locked until commit, so that it cannot be archived concurrently and leave the person in a missing
  // workspace.
  await see('projects', projectId)
  await tx.updateTable('clients').set({ current_project_id: projectId }).where('id', '=', client.id).execute()
  return { current_project_id: projectId }
}

/**
 * Full UTC days since an account's balance, credit included, fell below zero; 0 when it is not below zero: `negative_days` of
 * billing-profiles, without the cost of that view.
 */
export async function negativeDays({ tx }: { tx: Database }, clientId: number): Promise<number> {
  const balance = await tx
    .selectFrom('account_balances')
    .select(sql<number>`greatest(clock_today() - negative_since, 0)`.as('days'))
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return balance?.days ?? 0
}

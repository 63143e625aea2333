import type { Context, RowOf } from '../db/context.ts'
import type { Database } from '../db/pool.ts'

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

const dayMs = 86_400_000

/** Full UTC days since an account's balance, credit included, went below zero; 0 when it is not. */
export async function negativeDays(
  { tx, now }: { tx: Database; now: Date },
  clientId: number,
): Promise<number> {
  const balance = await tx
    .selectFrom('account_balances')
    .select('negative_since')
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  if (!balance?.negative_since) return 0
  return Math.max(0, Math.floor((now.getTime() - Date.parse(balance.negative_since)) / dayMs))
}

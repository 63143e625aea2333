import type { Context, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import { refuse } from '#platform/errors/problem.ts'
import { removePanel, requestSync, retryProvision } from '#workspaces/panels.ts'
import { assertMoneyAhead } from '#workspaces/plans/money-ahead.ts'
import { panelOf, statusOf } from './stop-panel.ts'

type Given = { readonly row: RowOf<'clients'>; readonly input: { readonly panel_id: number } }

/** Locks a panel of a client, and reads all of it. Throws like `panelOf`. */
async function wholePanelOf({ tx }: Context, { row, input: { panel_id } }: Given) {
  const { id } = await panelOf(tx, row.id, panel_id)
  return tx.selectFrom('panels').select(columns.panels).where('id', '=', id).executeTakeFirstOrThrow()
}

/**
 * Asks the engine again for what failed. Throws like `panelOf`, `panel_not_failed`, and for a creation like
 * `retryProvision` and `assertMoneyAhead`.
 */
export async function retryPanel(context: Context, given: Given) {
  const panel = await wholePanelOf(context, given)
  if (panel.failed_step === 'delete') await removePanel(context, panel)
  else if (panel.failed_step === 'provision') {
    await retryProvision(context, { row: panel })
    await assertMoneyAhead(context, panel.client_id, 0)
  } else throw refuse('panel_not_failed')
  return statusOf(context.tx, panel.id)
}

/** Requests a new reading of a panel. Throws like `panelOf`, and `panel_not_ready`. */
export async function syncPanel(context: Context, given: Given) {
  const panel = await wholePanelOf(context, given)
  return requestSync(context, { row: panel })
}

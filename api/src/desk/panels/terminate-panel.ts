import type { panelVerbs } from '@portico/contract/resources/desk-panel-verbs.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { assertSecond } from '#desk/second/assert-second.ts'
import { reasonInLog, writeClient } from '#desk/verbs/client-letter.ts'
import { isForDebt } from '#money/balance/balances.ts'
import { noteAct } from '#notifications/account-log.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { removePanel } from '#workspaces/panels.ts'
import { panelOf, statusOf } from './stop-panel.ts'

type Terminate = z.output<typeof panelVerbs.terminatePanel.input>

/** Nothing is deleted for a debt of which its owner may not know. Throws `panel_notices_missing`. */
export async function assertNotices(tx: Database, client: number): Promise<void> {
  const { rows } = await sql<{ letters: number }>`select count(*)::int as letters from dunning_steps d
    where d.client_id = ${client} and d.began_on = (select max(began_on) from dunning_steps where client_id = ${client})`.execute(
    tx,
  )
  if ((rows[0]?.letters ?? 0) < 2) throw refuse('panel_notices_missing')
}

/**
 * Deletes a suspended panel, as its owner could. Throws `recent_sign_in_required`, `second_person_required`, like `panelOf`,
 * `panel_not_suspended`, `panel_name_differs`, `panel_notices_missing`.
 */
export async function terminatePanel(
  context: Context,
  { row, input: { panel_id, name } }: { readonly row: RowOf<'clients'>; readonly input: Terminate },
) {
  assertRecentSignIn(context)
  assertSecond(context)
  const { tx, now } = context
  const found = await panelOf(tx, row.id, panel_id)
  if (found.suspended_at === null) throw refuse('panel_not_suspended')
  if (found.name !== name) throw refuse('panel_name_differs', {}, { source: { pointer: '/name' } })
  if (isForDebt(found.suspend_reason)) await assertNotices(tx, row.id)
  const panel = await tx
    .selectFrom('panels')
    .select(columns.panels)
    .where('id', '=', found.id)
    .executeTakeFirstOrThrow()
  await removePanel({ tx }, panel)
  await noteAct({ tx, now }, { kind: 'panel-deleted', owner: row.id, about: name, panel: found.id })
  const reason = await reasonInLog(tx)
  await writeClient(context, row.id, (about) => ({ kind: 'panel-terminated', ...about, panel: name, reason }))
  return statusOf(tx, found.id)
}

import { assertFewStops } from '#desk/panels/few-stops.ts'
import { livePanelsOf, lockClient } from '#desk/panels/stop-client.ts'
import { blocked, isStopped, release } from '#desk/panels/stop-panel.ts'
import { revokeOthers } from '#identity/sessions/sessions.ts'
import { noteAct } from '#notifications/account-log.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { clientStatus } from '#reference/client-status.ts'
import { stopPanel } from '#workspaces/panels.ts'
import { reasonInLog, writeClient } from './client-letter.ts'

type Client = { readonly row: RowOf<'clients'> }

/**
 * Blocks a client. Access is refused by the status at the next request; sessions end for good. Throws
 * `recent_sign_in_required`, `client_not_active`, and like `assertFewStops`.
 */
export async function blockClient(context: Context, { row }: Client): Promise<{ status: number }> {
  assertRecentSignIn(context)
  await assertFewStops(context)
  const { tx, now } = context
  const { status } = await lockClient(tx, row.id)
  if (status !== clientStatus.active && status !== clientStatus.neverSignedIn)
    throw refuse('client_not_active')
  await tx.updateTable('clients').set({ status: clientStatus.blocked }).where('id', '=', row.id).execute()
  for (const panel of await livePanelsOf(tx, row.id))
    if (!isStopped(panel)) await stopPanel(context, panel.id, { cause: blocked })
  if (row.auth_id !== null)
    await revokeOthers({ tx, now }, { accountId: row.auth_id, sessionId: null }, 'account-blocked')
  const reason = await reasonInLog(tx)
  await noteAct({ tx, now }, { kind: 'account-blocked', owner: row.id, about: '', details: { reason } })
  await writeClient(context, row.id, (about) => ({ kind: 'account-blocked', ...about, reason }))
  return { status: clientStatus.blocked }
}

/** Ends a block. Throws `recent_sign_in_required`, `client_not_blocked`. */
export async function unblockClient(context: Context, { row }: Client): Promise<{ status: number }> {
  assertRecentSignIn(context)
  const { tx, now } = context
  if ((await lockClient(tx, row.id)).status !== clientStatus.blocked) throw refuse('client_not_blocked')
  await tx.updateTable('clients').set({ status: clientStatus.active }).where('id', '=', row.id).execute()
  for (const { id, suspend_reason } of await livePanelsOf(tx, row.id))
    if (suspend_reason === blocked) await release(tx, row.id, id, now)
  await noteAct({ tx, now }, { kind: 'account-unblocked', owner: row.id, about: '' })
  await writeClient(context, row.id, (about) => ({ kind: 'account-unblocked', ...about }))
  return { status: clientStatus.active }
}

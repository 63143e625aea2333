import { engineCapabilities } from '@portico/contract/engine/wire.ts'
import { panelStatus } from '@portico/contract/resources/panels.ts'
import { billingStatus } from '@portico/contract/rules/billing-status.ts'
import * as z from 'zod/mini'
import type { Context, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import {
  requestDelete,
  requestProvision,
  requestReading,
  requestRename,
  requestSuspension,
} from './panel-requests.ts'
import { settle } from './panel-state.ts'

type Panel = RowOf<'panels'>
type Tx = { readonly tx: Database }
type Shown = { status: z.output<typeof panelStatus>; synced_at: string | null }

/**
 * The engine of a new panel. Throws `plan_not_offered` for a plan that this engine does not offer: it would refuse the panel, or
 * make another one than was asked for. Throws `panels_unavailable` when no engine takes new panels.
 */
export async function newPanel({
  tx,
  sent,
}: Tx & { readonly sent: { readonly plan_code?: string | null } }): Promise<{ panel_engine_id: number }> {
  const engine = await tx
    .selectFrom('panel_engines')
    .select(['id', 'capabilities'])
    .where('is_default', '=', true)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (engine === undefined) throw refuse('panels_unavailable')
  const { plans } = z.parse(engineCapabilities, engine.capabilities)
  if (sent.plan_code != null && !plans.includes(sent.plan_code))
    throw refuse(
      'plan_not_offered',
      {},
      {
        source: { pointer: '/data/attributes/plan_code' },
      },
    )
  return { panel_engine_id: engine.id }
}

/**
 * A panel begins as a wish; the engine makes it true. Throws the Problem `account_suspended` while its owner's account is:
 * whoever adds it.
 */
export async function panelCreated({ tx }: Tx, panel: Panel): Promise<void> {
  const owner = await tx
    .selectFrom('clients')
    .select('billing_status')
    .where('id', '=', panel.client_id)
    // Held, so that a panel that is added while its account is being suspended is either refused or suspended with it.
    .forShare()
    .executeTakeFirstOrThrow()
  if (owner.billing_status >= billingStatus.suspended) throw refuse('account_suspended')
  await requestProvision(tx, panel.id)
}

/** Adds a panel to a workspace without a request, as a set-up does. */
export async function addPanel(
  tx: Database,
  panel: { client_id: number; project_id: number; name: string; plan_code: string | null },
): Promise<Panel> {
  const row = await tx.insertInto('panels').values(panel).returning(columns.panels).executeTakeFirstOrThrow()
  await panelCreated({ tx }, row)
  return row
}

/** The engine shows the panel under the name it has here. */
export async function panelUpdated({ tx }: Tx, panel: Panel, before: Panel): Promise<void> {
  if (panel.name !== before.name) await requestRename(tx, panel.id)
}

/** A panel is gone when its engine has confirmed it; until then it is being deleted. */
export async function removePanel({ tx }: Tx, panel: Panel): Promise<void> {
  await tx
    .updateTable('panels')
    .set({ status: 'deleting', failed_step: null })
    .where('id', '=', panel.id)
    .execute()
  await requestDelete(tx, panel.id)
}

/** Wishes a panel suspended: nobody is let in from now on, and its engine stops it. The reason is told to the engine. */
export async function suspendPanel(
  { tx, now }: Pick<Context, 'tx' | 'now'>,
  panelId: number,
  reason: string,
): Promise<void> {
  const wish = { suspended_at: now.toISOString(), suspend_reason: reason, suspension_due: true }
  await tx
    .updateTable('panels')
    .set(wish)
    .where('id', '=', panelId)
    .where('suspended_at', 'is', null)
    .execute()
  await settle(tx, [panelId])
  await requestSuspension(tx, panelId)
}

/** Wishes that a suspended panel runs again; it does when its engine has confirmed. */
export async function resumePanel({ tx }: Tx, panelId: number): Promise<void> {
  const wish = { suspended_at: null, suspend_reason: null, suspension_due: true }
  await tx
    .updateTable('panels')
    .set(wish)
    .where('id', '=', panelId)
    .where('suspended_at', 'is not', null)
    .execute()
  await settle(tx, [panelId])
  await requestSuspension(tx, panelId)
}

/** Asks for a reading soon: nothing outside is called while a request's transaction is open. */
export async function requestSync({ tx }: Tx, { row }: { row: Panel }): Promise<Shown> {
  if (row.external_id === null) throw refuse('panel_not_ready')
  await requestReading(tx, row.id)
  return { status: z.parse(panelStatus, row.status), synced_at: row.synced_at }
}

/** Asks the engine once more for a panel that it could not make. */
export async function retryProvision({ tx }: Tx, { row }: { row: Panel }): Promise<Shown> {
  if (row.status !== 'error' || row.failed_step !== 'provision') throw refuse('panel_not_failed')
  await tx.updateTable('panels').set({ failed_step: null }).where('id', '=', row.id).execute()
  await settle(tx, [row.id])
  await requestProvision(tx, row.id)
  return { status: 'provisioning', synced_at: row.synced_at }
}

import { panelStatus } from '@portico/contract/resources/panels.ts'
import { billingStatus } from '@portico/contract/rules/billing-status.ts'
import * as z from 'zod/mini'
import { noteAct } from '#notifications/account-log.ts'
import type { Actor, Context, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { asker } from './panel-asker.ts'
import {
  requestDelete,
  requestProvision,
  requestReading,
  requestRename,
  requestStop,
  requestSuspension,
} from './panel-requests.ts'
import { updatePanelStatuses } from './panel-state.ts'

type Panel = RowOf<'panels'>
type Tx = { readonly tx: Database }
/** The actor of a request; absent when the portal itself acts. */
type Asked = Tx & { readonly actor?: Actor }
type Shown = { status: z.output<typeof panelStatus>; synced_at: string | null }

/** Throws `account_suspended` or `account_stopped` while the owner of a panel may add none, also for guests. */
async function assertMayRun({ tx }: Tx, { client_id }: Panel): Promise<void> {
  const owner = await tx
    .selectFrom('clients')
    .select(['billing_status', 'stopped_at'])
    .where('id', '=', client_id)
    // Locked, so that a panel added during a suspension or a stop of the account is either refused or suspended too.
    .forShare()
    .executeTakeFirstOrThrow()
  if (owner.billing_status >= billingStatus.suspended) throw refuse('account_suspended')
  if (owner.stopped_at !== null) throw refuse('account_stopped')
}

/** Queues the creation of a new panel at its engine. Throws like `assertMayRun`. */
export async function panelCreated({ tx, actor }: Asked, panel: Panel): Promise<void> {
  await assertMayRun({ tx }, panel)
  await requestProvision(tx, panel.id, asker(actor, panel))
}

/** Adds a panel to a workspace outside a request, for a seed. */
export async function addPanel(
  tx: Database,
  panel: {
    client_id: number
    project_id: number
    name: string
    plan_code: string | null
    plan_id?: number
    domain?: string | null
  },
): Promise<Panel> {
  const row = await tx.insertInto('panels').values(panel).returning(columns.panels).executeTakeFirstOrThrow()
  await panelCreated({ tx }, row)
  return row
}

/** Queues the rename of a panel at its engine. */
export async function panelUpdated({ tx, actor }: Asked, panel: Panel, before: Panel): Promise<void> {
  if (panel.name !== before.name) await requestRename(tx, panel.id, asker(actor, panel))
}

/** Queues the deletion of a panel; its status is `deleting` until the engine confirms. */
export async function removePanel({ tx, actor }: Asked, panel: Panel): Promise<void> {
  await tx
    .updateTable('panels')
    .set({ status: 'deleting', failed_step: null })
    .where('id', '=', panel.id)
    .execute()
  await requestDelete(tx, panel.id, asker(actor, panel))
}

/**
 * Requests the suspension of a panel: sign-in is refused at once, and its engine stops it. The engine
 * receives the reason.
 */
export async function suspendPanel(
  { tx, now }: Pick<Context, 'tx' | 'now'>,
  panelId: number,
  reason: string,
): Promise<void> {
  const wish = { suspended_at: now.toISOString(), suspend_reason: reason, suspension_due: true }
  const suspended = await tx
    .updateTable('panels')
    .set(wish)
    .where('id', '=', panelId)
    .where('suspended_at', 'is', null)
    .returning(['client_id as owner', 'name as about'])
    .executeTakeFirst()
  if (suspended) await noteAct({ tx, now }, { ...suspended, kind: 'panel-suspended', panel: panelId })
  await updatePanelStatuses(tx, [panelId])
  await requestSuspension(tx, panelId)
}

/**
 * Stops a panel by staff. The cause, which the engine receives, replaces that of a suspension for debt: a
 * payment resumes only what was suspended for debt. The owner reads `reason` in the log.
 */
export async function stopPanel(
  { tx, now }: Pick<Context, 'tx' | 'now'>,
  panelId: number,
  { cause, reason }: { readonly cause: string; readonly reason?: string | undefined },
): Promise<void> {
  const stopped = await tx
    .updateTable('panels')
    .set((eb) => ({
      suspended_at: eb.fn.coalesce('suspended_at', eb.val(now.toISOString())),
      suspend_reason: cause,
      suspension_due: true,
    }))
    .where('id', '=', panelId)
    .returning(['client_id as owner', 'name as about'])
    .executeTakeFirstOrThrow()
  const act = { ...stopped, kind: 'panel-stopped', panel: panelId } as const
  await noteAct({ tx, now }, reason === undefined ? act : { ...act, details: { reason } })
  await updatePanelStatuses(tx, [panelId])
  await requestStop(tx, panelId)
}

/** Requests that a suspended panel resumes; it runs once its engine has confirmed. */
export async function resumePanel({ tx, now }: Pick<Context, 'tx' | 'now'>, panelId: number): Promise<void> {
  const wish = { suspended_at: null, suspend_reason: null, suspension_due: true }
  const resumed = await tx
    .updateTable('panels')
    .set(wish)
    .where('id', '=', panelId)
    .where('suspended_at', 'is not', null)
    .returning(['client_id as owner', 'name as about'])
    .executeTakeFirst()
  if (resumed) await noteAct({ tx, now }, { ...resumed, kind: 'panel-resumed', panel: panelId })
  await updatePanelStatuses(tx, [panelId])
  await requestSuspension(tx, panelId)
}

/** Queues a sync: no outside call is made while a request's transaction is open. */
export async function requestSync({ tx }: Tx, { row }: { row: Panel }): Promise<Shown> {
  if (row.external_id === null) throw refuse('panel_not_ready')
  await requestReading(tx, row.id)
  return { status: z.parse(panelStatus, row.status), synced_at: row.synced_at }
}

/** Retries the creation of a panel that failed at its engine. Throws like `assertMayRun`. */
export async function retryProvision({ tx, actor }: Asked, { row }: { row: Panel }): Promise<Shown> {
  if (row.status !== 'error' || row.failed_step !== 'provision') throw refuse('panel_not_failed')
  await assertMayRun({ tx }, row)
  await tx.updateTable('panels').set({ failed_step: null }).where('id', '=', row.id).execute()
  await updatePanelStatuses(tx, [row.id])
  await requestProvision(tx, row.id, asker(actor, row))
  return { status: 'provisioning', synced_at: row.synced_at }
}

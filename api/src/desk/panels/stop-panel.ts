import type { panelVerbs } from '@portico/contract/resources/desk-panel-verbs.ts'
import { panelStatus } from '@portico/contract/resources/panels.ts'
import { billingStatus } from '@portico/contract/rules/billing-status.ts'
import * as z from 'zod/mini'
import { reasonInLog, writeClient } from '#desk/verbs/client-letter.ts'
import { isForDebt, suspendReasons } from '#money/balance/balances.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { clientStatus } from '#reference/client-status.ts'
import { resumePanel, stopPanel, suspendPanel } from '#workspaces/panels.ts'
import { assertFewStops } from './few-stops.ts'

type Client = RowOf<'clients'>
type Suspend = z.output<typeof panelVerbs.suspendPanel.input>
type Moved = z.output<typeof panelVerbs.suspendPanel.output>

/** The reason of panels that a block of their client stopped, as engines receive it. */
export const blocked = 'blocked'

type Suspended = Pick<RowOf<'panels'>, 'suspended_at' | 'suspend_reason'>

/** Whether staff stopped a panel; a debt and a block of the client end by themselves. */
export const isStopped = ({ suspended_at, suspend_reason }: Suspended): boolean =>
  suspended_at !== null && !isForDebt(suspend_reason) && suspend_reason !== blocked

/** Locks a panel of a client. Throws `client_panel_unknown`, `panel_deleting`. */
export async function panelOf(tx: Database, client: number, id: number) {
  const panel = await tx
    .selectFrom('panels')
    .select(['id', 'name', 'status', 'suspended_at', 'suspend_reason'])
    .where('id', '=', id)
    .where('client_id', '=', client)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!panel) throw refuse('client_panel_unknown', {}, { source: { pointer: '/panel_id' } })
  if (panel.status === 'deleting') throw refuse('panel_deleting')
  return panel
}

export const statusOf = async (tx: Database, id: number): Promise<Moved> => {
  const { status } = await tx
    .selectFrom('panels')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { status: z.parse(panelStatus, status) }
}

/**
 * Lets a panel that staff stopped run again, unless its client is blocked or suspended for debt. Both are read
 * under the lock of the panel, which an evaluation of the balance takes too, so one of both sees the other.
 */
export async function release(tx: Database, client: number, panel: number, now: Date): Promise<void> {
  const owner = await tx
    .selectFrom('clients')
    .select(['status', 'billing_status'])
    .where('id', '=', client)
    .executeTakeFirstOrThrow()
  if (owner.status === clientStatus.blocked) return stopPanel({ tx, now }, panel, { cause: blocked })
  await resumePanel({ tx, now }, panel)
  if (owner.billing_status === billingStatus.suspended)
    await suspendPanel({ tx, now }, panel, suspendReasons.unpaid)
}

/** The reason for the client to read; none of an order unless staff say so, because it can forbid that. */
export const reasonFor = async (
  tx: Database,
  { kind, letter }: Pick<Suspend, 'kind' | 'letter'>,
): Promise<string | undefined> => (kind !== 'order' || letter === true ? reasonInLog(tx) : undefined)

/** Stops a panel. Throws like `panelOf` and `assertFewStops`, and `recent_sign_in_required`, `panel_stopped`. */
export async function suspendPanelOf(
  context: Context,
  { row, input: { panel_id, kind, letter } }: { readonly row: Client; readonly input: Suspend },
): Promise<Moved> {
  assertRecentSignIn(context)
  await assertFewStops(context)
  const { tx } = context
  const panel = await panelOf(tx, row.id, panel_id)
  if (isStopped(panel)) throw refuse('panel_stopped')
  const { id, name } = panel
  const reason = await reasonFor(tx, { kind, letter })
  await stopPanel(context, id, { cause: kind, reason })
  if (reason !== undefined)
    await writeClient(context, row.id, (about) => ({ kind: 'panel-stopped', ...about, panel: name, reason }))
  return statusOf(tx, id)
}

/** Ends the stop of a panel. Throws like `panelOf`, and `recent_sign_in_required`, `panel_not_stopped`. */
export async function resumePanelOf(
  context: Context,
  { row, input }: { readonly row: Client; readonly input: { readonly panel_id: number } },
): Promise<Moved> {
  assertRecentSignIn(context)
  const { tx, now } = context
  const panel = await panelOf(tx, row.id, input.panel_id)
  if (!isStopped(panel)) throw refuse('panel_not_stopped')
  await release(tx, row.id, panel.id, now)
  return statusOf(tx, panel.id)
}

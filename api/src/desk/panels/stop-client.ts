import type { panelVerbs } from '@portico/contract/resources/desk-panel-verbs.ts'
import type * as z from 'zod/mini'
import { assertSecond } from '#desk/second/assert-second.ts'
import { reasonInLog, writeClient } from '#desk/verbs/client-letter.ts'
import { emailKey } from '#identity/accounts.ts'
import { isForDebt } from '#money/balance/balances.ts'
import { noteAct } from '#notifications/account-log.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { removePanel, stopPanel } from '#workspaces/panels.ts'
import { assertFewStops } from './few-stops.ts'
import { isStopped, reasonFor, release } from './stop-panel.ts'
import { assertNotices } from './terminate-panel.ts'

type Client = RowOf<'clients'>
type Given<V extends 'suspendClient' | 'terminateClient'> = {
  readonly row: Client
  readonly input: z.output<(typeof panelVerbs)[V]['input']>
}
type Moved = { panels: number }

/** Locks a client before their panels, so a panel that is being added is either seen here or refused. */
export const lockClient = (tx: Database, id: number) =>
  tx
    .selectFrom('clients')
    .select(['status', 'stopped_at'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

/** The panels of a client that are neither deleted nor being deleted, locked in one order. */
export const livePanelsOf = (tx: Database, client: number) =>
  tx
    .selectFrom('panels')
    .select(columns.panels)
    .where('client_id', '=', client)
    .where('deleted_at', 'is', null)
    .where('status', '<>', 'deleting')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

const setStopped = (tx: Database, id: number, stopped_at: string | null) =>
  tx.updateTable('clients').set({ stopped_at }).where('id', '=', id).execute()

/** Stops all panels of a client. Throws like `assertFewStops`, and `recent_sign_in_required`. */
export async function suspendClient(
  context: Context,
  { row, input: { kind, letter } }: Given<'suspendClient'>,
): Promise<Moved> {
  assertRecentSignIn(context)
  await assertFewStops(context)
  const { tx, now } = context
  const { stopped_at } = await lockClient(tx, row.id)
  if (stopped_at === null) await setStopped(tx, row.id, now.toISOString())
  const running = (await livePanelsOf(tx, row.id)).filter((panel) => !isStopped(panel))
  const reason = await reasonFor(tx, { kind, letter })
  for (const { id } of running) await stopPanel(context, id, { cause: kind, reason })
  const panels = running.map(({ name }) => name)
  if (reason !== undefined && (panels.length > 0 || stopped_at === null))
    await writeClient(context, row.id, (about) => ({ kind: 'panels-stopped', ...about, panels, reason }))
  return { panels: panels.length }
}

/** Ends the stop of a client and of their panels. Throws `recent_sign_in_required`. */
export async function resumeClient(context: Context, { row }: { readonly row: Client }): Promise<Moved> {
  assertRecentSignIn(context)
  const { tx, now } = context
  const { stopped_at } = await lockClient(tx, row.id)
  if (stopped_at !== null) await setStopped(tx, row.id, null)
  const stopped = (await livePanelsOf(tx, row.id)).filter(isStopped)
  for (const { id } of stopped) await release(tx, row.id, id, now)
  return { panels: stopped.length }
}

/**
 * Deletes all panels of a client, as their owner could. Throws `recent_sign_in_required`, `second_person_required`,
 * `client_email_differs`, `client_without_panels`, `client_panels_running`, and like `assertNotices`.
 */
export async function terminateClient(
  context: Context,
  { row, input }: Given<'terminateClient'>,
): Promise<Moved> {
  assertRecentSignIn(context)
  assertSecond(context)
  const { tx, now } = context
  if (emailKey(row.email) !== emailKey(input.email))
    throw refuse('client_email_differs', {}, { source: { pointer: '/email' } })
  await lockClient(tx, row.id)
  const live = await livePanelsOf(tx, row.id)
  if (live.length === 0) throw refuse('client_without_panels')
  if (live.some(({ suspended_at }) => suspended_at === null)) throw refuse('client_panels_running')
  if (live.some(({ suspend_reason }) => isForDebt(suspend_reason))) await assertNotices(tx, row.id)
  const reason = await reasonInLog(tx)
  for (const panel of live) {
    await removePanel({ tx }, panel)
    await noteAct({ tx, now }, { kind: 'panel-deleted', owner: row.id, about: panel.name, panel: panel.id })
  }
  const panels = live.map(({ name }) => name)
  await writeClient(context, row.id, (about) => ({ kind: 'panels-terminated', ...about, panels, reason }))
  return { panels: panels.length }
}

import type { EnginePanelStatus, EngineReason } from '@portico/contract/engine/wire.ts'
import { type SqlBool, sql } from 'kysely'
import { notify } from '#notifications/notifications.ts'
import type { Database } from '#platform/db/pool.ts'
import { scheduleDegradedLetter } from './panel-letters.ts'

/** SQL: a resource `r` with a fault that makes its panel degraded; those of domains do not. */
export const isInTrouble = sql<SqlBool>`r.gone_at is null and r.kind <> 'domain' and r.status in ('degraded', 'error')`

/**
 * Derives the status of panels from the requested state, the engine's last report, and the health of their
 * servers. Every change of these inputs is stored first and then calls this; only deletion requests set a
 * status elsewhere.
 */
export async function updatePanelStatuses(tx: Database, panelIds: readonly number[]): Promise<void> {
  if (panelIds.length === 0) return
  const isIll = sql`exists (select 1 from panel_resources r where r.panel_id = p.id and ${isInTrouble})`
  const { rows } = await sql<{ id: number; client_id: number; name: string; status: string }>`
    with derived as (
      select p.id, case
        when p.status = 'deleted' then 'deleted'
        when p.failed_step is not null then 'error'
        when p.status = 'deleting' then 'deleting'
        when p.external_id is null then 'provisioning'
        when p.suspended_at is not null then 'suspended'
        when p.engine_status in ('deleting', 'deleted') then 'error'
        when p.engine_status is not null and p.engine_status <> 'active' then p.engine_status
        when ${isIll} then 'degraded'
        else 'active'
      end as status
      from panels p where p.id = any(${panelIds}::int8[])
    )
    update panels set status = derived.status from derived
    where panels.id = derived.id and panels.status <> derived.status
    returning panels.id, panels.client_id, panels.name, panels.status`.execute(tx)
  for (const { id, client_id, name } of rows.filter(({ status }) => status === 'degraded')) {
    await notify(tx, client_id, { kind: 'panel_degraded', about: id, params: { panel: name } })
    await scheduleDegradedLetter(tx, id)
  }
}

type EngineReport = {
  readonly status: EnginePanelStatus
  readonly at: string
  /** Absent: as before. */
  readonly region?: string | null | undefined
  readonly reasons?: readonly EngineReason[] | undefined
  readonly loginUrl?: string | null | undefined
  /** Absent: not known. */
  readonly progress?: number | null | undefined
}

/** Stores the engine's report of a panel at a time, unless a newer one is stored. */
export async function noteEngineStatus(
  tx: Database,
  panelId: number,
  { status, at, region, reasons, progress = null, loginUrl }: EngineReport,
): Promise<void> {
  await tx
    .updateTable('panels')
    .set({
      engine_status: status,
      engine_status_at: at,
      progress,
      ...(loginUrl !== undefined && { login_url: loginUrl }),
      ...(region !== undefined && { region }),
      ...(reasons !== undefined && { engine_reasons: JSON.stringify(reasons) }),
    })
    .where('id', '=', panelId)
    .where(({ or, eb }) => or([eb('engine_status_at', 'is', null), eb('engine_status_at', '<=', at)]))
    .execute()
}

/** Marks a panel and its content as deleted, after its engine confirmed it. */
export async function panelGone(tx: Database, panelId: number, at: string): Promise<void> {
  await tx
    .updateTable('panels')
    .set({ status: 'deleted', deleted_at: at, failed_step: null })
    .where('id', '=', panelId)
    .execute()
  await tx
    .updateTable('panel_resources')
    .set({ gone_at: at })
    .where('panel_id', '=', panelId)
    .where('gone_at', 'is', null)
    .execute()
}

import { sql } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import type { RowOf } from '#platform/context.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import type {
  EngineAccess,
  EnginePanel,
  EngineResource,
  PanelEngine,
  PanelRef,
} from '#workspaces/engines/panel-engine.ts'
import { requestStop } from './panel-requests.ts'
import { noteEngineStatus, updatePanelStatuses } from './panel-state.ts'
import { readPlan } from './plans/plan-outcome.ts'

/** A panel with its engine. */
export type Found = {
  readonly panel: RowOf<'panels'>
  readonly access: EngineAccess
  readonly engine: PanelEngine
  readonly ref: PanelRef
}

type Reading = { readonly panel: EnginePanel; readonly resources: readonly EngineResource[] }

/** The maximum number of pages of one kind; an engine with endless pages is faulty. */
const mostPages = 200

async function readAll({ access, engine }: Found, externalId: string): Promise<EngineResource[]> {
  const all: EngineResource[] = []
  for (const kind of access.capabilities.kinds) {
    let cursor: string | undefined
    for (let pages = 1; pages === 1 || cursor !== undefined; pages++) {
      if (pages > mostPages) throw new Error(`The pages of ${kind} in panel ${externalId} do not end.`)
      const page = await engine.listResources(externalId, kind, cursor)
      all.push(...page.items)
      cursor = page.next
    }
  }
  return all
}

/** Syncs a located panel, and stores the result unless it is outdated. */
export async function syncFound(
  { pool, clock }: { readonly pool: Pool; readonly clock: Clock },
  found: Found,
): Promise<void> {
  const { externalId } = found.ref
  if (externalId === null) return
  const at = clock.now()
  const panel = await found.engine.readPanel(externalId)
  const resources = panel.status === 'deleted' ? [] : await readAll(found, externalId)
  await pool.kysely.transaction().execute((tx) => record(tx, found.panel.id, at, { panel, resources }))
}

async function record(tx: Database, panelId: number, at: Date, reading: Reading): Promise<void> {
  const panel = await tx
    .selectFrom('panels')
    .select(['status', 'synced_at', 'suspended_at', 'suspension_due'])
    .where('id', '=', panelId)
    .forUpdate()
    .executeTakeFirst()
  // A result that is older than a newer report, or than the panel's deletion, is dropped.
  if (!panel || panel.status === 'deleting' || panel.status === 'deleted') return
  if (panel.synced_at !== null && Date.parse(panel.synced_at) > at.getTime()) return
  await upsert(tx, panelId, at, reading.resources)
  await noteEngineStatus(tx, panelId, { ...reading.panel, at: at.toISOString() })
  await readPlan(tx, panelId, { plan: reading.panel.plan, at })
  await tx.updateTable('panels').set({ synced_at: at.toISOString() }).where('id', '=', panelId).execute()
  await updatePanelStatuses(tx, [panelId])
  const forgotten = panel.suspended_at !== null && reading.panel.status !== 'suspended'
  // The suspension was not received, or was forgotten: it is requested again.
  if (panel.suspension_due || forgotten) await requestStop(tx, panelId)
}

async function upsert(
  tx: Database,
  panelId: number,
  at: Date,
  resources: readonly EngineResource[],
): Promise<void> {
  const now = at.toISOString()
  const reported = sql`jsonb_to_recordset(${JSON.stringify(resources)}::jsonb)
    as reported (kind text, "externalId" text, name text, status text, region text, spec jsonb, reasons jsonb)`
  // An event may have reported something newer during the sync; that stays.
  await sql`insert into panel_resources (panel_id, kind, external_id, name, status, region, spec, reasons, last_seen_at)
    select distinct on (kind, "externalId") ${panelId}::int8, kind, "externalId", name, status, region, spec,
      coalesce(reasons, '[]'), ${now}::timestamptz from ${reported}
    on conflict (panel_id, kind, external_id) do update set name = excluded.name, status = excluded.status,
      region = excluded.region, spec = excluded.spec, reasons = excluded.reasons, last_seen_at = excluded.last_seen_at, gone_at = null
    where panel_resources.last_seen_at <= excluded.last_seen_at
      and (panel_resources.gone_at is null or panel_resources.gone_at <= excluded.last_seen_at)`.execute(tx)
  await sql`update panel_resources set gone_at = ${now}
    where panel_id = ${panelId} and gone_at is null and last_seen_at <= ${now}
      and (kind, external_id) not in (select kind, "externalId" from ${reported})`.execute(tx)
}

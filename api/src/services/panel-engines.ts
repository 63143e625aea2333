import { sql } from 'kysely'
import type { Clock } from '../adapters/clock.ts'
import type { EngineResource, PanelEngine, PanelRef } from '../adapters/panel-engine.ts'
import type { RowOf } from '../db/context.ts'
import type { Database, Pool } from '../db/pool.ts'

/** What a verb needs that speaks with an engine. It opens its own short transactions, never around a call outside. */
export type Outside = { readonly pool: Pool; readonly clock: Clock; readonly engines: Engines }

/** The engines there are, by the `kind` of their row. */
export type Engines = Readonly<Record<string, PanelEngine>>

/** Whether the job that asks will try again when this fails. */
export type Try = { readonly last: boolean }

type Found = { readonly panel: RowOf<'panels'>; readonly engine: PanelEngine; readonly ref: PanelRef }

async function find({ pool, engines }: Outside, panelId: number): Promise<Found | undefined> {
  const row = await pool.kysely
    .selectFrom('panels')
    .innerJoin('panel_engines', 'panel_engines.id', 'panels.panel_engine_id')
    .selectAll('panels')
    .select('panel_engines.kind as engine_kind')
    .where('panels.id', '=', panelId)
    .where('panels.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const engine = engines[row.engine_kind]
  if (!engine) throw new Error(`No adapter speaks to engines of the kind ${row.engine_kind}.`)
  return { panel: row, engine, ref: { panelId: row.id, externalId: row.external_id } }
}

async function showError(
  { pool }: Outside,
  panelId: number,
  meanwhile: 'provisioning' | 'deleting',
): Promise<void> {
  await pool.kysely
    .updateTable('panels')
    .set({ status: 'error' })
    .where('id', '=', panelId)
    .where('status', '=', meanwhile)
    .execute()
}

/** For a failure of the engine: after the last try the panel shows it. It goes on to the log either way. */
const shownAtLast =
  ({ last }: Try, show: () => Promise<void>) =>
  async (error: unknown): Promise<never> => {
    if (last) await show()
    throw error
  }

/** Makes a new panel at its engine and reads what came with it. Asking again changes nothing. */
export async function provisionPanel(outside: Outside, panelId: number, attempt: Try): Promise<void> {
  const found = await find(outside, panelId)
  if (found?.panel.status !== 'provisioning') return
  const { panel, engine } = found
  const show = () => showError(outside, panelId, 'provisioning')
  const made = await engine
    .createPanel({ panelId, name: panel.name, plan: panel.plan_code })
    .catch(shownAtLast(attempt, show))
  if (made.refused) {
    await show()
    throw new Error(`The engine refuses panel ${panelId}: ${made.reason}`)
  }
  await outside.pool.kysely
    .updateTable('panels')
    .set({
      external_id: made.externalId,
      region: made.region,
      // It may have been deleted while the engine was at work; the deletion needs the id.
      status: sql<string>`case status when 'provisioning' then 'active' else status end`,
    })
    .where('id', '=', panelId)
    .execute()
  await syncPanel(outside, panelId)
}

/** Tells the engine the panel's present name, so that renames in any order end with the last one. */
export async function renamePanel(outside: Outside, panelId: number): Promise<void> {
  const found = await find(outside, panelId)
  if (!found || found.panel.external_id === null || found.panel.status === 'deleting') return
  await found.engine.updatePanel(found.ref, { name: found.panel.name })
}

/** Has the engine delete a panel; when it has confirmed, the panel and what it held are gone here too. */
export async function deletePanel(outside: Outside, panelId: number, attempt: Try): Promise<void> {
  const found = await find(outside, panelId)
  if (found?.panel.status !== 'deleting') return
  await found.engine
    .deletePanel(found.ref)
    .catch(shownAtLast(attempt, () => showError(outside, panelId, 'deleting')))
  const gone = outside.clock.now().toISOString()
  await outside.pool.kysely.transaction().execute(async (tx) => {
    await tx
      .updateTable('panels')
      .set({ status: 'deleted', deleted_at: gone })
      .where('id', '=', panelId)
      .execute()
    await tx
      .updateTable('panel_resources')
      .set({ gone_at: gone })
      .where('panel_id', '=', panelId)
      .where('gone_at', 'is', null)
      .execute()
  })
}

async function readAll(engine: PanelEngine, externalId: string): Promise<EngineResource[]> {
  const all: EngineResource[] = []
  for (const kind of engine.capabilities.kinds) {
    let cursor: string | undefined
    do {
      const page = await engine.listResources(externalId, kind, cursor)
      all.push(...page.items)
      cursor = page.next
    } while (cursor !== undefined)
  }
  return all
}

/** Reads a panel from its engine and writes down what is there, how it does, and what is gone. */
export async function syncPanel(outside: Outside, panelId: number): Promise<void> {
  const found = await find(outside, panelId)
  if (!found || found.panel.external_id === null) return
  const at = outside.clock.now()
  const resources = await readAll(found.engine, found.panel.external_id)
  await outside.pool.kysely.transaction().execute((tx) => record(tx, panelId, at, resources))
}

const worrying = new Set(['degraded', 'error'])

async function record(
  tx: Database,
  panelId: number,
  at: Date,
  resources: readonly EngineResource[],
): Promise<void> {
  const panel = await tx
    .selectFrom('panels')
    .select(['status', 'synced_at'])
    .where('id', '=', panelId)
    .forUpdate()
    .executeTakeFirst()
  // An answer that was overtaken by a newer one, or by the panel's deletion, is dropped.
  if (!panel || !['active', 'degraded', 'suspended'].includes(panel.status)) return
  if (panel.synced_at !== null && Date.parse(panel.synced_at) > at.getTime()) return
  await upsert(tx, panelId, at, resources)
  const ill = resources.some(({ kind, status }) => kind !== 'domain' && worrying.has(status))
  await tx
    .updateTable('panels')
    .set({
      synced_at: at.toISOString(),
      ...(panel.status !== 'suspended' && { status: ill ? 'degraded' : 'active' }),
    })
    .where('id', '=', panelId)
    .execute()
}

async function upsert(
  tx: Database,
  panelId: number,
  at: Date,
  resources: readonly EngineResource[],
): Promise<void> {
  const reported = sql`jsonb_to_recordset(${JSON.stringify(resources)}::jsonb)
    as reported (kind text, "externalId" text, name text, status text, region text, spec jsonb)`
  await sql`insert into panel_resources (panel_id, kind, external_id, name, status, region, spec, last_seen_at)
    select ${panelId}, kind, "externalId", name, status, region, spec, ${at.toISOString()} from ${reported}
    on conflict (panel_id, kind, external_id) do update set name = excluded.name, status = excluded.status,
      region = excluded.region, spec = excluded.spec, last_seen_at = excluded.last_seen_at, gone_at = null`.execute(
    tx,
  )
  await sql`update panel_resources set gone_at = ${at.toISOString()}
    where panel_id = ${panelId} and gone_at is null
      and (kind, external_id) not in (select kind, "externalId" from ${reported})`.execute(tx)
}

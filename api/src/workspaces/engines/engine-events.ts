import {
  type EngineEvent,
  type EngineReceipt,
  engineEvent,
  firstEvent,
} from '@portico/contract/engine/events.ts'
import type { WireResource } from '@portico/contract/engine/wire.ts'
import { faultInWords } from '@portico/contract/refusals/fields.ts'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { noteEngineStatus, panelGone, updatePanelStatuses } from '#workspaces/panel-state.ts'
import { readPlan } from '#workspaces/plans/plan-outcome.ts'
import { answeredOnce, type SignedMessage } from './engine-messages.ts'

/** A signed message of an engine with its events. */
export type EngineMessage = SignedMessage & {
  /** Whether the engine speaks contract 1.1 or later. */
  readonly later: boolean
  readonly events: readonly unknown[]
}

type Fault = EngineReceipt['errors'][number]
type Panel = Pick<RowOf<'panels'>, 'id' | 'external_id' | 'status' | 'engine_status_at'>
type StatusEvent = Extract<EngineEvent, { type: 'panel.status' }>

/** The tolerated lead of an engine's clock, in milliseconds. */
const aheadMs = 300_000

/** The times of known facts by subject, in milliseconds. */
type Known = Map<string, number>

/** Records a fact unless a newer one is known about the same subject. */
function isNews(known: Known, about: string, at: string): boolean {
  const time = Date.parse(at)
  if (time < (known.get(about) ?? Number.NEGATIVE_INFINITY)) return false
  known.set(about, time)
  return true
}

type Checked = { readonly good: Map<number, EngineEvent>; readonly faults: Fault[] }

/** Validates each event by the contract that its engine speaks. */
function checked({ events, later }: Pick<EngineMessage, 'events' | 'later'>, now: Date): Checked {
  const good = new Map<number, EngineEvent>()
  const faults: Fault[] = []
  for (const [index, event] of events.entries()) {
    const result = z.safeParse<z.ZodMiniType<EngineEvent>>(later ? engineEvent : firstEvent, event)
    if (!result.success) {
      const [issue] = result.error.issues
      const place = issue?.path.map(String).join('.') || 'the event'
      faults.push({ index, code: 'invalid', detail: `${place}: ${faultInWords(issue?.message ?? '', 'en')}` })
    } else if (Date.parse(result.data.occurred_at) > now.getTime() + aheadMs)
      faults.push({ index, code: 'too_new', detail: 'occurred_at is in the future.' })
    else good.set(index, result.data)
  }
  return { good, faults }
}

/** The panels of this engine in the events, locked; panels of other engines are ignored. */
async function panelsOf(
  tx: Database,
  engineId: number,
  events: Iterable<EngineEvent>,
): Promise<Map<string, Panel>> {
  const named = [...new Set([...events].map(({ panel }) => panel))]
  const rows = await tx
    .selectFrom('panels')
    .select(['id', 'external_id', 'status', 'engine_status_at'])
    .where('panel_engine_id', '=', engineId)
    .where('external_id', 'in', named.length > 0 ? named : [''])
    // One lock order, so that two messages never deadlock.
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.external_id ?? '', row]))
}

const keyOf = (panelId: number, kind: string, id: string) => `${panelId} ${kind} ${id}`

/**
 * The times of the last facts about resources of these panels. The panels are locked, so that nothing else
 * writes them meanwhile.
 */
async function knownTimes(tx: Database, panels: Iterable<Panel>): Promise<Known> {
  const all = [...panels]
  const rows = await tx
    .selectFrom('panel_resources')
    .select(['panel_id', 'kind', 'external_id', 'last_seen_at', 'gone_at'])
    .where('panel_id', '=', sql<number>`any(${all.map(({ id }) => id)}::int8[])`)
    .execute()
  const known: Known = new Map()
  for (const { id, engine_status_at } of all)
    if (engine_status_at !== null) known.set(String(id), Date.parse(engine_status_at))
  for (const row of rows) {
    const times = [row.last_seen_at, row.gone_at].flatMap((at) => (at === null ? [] : Date.parse(at)))
    known.set(keyOf(row.panel_id, row.kind, row.external_id), Math.max(...times))
  }
  return known
}

type ResourceFact = {
  readonly panel_id: number
  readonly kind: string
  readonly external_id: string
  readonly at: string
  /** Null: deleted. */
  readonly resource: WireResource | null
}

/** The accepted events, reduced to the latest fact about each subject. */
class Facts {
  accepted = 0
  outdated = 0
  readonly statuses = new Map<number, StatusEvent>()
  readonly resources = new Map<string, ResourceFact>()
  readonly #known: Known

  constructor(known: Known) {
    this.#known = known
  }

  take(event: EngineEvent, panel: Panel): void {
    // Ignore events for deleted panels.
    const counts = panel.status !== 'deleted' && this.#note(event, panel.id)
    if (counts) this.accepted += 1
    else this.outdated += 1
  }

  #note(event: EngineEvent, panelId: number): boolean {
    const at = event.occurred_at
    if (event.type === 'panel.status') {
      if (!isNews(this.#known, String(panelId), at)) return false
      this.statuses.set(panelId, event)
      return true
    }
    const removed = event.type === 'resource.removed'
    const kind = removed ? event.kind : event.resource.kind
    const external_id = removed ? event.resource : event.resource.id
    const key = keyOf(panelId, kind, external_id)
    if (!isNews(this.#known, key, at)) return false
    const resource = removed ? null : event.resource
    this.resources.set(key, { panel_id: panelId, kind, external_id, at, resource })
    return true
  }
}

/**
 * Writes the latest fact about each resource. A deletion that arrives before the creation leaves a row marked
 * as deleted.
 */
async function writeResources(tx: Database, facts: Iterable<ResourceFact>): Promise<void> {
  const rows = [...facts].map(({ resource, ...about }) => ({
    ...about,
    name: resource?.name ?? about.external_id,
    status: resource?.status ?? 'stopped',
    region: resource?.region ?? null,
    spec: resource?.spec ?? {},
    reasons: resource?.reasons ?? [],
    gone: resource === null,
  }))
  if (rows.length === 0) return
  await sql`insert into panel_resources as r
      (panel_id, kind, external_id, name, status, region, spec, reasons, last_seen_at, gone_at)
    select panel_id, kind, external_id, name, status, region, spec, reasons, at, case when gone then at end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as f (panel_id int8, kind text, external_id text,
      name text, status text, region text, spec jsonb, reasons jsonb, at timestamptz, gone boolean)
    on conflict (panel_id, kind, external_id) do update set last_seen_at = excluded.last_seen_at,
      gone_at = excluded.gone_at, reasons = excluded.reasons,
      name = case when excluded.gone_at is null then excluded.name else r.name end,
      status = case when excluded.gone_at is null then excluded.status else r.status end,
      region = case when excluded.gone_at is null then excluded.region else r.region end,
      spec = case when excluded.gone_at is null then excluded.spec else r.spec end`.execute(tx)
}

async function apply(tx: Database, panels: ReadonlyMap<string, Panel>, facts: Facts): Promise<void> {
  await writeResources(tx, facts.resources.values())
  for (const panel of panels.values()) {
    const event = facts.statuses.get(panel.id)
    if (!event) continue
    const { status, region, reasons = [], progress, login_url: loginUrl, plan, occurred_at: at } = event
    await noteEngineStatus(tx, panel.id, { status, region, reasons, progress, loginUrl, at })
    if (plan !== undefined) await readPlan(tx, panel.id, { plan, at: new Date(at) })
    if (status === 'deleted' && panel.status === 'deleting') await panelGone(tx, panel.id, at)
  }
  await updatePanelStatuses(
    tx,
    [...panels.values()].map(({ id }) => id),
  )
}

async function take(tx: Database, message: EngineMessage, now: Date): Promise<EngineReceipt> {
  const { good, faults } = checked(message, now)
  const panels = await panelsOf(tx, message.engineId, good.values())
  const facts = new Facts(await knownTimes(tx, panels.values()))
  for (const [index, event] of good) {
    const panel = panels.get(event.panel)
    if (panel) facts.take(event, panel)
    else faults.push({ index, code: 'unknown_panel', detail: `Panel ${event.panel} does not exist.` })
  }
  await apply(tx, panels, facts)
  const { accepted, outdated } = facts
  return { accepted, outdated, errors: faults.sort((a, b) => a.index - b.index) }
}

/**
 * Processes a message of an engine, once. Returns the receipt as JSON. Throws `webhook_id_reused` when
 * another message has the same id.
 */
export const receive = (db: Database, message: EngineMessage, now: Date): Promise<string> =>
  answeredOnce(db, message, now, (tx) => take(tx, message, now))

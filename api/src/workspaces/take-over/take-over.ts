import type { ListedPanel } from '@portico/contract/engine/panel-calls.ts'
import type { EngineActor } from '@portico/contract/engine/wire.ts'
import { sql } from 'kysely'
import { noteAct } from '#notifications/account-log.ts'
import type { Database } from '#platform/db/pool.ts'
import { listPanels } from '#sharing/client-panels.ts'
import type { EngineAccess, PanelEngine } from '#workspaces/engines/panel-engine.ts'
import { staffSubjectOf, subjectOf } from '#workspaces/engines/subjects.ts'
import { requestReading } from '#workspaces/panel-requests.ts'
import { noteEngineStatus, panelGone, updatePanelStatuses } from '#workspaces/panel-state.ts'
import type { Proposal } from './proposals.ts'

/** What a transaction does, as the log of staff has it where the caller does not say it. */
export type Act = { readonly verb: string; readonly ref: string }

/** An engine whose accounts are linked, and the member of staff (admins.id) in whose name it is. */
export type At = {
  /** Runs one transaction that is in the log of staff. */
  readonly within: <T>(act: Act, work: (tx: Database) => Promise<T>) => Promise<T>
  readonly now: () => Date
  readonly access: EngineAccess
  readonly engine: PanelEngine
  readonly admin: number
}
type Kept = {
  readonly id: number
  readonly panel_id: number
  readonly client_id: number
  readonly name: string
}

const actorOf = ({ admin }: At): EngineActor => ({ subject: staffSubjectOf(admin), kind: 'staff' })

/** A name that the workspace does not have yet. */
async function freeName(tx: Database, project: number, wished: string): Promise<string> {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wished.slice(0, 60) : `${wished.slice(0, 54)} (${n})`
    const taken = await tx
      .selectFrom('panels')
      .select('id')
      .where('project_id', '=', project)
      .where(sql<string>`lower(name)`, '=', name.toLowerCase())
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!taken) return name
  }
}

/** The plan of ours that an engine calls so, if there is exactly one. */
export async function planOf(tx: Database, engineId: number, plan: string | null): Promise<number | null> {
  if (plan === null) return null
  const rows = await tx
    .selectFrom('plan_engines')
    .select('plan_id')
    .where('panel_engine_id', '=', engineId)
    .where('engine_plan', '=', plan)
    .execute()
  return rows.length === 1 ? (rows[0]?.plan_id ?? null) : null
}

/** Makes the row of a panel without asking its engine to make one: until it is adopted, the row has no engine's id. */
async function makeRow(tx: Database, { access }: At, account: ListedPanel, client: number) {
  const project = await tx
    .selectFrom('projects')
    .innerJoin('clients', 'clients.id', 'projects.client_id')
    .select('projects.id')
    .where('clients.id', '=', client)
    .where('projects.archived_at', 'is', null)
    .orderBy(sql`projects.id = clients.current_project_id`, 'desc')
    .orderBy('projects.id')
    .executeTakeFirst()
  if (!project) throw new Error(`Client ${client} has no workspace.`)
  return tx
    .insertInto('panels')
    .values({
      client_id: client,
      project_id: project.id,
      panel_engine_id: access.id,
      name: await freeName(tx, project.id, account.name),
      plan_code: account.plan,
      plan_id: await planOf(tx, access.id, account.plan),
      domain: account.domain ?? null,
      region: account.region,
    })
    .returning(['id as panel_id', 'client_id', 'project_id', 'name'])
    .executeTakeFirstOrThrow()
}

type Begun = Kept & { readonly owner: { displayName: string; email: string } }

async function ownerOf(tx: Database, client: number): Promise<Begun['owner']> {
  const person = await tx
    .selectFrom('clients')
    .select(['first_name', 'last_name', 'email'])
    .where('id', '=', client)
    .executeTakeFirstOrThrow()
  return { displayName: `${person.first_name} ${person.last_name}`.trim(), email: person.email }
}

/**
 * The row of an account that was asked about before, or a new one for a client; the outcome when another call has ended it
 * meanwhile.
 */
function begin(
  at: At,
  account: ListedPanel,
  client: number | undefined,
): Promise<Begun | 'adopted' | 'refused'> {
  const { within, access } = at
  return within({ verb: 'adopt', ref: account.id }, async (tx) => {
    // Two administrators at once would begin twice.
    await tx.selectFrom('panel_engines').select('id').where('id', '=', access.id).forNoKeyUpdate().execute()
    const known = await tx
      .selectFrom('panel_takeovers as t')
      .innerJoin('panels as p', 'p.id', 't.panel_id')
      .select(['t.id', 't.panel_id', 't.state', 'p.client_id', 'p.name'])
      .where('t.panel_engine_id', '=', access.id)
      .where('t.external_id', '=', account.id)
      .where('t.state', 'in', ['asked', 'adopted'])
      .executeTakeFirst()
    if (known?.state === 'adopted') return 'adopted'
    if (known) return { ...known, owner: await ownerOf(tx, known.client_id) }
    if (client === undefined) return 'refused'
    const row = await makeRow(tx, at, account, client)
    const { id } = await tx
      .insertInto('panel_takeovers')
      .values({
        panel_engine_id: access.id,
        external_id: account.id,
        panel_id: row.panel_id,
        asked_at: at.now().toISOString(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { ...row, id, owner: await ownerOf(tx, client) }
  })
}

/** Whether this call ended it: another may have, that asked at the same time. */
async function ended(
  tx: Database,
  id: number,
  state: 'adopted' | 'refused' | 'released',
  at: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('panel_takeovers')
    .set({ state, ended_at: at })
    .where('id', '=', id)
    .where('state', 'in', state === 'released' ? ['asked', 'adopted'] : ['asked'])
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Links the row of a panel to its account, once the engine has. */
async function adopted(at: At, kept: Kept, account: ListedPanel): Promise<void> {
  const { panel_id, client_id, name } = kept
  const now = at.now()
  await at.within({ verb: 'adopted', ref: String(panel_id) }, async (tx) => {
    if (!(await ended(tx, kept.id, 'adopted', null))) return
    await tx.updateTable('panels').set({ external_id: account.id }).where('id', '=', panel_id).execute()
    await noteEngineStatus(tx, panel_id, { status: account.status, at: now.toISOString() })
    await updatePanelStatuses(tx, [panel_id])
    await listPanels(tx, { panelId: panel_id })
    await noteAct({ tx, now }, { kind: 'panel-added', owner: client_id, about: name, panel: panel_id })
    await requestReading(tx, panel_id)
  })
}

/** Forgets a row, and leaves the account at the engine as it is. */
async function forget({ within, now }: At, kept: Kept, state: 'refused' | 'released'): Promise<void> {
  const at = now().toISOString()
  const { panel_id } = kept
  await within({ verb: state, ref: String(panel_id) }, async (tx) => {
    if (!(await ended(tx, kept.id, state, at))) return
    await panelGone(tx, panel_id, at)
    // The account can be taken over again.
    await tx.updateTable('panels').set({ external_id: null }).where('id', '=', panel_id).execute()
    await listPanels(tx, { panelId: panel_id })
  })
}

/** The outcome for an account. `unclear`: the engine gave no answer, and is asked again by the next run. */
export type Outcome = 'adopted' | 'refused' | 'unclear'

/** Links an account; without a client only where it was asked for before. */
async function adopt(at: At, account: ListedPanel, client?: number): Promise<Outcome> {
  const kept = await begin(at, account, client)
  if (kept === 'adopted' || kept === 'refused') return kept
  const owner = { subject: subjectOf(kept.client_id), ...kept.owner }
  const ask = { panelId: kept.panel_id, name: kept.name, owner, actor: actorOf(at) }
  const linked = await at.engine.adoptPanel?.(account.id, ask).catch(() => undefined)
  if (linked === undefined) return 'unclear'
  if (linked) await adopted(at, kept, account)
  else await forget(at, kept, 'refused')
  return linked ? 'adopted' : 'refused'
}

/** Accounts whose adoption got no answer: the engine may say by now that they have an owner. */
export async function unclearOf(tx: Database, engineId: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('panel_takeovers')
    .select('external_id')
    .where('panel_engine_id', '=', engineId)
    .where('state', '=', 'asked')
    .execute()
  return rows.map(({ external_id }) => external_id)
}

/** Every account of an engine with this id, also those that have an owner by now. */
async function listedBy(engine: PanelEngine, ids: readonly string[]): Promise<ListedPanel[]> {
  if (ids.length === 0) return []
  const wanted = new Set(ids)
  const found: ListedPanel[] = []
  let cursor: string | undefined
  do {
    const page = await engine.listPanels?.(cursor === undefined ? {} : { cursor })
    found.push(...(page?.items ?? []).filter(({ id }) => wanted.delete(id)))
    cursor = page?.next
  } while (cursor !== undefined && wanted.size > 0)
  return found
}

/**
 * Links accounts to the clients that were proposed, one at a time: nothing is created or restarted, and nobody is written to.
 * An account without an answer is asked for again under the same id. Returns what became of each account.
 */
export async function takeOver(
  at: At,
  proposals: readonly Proposal[],
  unclear: readonly string[],
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  // Its client is the one that it was asked for.
  for (const account of await listedBy(at.engine, unclear)) outcomes.set(account.id, await adopt(at, account))
  for (const { account, match } of proposals)
    if (match && !outcomes.has(account.id)) outcomes.set(account.id, await adopt(at, account, match.client))
  return outcomes
}

/** A panel that was taken over. */
export type Taken = Kept & { readonly external_id: string }

/** The panels that were taken over from an engine, and those that are asked for. */
export function takenFrom(tx: Database, engineId: number): Promise<Taken[]> {
  return tx
    .selectFrom('panel_takeovers as t')
    .innerJoin('panels as p', 'p.id', 't.panel_id')
    .select(['t.id', 't.panel_id', 't.external_id', 'p.client_id', 'p.name'])
    .where('t.panel_engine_id', '=', engineId)
    .where('t.state', 'in', ['asked', 'adopted'])
    .where('p.deleted_at', 'is', null)
    .orderBy('t.id')
    .execute()
}

/**
 * Undoes take-overs of an engine: each account is nobody's again and runs on as it is, and its panel is gone here. Returns the
 * number of accounts, and of those whose engine gave no answer or has another owner for them; these are left as they are.
 */
export async function undoTakeOver(
  at: At,
  taken: readonly Taken[],
): Promise<{ released: number; left: number }> {
  let released = 0
  for (const { external_id, ...kept } of taken) {
    const ask = { panelId: kept.panel_id, actor: actorOf(at) }
    const done = await at.engine.releasePanel?.(external_id, ask).catch(() => undefined)
    if (done !== true) continue
    await forget(at, kept, 'released')
    released += 1
  }
  return { released, left: taken.length - released }
}

import type { EngineActor } from '@portico/contract/engine/wire.ts'
import type { Clock } from '#platform/clock.ts'
import { aliased } from '#platform/db/aliased.ts'
import { columns } from '#platform/db/columns.ts'
import type { Pool } from '#platform/db/pool.ts'
import type { Vault } from '#platform/vault.ts'
import { noteEngineStatus, panelGone, updatePanelStatuses } from '#workspaces/panel-state.ts'
import { type Found, syncFound } from '#workspaces/panel-sync.ts'
import { engineAccess } from './engine-access.ts'
import { type Engines, type PanelEngine, type PanelRef, system } from './panel-engine.ts'
import { staffSubjectOf, subjectOf } from './subjects.ts'

/**
 * The dependencies of a verb that calls an engine. It opens its own short transactions, never around an
 * outside call.
 */
export type Outside = {
  readonly pool: Pool
  readonly clock: Clock
  readonly vault: Vault
  readonly engines: Engines
}

/** Whether this is the job's last attempt. */
export type Try = { readonly last: boolean; readonly actor?: EngineActor | undefined }

/** A panel that is not gone, with the engine that has it. `actor`: for whom it is asked of something. */
export async function findPanel(
  { pool, vault, engines }: Outside,
  panelId: number,
  actor: EngineActor = system,
): Promise<Found | undefined> {
  const row = await pool.kysely
    .selectFrom('panels')
    .innerJoin('clients', 'clients.id', 'panels.client_id')
    .select(aliased('panels', columns.panels))
    .select(['clients.first_name', 'clients.last_name', 'clients.email'])
    .where('panels.id', '=', panelId)
    .where('panels.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const access = await engineAccess({ db: pool.kysely, vault }, { id: row.panel_engine_id })
  if (!access) throw new Error(`The engine of panel ${panelId} is disabled.`)
  const displayName = `${row.first_name} ${row.last_name}`.trim()
  const ref: PanelRef = {
    panelId: row.id,
    externalId: row.external_id,
    name: row.name,
    plan: row.plan_code,
    region: row.region,
    domain: row.domain,
    owner: { subject: subjectOf(row.client_id), displayName, email: row.email },
    actor,
  }
  const engine = engines.open(access)
  engine.remember?.(ref)
  return { panel: row, access, engine, ref }
}

/** Shows the failure on the panel after the last attempt, and rethrows it for the log in any case. */
const shownAtLast =
  ({ pool }: Outside, panelId: number, step: 'provision' | 'delete', last: boolean) =>
  async (error: unknown): Promise<never> => {
    const meanwhile = step === 'provision' ? 'provisioning' : 'deleting'
    if (last)
      await pool.kysely.transaction().execute(async (tx) => {
        await tx
          .updateTable('panels')
          .set({ failed_step: step })
          .where('id', '=', panelId)
          .where('status', '=', meanwhile)
          .execute()
        await updatePanelStatuses(tx, [panelId])
      })
    throw error
  }

/** The engine refuses permanently. */
class Refused extends Error {
  override readonly name = 'Refused'
}

async function createAt(engine: PanelEngine, ref: PanelRef) {
  const made = await engine.createPanel(ref)
  if (made.refused) throw new Refused(`The engine refuses panel ${ref.panelId}: ${made.reason}`)
  return made
}

/** Creates a new panel at its engine and reads its content. Idempotent. */
export async function provisionPanel(outside: Outside, panelId: number, { last, actor }: Try): Promise<void> {
  const found = await findPanel(outside, panelId, actor)
  if (found?.panel.status !== 'provisioning') return
  if (found.panel.external_id === null) {
    const at = outside.clock.now().toISOString()
    const made = await createAt(found.engine, found.ref).catch((error: unknown) => {
      const final = last || error instanceof Refused
      return shownAtLast(outside, panelId, 'provision', final)(error)
    })
    await outside.pool.kysely.transaction().execute(async (tx) => {
      // The panel may have been deleted meanwhile; the deletion needs the engine's id.
      await tx.updateTable('panels').set({ external_id: made.externalId }).where('id', '=', panelId).execute()
      await noteEngineStatus(tx, panelId, { ...made, at })
      await updatePanelStatuses(tx, [panelId])
    })
  }
  await syncPanel(outside, panelId)
}

/** Sends the panel's current name to the engine, so that concurrent renames end with the last one. */
export async function renamePanel(outside: Outside, panelId: number, actor?: EngineActor): Promise<void> {
  const found = await findPanel(outside, panelId, actor)
  if (!found || found.ref.externalId === null || found.panel.status === 'deleting') return
  await found.engine.updatePanel(found.ref.externalId, { name: found.panel.name, actor: found.ref.actor })
}

/** Deletes a panel at its engine; once confirmed, marks the panel and its content as deleted here. */
export async function deletePanel(outside: Outside, panelId: number, { last, actor }: Try): Promise<void> {
  const found = await findPanel(outside, panelId, actor)
  if (found?.panel.status !== 'deleting') return
  const confirm = async () => {
    if (await found.engine.deletePanel(found.ref)) return
    throw new Error(`The engine has not finished to delete panel ${panelId}.`)
  }
  await confirm().catch(shownAtLast(outside, panelId, 'delete', last))
  const at = outside.clock.now().toISOString()
  await outside.pool.kysely.transaction().execute((tx) => panelGone(tx, panelId, at))
}

/** Suspends or resumes a panel at its engine, by the state that is requested now. */
export async function enforceSuspension(outside: Outside, panelId: number): Promise<void> {
  const found = await findPanel(outside, panelId)
  if (!found || found.ref.externalId === null || found.panel.status === 'deleting') return
  const { suspended_at, suspend_reason } = found.panel
  const wished = suspended_at !== null
  if (wished) await found.engine.suspendPanel(found.ref.externalId, suspend_reason ?? 'Suspended')
  else await found.engine.unsuspendPanel(found.ref.externalId)
  const at = outside.clock.now().toISOString()
  await outside.pool.kysely.transaction().execute(async (tx) => {
    await noteEngineStatus(tx, panelId, { status: wished ? 'suspended' : 'active', at })
    await tx
      .updateTable('panels')
      .set({ suspension_due: false })
      .where('id', '=', panelId)
      // The request may have changed meanwhile; its own job follows.
      .where('suspended_at', wished ? 'is not' : 'is', null)
      .execute()
    await updatePanelStatuses(tx, [panelId])
  })
}

async function revokeSubject(outside: Outside, panelId: number, subject: string): Promise<void> {
  const found = await findPanel(outside, panelId)
  if (!found || found.ref.externalId === null) return
  await found.engine.revokeSubject(found.ref.externalId, subject)
}

/** Ends a person's sessions in a panel at the engine, because they may no longer have access. */
export const revokeAccess = (outside: Outside, panelId: number, clientId: number): Promise<void> =>
  revokeSubject(outside, panelId, subjectOf(clientId))

/** Ends a staff member's sessions, because the client's grant has ended. */
export const revokeStaff = (outside: Outside, panelId: number, adminId: number): Promise<void> =>
  revokeSubject(outside, panelId, staffSubjectOf(adminId))

/** Reads a panel from its engine and stores its content, its health, and deletions. */
export async function syncPanel(outside: Outside, panelId: number): Promise<void> {
  const found = await findPanel(outside, panelId)
  if (found) await syncFound(outside, found)
}

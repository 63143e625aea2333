import type { Clock } from '#platform/clock.ts'
import { aliased } from '#platform/db/aliased.ts'
import { columns } from '#platform/db/columns.ts'
import type { Pool } from '#platform/db/pool.ts'
import type { Vault } from '#platform/vault.ts'
import { noteEngineStatus, panelGone, settle } from '#workspaces/panel-state.ts'
import { type Found, syncFound } from '#workspaces/panel-sync.ts'
import { engineAccess } from './engine-access.ts'
import type { Engines, PanelEngine, PanelRef } from './panel-engine.ts'

/** What a verb needs that speaks with an engine. It opens its own short transactions, never around a call outside. */
export type Outside = {
  readonly pool: Pool
  readonly clock: Clock
  readonly vault: Vault
  readonly engines: Engines
}

/** Whether the job that asks will try again when this fails. */
export type Try = { readonly last: boolean }

/** By what name engines know a person. */
export const subjectOf = (clientId: number): string => `client-${clientId}`

/** The same of a member of staff whom a client has let in. */
export const staffSubjectOf = (adminId: number): string => `staff-${adminId}`

async function find({ pool, vault, engines }: Outside, panelId: number): Promise<Found | undefined> {
  const row = await pool.kysely
    .selectFrom('panels')
    .innerJoin('clients', 'clients.id', 'panels.client_id')
    .select(aliased('panels', columns.panels))
    .select(['clients.first_name', 'clients.last_name'])
    .where('panels.id', '=', panelId)
    .where('panels.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const access = await engineAccess({ db: pool.kysely, vault }, { id: row.panel_engine_id })
  if (!access) throw new Error(`The engine of panel ${panelId} is disabled.`)
  const displayName = `${row.first_name} ${row.last_name}`.trim()
  return {
    panel: row,
    access,
    engine: engines.open(access),
    ref: {
      panelId: row.id,
      externalId: row.external_id,
      name: row.name,
      plan: row.plan_code,
      region: row.region,
      owner: { subject: subjectOf(row.client_id), displayName },
    },
  }
}

/** After the last try the panel shows what could not be done. The failure goes on to the log either way. */
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
        await settle(tx, [panelId])
      })
    throw error
  }

/** The engine says no, and would say so again. */
class Refused extends Error {
  override readonly name = 'Refused'
}

async function createAt(engine: PanelEngine, ref: PanelRef) {
  const made = await engine.createPanel(ref)
  if (made.refused) throw new Refused(`The engine refuses panel ${ref.panelId}: ${made.reason}`)
  return made
}

/** Makes a new panel at its engine and reads what came with it. Asking again changes nothing. */
export async function provisionPanel(outside: Outside, panelId: number, { last }: Try): Promise<void> {
  const found = await find(outside, panelId)
  if (found?.panel.status !== 'provisioning') return
  if (found.panel.external_id === null) {
    const at = outside.clock.now().toISOString()
    const made = await createAt(found.engine, found.ref).catch((error: unknown) => {
      const final = last || error instanceof Refused
      return shownAtLast(outside, panelId, 'provision', final)(error)
    })
    await outside.pool.kysely.transaction().execute(async (tx) => {
      // It may have been deleted while the engine was at work; the deletion needs the id.
      await tx.updateTable('panels').set({ external_id: made.externalId }).where('id', '=', panelId).execute()
      await noteEngineStatus(tx, panelId, { ...made, at })
      await settle(tx, [panelId])
    })
  }
  await syncPanel(outside, panelId)
}

/** Tells the engine the panel's present name, so that renames in any order end with the last one. */
export async function renamePanel(outside: Outside, panelId: number): Promise<void> {
  const found = await find(outside, panelId)
  if (!found || found.ref.externalId === null || found.panel.status === 'deleting') return
  await found.engine.updatePanel(found.ref.externalId, { name: found.panel.name })
}

/** Has the engine delete a panel; when it has confirmed, the panel and what it held are gone here too. */
export async function deletePanel(outside: Outside, panelId: number, { last }: Try): Promise<void> {
  const found = await find(outside, panelId)
  if (found?.panel.status !== 'deleting') return
  const confirm = async () => {
    if (await found.engine.deletePanel(found.ref)) return
    throw new Error(`The engine has not finished to delete panel ${panelId}.`)
  }
  await confirm().catch(shownAtLast(outside, panelId, 'delete', last))
  const at = outside.clock.now().toISOString()
  await outside.pool.kysely.transaction().execute((tx) => panelGone(tx, panelId, at))
}

/** Has the engine suspend a panel or let it run again, whichever is wished by now. */
export async function enforceSuspension(outside: Outside, panelId: number): Promise<void> {
  const found = await find(outside, panelId)
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
      // Another wish may have come meanwhile; its own job is on the way.
      .where('suspended_at', wished ? 'is not' : 'is', null)
      .execute()
    await settle(tx, [panelId])
  })
}

async function revokeSubject(outside: Outside, panelId: number, subject: string): Promise<void> {
  const found = await find(outside, panelId)
  if (!found || found.ref.externalId === null) return
  await found.engine.revokeSubject(found.ref.externalId, subject)
}

/** Has the engine end what a person has open in a panel, because they may no longer be in it. */
export const revokeAccess = (outside: Outside, panelId: number, clientId: number): Promise<void> =>
  revokeSubject(outside, panelId, subjectOf(clientId))

/** The same of a member of staff, because what the client allowed is over. */
export const revokeStaff = (outside: Outside, panelId: number, adminId: number): Promise<void> =>
  revokeSubject(outside, panelId, staffSubjectOf(adminId))

/** Reads a panel from its engine and writes down what is there, how it does, and what is gone. */
export async function syncPanel(outside: Outside, panelId: number): Promise<void> {
  const found = await find(outside, panelId)
  if (found) await syncFound(outside, found)
}

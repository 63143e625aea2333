import type { accessScope } from '@portico/contract/resources/tickets.ts'
import { hourMs } from '@portico/contract/time.ts'
import type * as z from 'zod/mini'
import { noteAct } from '#notifications/account-log.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'

type Work = Pick<Context, 'tx' | 'now'>

/** Staff access events in the security log of the client's account. */
type Noted =
  | 'staff-access-granted'
  | 'staff-access-ended'
  | 'staff-connected'
  | 'staff-view-granted'
  | 'staff-view-ended'

/** What the owner allows: to open the ticket's panel, or to see the account as they do (`identity/views`). */
type Scope = z.output<typeof accessScope>

type Access = { readonly ticket_id: number; readonly admin_id: number }

/**
 * Records a staff access event in the owner's security log, with the staff member and the panel; `ip` is the
 * owner's address.
 */
async function note(
  { tx, now }: Work,
  kind: Noted,
  { ticket_id, admin_id }: Access,
  ip: string | null = null,
): Promise<void> {
  const found = await tx
    .selectFrom('tickets as t')
    .leftJoin('panels as p', 'p.id', 't.panel_id')
    .innerJoin('admins as a', (join) => join.on('a.id', '=', admin_id))
    .select(['t.client_id', 'p.name', 'a.display_name'])
    .where('t.id', '=', ticket_id)
    .executeTakeFirst()
  if (found === undefined) return
  const ofAccount = kind === 'staff-view-granted' || kind === 'staff-view-ended'
  const about = ofAccount ? found.display_name : `${found.display_name} · ${found.name}`
  await noteAct({ tx, now, ip }, { kind, owner: found.client_id, about })
}

/** Asks the engine to end a staff member's sessions in the panel of a ticket. */
async function sendOut(tx: Database, { ticket_id, admin_id: adminId }: Access): Promise<void> {
  const { panel_id: panelId } = await tx
    .selectFrom('tickets')
    .select('panel_id')
    .where('id', '=', ticket_id)
    .executeTakeFirstOrThrow()
  if (panelId === null) return
  await enqueue(
    tx,
    'panel.revoke-staff',
    { panelId, adminId },
    { key: `panel.revoke:${panelId}:s${adminId}` },
  )
}

/**
 * Ends active staff access through tickets and its panel sessions, at once: all of it, or that of one scope, or what has expired.
 * Idempotent.
 */
export async function endStaffAccess(
  work: Work,
  tickets: readonly number[],
  only?: Scope | 'expired',
): Promise<void> {
  if (tickets.length === 0) return
  const ended = await work.tx
    .updateTable('staff_accesses')
    .set({ ended_at: work.now.toISOString() })
    .where('ticket_id', 'in', tickets)
    .where('ended_at', 'is', null)
    .$if(only === 'expired', (query) => query.where('until', '<=', work.now.toISOString()))
    .$if(only !== undefined && only !== 'expired', (query) => query.where('scope', '=', only ?? ''))
    .returning(['ticket_id', 'admin_id', 'scope'])
    .execute()
  for (const access of ended) {
    const ofPanel = access.scope === 'panel'
    if (ofPanel) await sendOut(work.tx, access)
    await note(work, ofPanel ? 'staff-access-ended' : 'staff-view-ended', access)
  }
}

/**
 * The staff member assigned to the ticket, locked until the transaction ends; closing and reassigning take
 * the same lock.
 */
async function assignedTo(tx: Database, id: number, scope: Scope): Promise<number> {
  const ticket = await tx
    .selectFrom('tickets')
    .select(['assigned_admin_id', 'panel_id', 'closed_at'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (ticket.closed_at !== null) throw refuse('ticket_closed')
  if (scope === 'panel' && ticket.panel_id === null) throw refuse('ticket_without_panel')
  if (ticket.assigned_admin_id === null) throw refuse('ticket_unanswered')
  return ticket.assigned_admin_id
}

/**
 * Grants the assigned staff member access to the ticket's panel for some hours, or to see the account, replacing an earlier
 * grant of the scope. Throws `ticket_without_panel`, `ticket_unanswered`, or `ticket_closed`.
 */
export async function grantStaffAccess(
  { tx, actor, ip, now }: Pick<Context, 'tx' | 'actor' | 'ip' | 'now'>,
  { id }: RowOf<'tickets'>,
  { hours, scope = 'panel' }: { readonly hours: number; readonly scope?: Scope | undefined },
): Promise<{ until: string }> {
  const admin_id = await assignedTo(tx, id, scope)
  await tx
    .updateTable('staff_accesses')
    .set({ ended_at: now.toISOString() })
    .where('ticket_id', '=', id)
    .where('scope', '=', scope)
    .where('ended_at', 'is', null)
    .execute()
  const until = new Date(now.getTime() + hours * hourMs).toISOString()
  await tx
    .insertInto('staff_accesses')
    .values({
      ticket_id: id,
      scope,
      admin_id,
      granted_by_client_id: actor.id,
      granted_at: now.toISOString(),
      until,
    })
    .execute()
  const kind = scope === 'panel' ? 'staff-access-granted' : 'staff-view-granted'
  await note({ tx, now }, kind, { ticket_id: id, admin_id }, ip)
  return { until }
}

/** Revokes the access at once, of one scope or of both. Idempotent. */
export async function revokeStaffAccess(
  work: Work,
  { id }: RowOf<'tickets'>,
  scope?: Scope,
): Promise<{ until: null }> {
  await work.tx.selectFrom('tickets').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  await endStaffAccess(work, [id], scope)
  return { until: null }
}

/** The grant by which a staff member may enter a panel now. Throws `panel_access_not_granted` without one. */
export async function accessOfStaff(
  { tx, now }: Work,
  { admin, panel }: { readonly admin: number; readonly panel: number },
): Promise<{ id: number; ticket_id: number }> {
  const found = await tx
    .selectFrom('open_staff_accesses')
    .select(['id', 'ticket_id'])
    .where('admin_id', '=', admin)
    .where('panel_id', '=', panel)
    .where('until', '>', now.toISOString())
    .orderBy('until', 'desc')
    .executeTakeFirst()
  // View columns are typed as nullable; these two come from keys.
  const { id, ticket_id } = found ?? {}
  if (id == null || ticket_id == null) throw refuse('panel_access_not_granted')
  return { id, ticket_id }
}

/** Records that a staff member received a panel link, for the client's security log. */
export const noteConnected = (work: Work, access: Access): Promise<void> =>
  note(work, 'staff-connected', access)

const atOnce = 100

/** Ends the panel sessions of staff whose access has expired; expired access grants nothing already. */
export function endOverdueAccess(db: Database, now: Date): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const due = await tx
      .selectFrom('staff_accesses')
      .select('ticket_id')
      .where('ended_at', 'is', null)
      .where('until', '<=', now.toISOString())
      .orderBy('until')
      .limit(atOnce)
      .forUpdate()
      .skipLocked()
      .execute()
    await endStaffAccess(
      { tx, now },
      due.map(({ ticket_id }) => ticket_id),
      'expired',
    )
  })
}

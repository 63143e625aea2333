import { createHash, randomBytes } from 'node:crypto'
import { viewMinutes } from '@portico/contract/rules/view-minutes.ts'
import { minuteMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import { viewMark } from '#identity/sessions/bearer.ts'
import { noteAct } from '#notifications/account-log.ts'
import type { Context, Staff } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { mayAct } from '#reference/client-status.ts'
import { staffAnswers } from '#staff/ticket-visibility.ts'

/** The stored and looked-up hash of a token. */
export const hashOfView = (token: string): Buffer => createHash('sha256').update(token).digest()

type Parties = { readonly client: number; readonly staff: Staff }

/** The consent of a client that a member of staff has now; null: none is needed. Throws `view_not_granted`. */
async function basisOf(tx: Database, { client, staff }: Parties): Promise<number | null> {
  const role = sql<string>`${staff.role}::text`
  const { rows } = await sql<{ id: number | null; allowed: boolean }>`
    select (select o.id from open_view_consents o join tickets t on t.id = o.ticket_id
        where o.client_id = ${client} and o.admin_id = ${staff.id} and ${staffAnswers('t', { id: sql`${staff.id}`, role })}
        order by o.until desc limit 1) as id,
      ${role} = 'admin' and exists (select from access_policies where views_without_consent) as allowed`.execute(
    tx,
  )
  const [{ id, allowed } = { id: null, allowed: false }] = rows
  if (id === null && !allowed) throw refuse('view_not_granted')
  return id
}

/** Throws `client_not_active` or `client_email_unconfirmed` where the owner could not sign in either. */
async function assertMaySignIn(tx: Database, client: number): Promise<void> {
  const found = await tx
    .selectFrom('clients as c')
    .innerJoin('auth_accounts as a', 'a.id', 'c.auth_id')
    .select('a.verified_at')
    .where('c.id', '=', client)
    .where('c.status', 'in', mayAct)
    .where('a.disabled_at', 'is', null)
    .forNoKeyUpdate('c')
    .executeTakeFirst()
  if (found === undefined) throw refuse('client_not_active')
  if (found.verified_at === null) throw refuse('client_email_unconfirmed')
}

/** Ends the view that a member of staff has of an account. Returns how many there were: one or none. */
export async function endView(
  { tx, now }: Pick<Context, 'tx' | 'now'>,
  { client, staff }: Parties,
): Promise<number> {
  const ended = await tx
    .updateTable('client_views')
    .set({ ended_at: now.toISOString() })
    .where('client_id', '=', client)
    .where('admin_id', '=', staff.id)
    .where('ended_at', 'is', null)
    .returning('until')
    .execute()
  return ended.filter(({ until }) => Date.parse(until) > now.getTime()).length
}

/** A view that was opened; its token is stored nowhere. */
export type OpenedView = {
  readonly token: string
  readonly until: string
  readonly by: string
  /** Whether the owner allowed it. */
  readonly byConsent: boolean
}

/**
 * Opens an account to a member of staff as its owner sees it, in place of a view of theirs that still runs, and records it in
 * the owner's security log. Throws `client_not_active`, `client_email_unconfirmed`, `view_not_granted`.
 */
export async function openView(
  context: Pick<Context, 'tx' | 'now'> & { readonly sessionId: string },
  parties: Parties & { readonly reason: string },
): Promise<OpenedView> {
  const { tx, now, sessionId } = context
  const { client, staff, reason } = parties
  await assertMaySignIn(tx, client)
  const consent = await basisOf(tx, parties)
  await endView(context, parties)
  const token = `${viewMark}${randomBytes(32).toString('base64url')}`
  const until = new Date(now.getTime() + viewMinutes * minuteMs).toISOString()
  await tx
    .insertInto('client_views')
    .values({
      token_hash: hashOfView(token),
      client_id: client,
      admin_id: staff.id,
      session_id: sessionId,
      staff_access_id: consent,
      opened_at: now.toISOString(),
      until,
    })
    .execute()
  const { display_name: by } = await tx
    .selectFrom('admins')
    .select('display_name')
    .where('id', '=', staff.id)
    .executeTakeFirstOrThrow()
  await noteAct({ tx, now }, { kind: 'staff-viewed', owner: client, about: by, details: { reason } })
  return { token, until, by, byConsent: consent !== null }
}

import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'

/** A notification of a client: its target, and the parameters of its sentence. */
export type Notification =
  | {
      readonly kind: 'invoice_issued'
      readonly about: number
      readonly params: {
        readonly what: 'fiscal' | 'credit_note' | 'statement'
        readonly number: string
        readonly total: string
      }
    }
  | { readonly kind: 'payment_failed'; readonly about: number; readonly params: { amount: string } }
  | {
      readonly kind: 'ticket_answered' | 'ticket_due' | 'ticket_overdue' | 'ticket_opened' | 'ticket_replied'
      readonly about: number
      readonly params: { subject: string }
    }
  | { readonly kind: 'invitation_accepted'; readonly about: number; readonly params: { name: string } }
  | { readonly kind: 'panel_degraded'; readonly about: number; readonly params: { panel: string } }
  | {
      readonly kind: 'plan_changed' | 'plan_not_changed'
      readonly about: number
      readonly params: { panel: string; plan: string }
    }
  | {
      readonly kind: 'staff_alert'
      readonly about: number
      readonly params: { topic: string; about: string }
    }
  | {
      readonly kind: 'staff_request'
      readonly about: number
      readonly params: { verb: string; about: string; by: string }
    }
  | {
      readonly kind: 'staff_request_decided'
      readonly about: number
      readonly params: { verb: string; about: string; state: string }
    }
  | {
      readonly kind: 'staff_settings'
      readonly about: number
      readonly params: { by: string; about: string; state: string }
    }
  | {
      readonly kind: 'balance_low' | 'balance_negative' | 'account_suspended'
      readonly about: null
      readonly params: Record<string, never>
    }

/**
 * Creates a notification of a client, in the transaction of the fact. An unread one of the same kind is
 * renewed and not doubled.
 */
export async function notify(
  tx: Database,
  clientId: number,
  { kind, about, params }: Notification,
): Promise<void> {
  await tx
    .deleteFrom('notifications')
    .where('client_id', '=', clientId)
    .where('kind', '=', kind)
    .where('about_id', 'is not distinct from', about)
    .where('read_at', 'is', null)
    .execute()
  await tx
    .insertInto('notifications')
    .values({ client_id: clientId, kind, about_id: about, params: JSON.stringify(params) })
    .execute()
}

/**
 * Notifies the owner of a ticket that staff has answered it, unless the owner has become a member of staff.
 */
export async function notifyOfAnswer(tx: Database, ticketId: number): Promise<void> {
  const ticket = await tx
    .selectFrom('tickets')
    .select(['client_id', 'subject'])
    .where('id', '=', ticketId)
    .where(sql<boolean>`not is_staff(client_id)`)
    .executeTakeFirst()
  if (ticket === undefined) return
  const { client_id, subject } = ticket
  await notify(tx, client_id, { kind: 'ticket_answered', about: ticketId, params: { subject } })
}

/** Marks all of the actor's own notifications as read. */
export async function markAllRead({ tx, actor, now }: Context): Promise<{ status: true }> {
  await tx
    .updateTable('notifications')
    .set({ read_at: now.toISOString() })
    .where('client_id', '=', actor.id)
    .where('read_at', 'is', null)
    .execute()
  return { status: true }
}

/** Sets the time of reading to now, and keeps an earlier one. */
export const readSince = (read: boolean) => ({
  read_at: read ? sql`coalesce(notifications.read_at, now())` : null,
})

import type { clients } from '@portico/contract/resources/clients.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context } from '#platform/context.ts'
import { asClient } from '#platform/jsonapi/declare/symbolic-actor.ts'
import { ticketShared } from '#tickets/visibility.ts'

type Waiting = z.output<typeof clients.actions.waiting.output>

/** Cards that end within so many days are counted; the first letter about them is sent then, too. */
const cardDays = 30

/** Staff read the notifications of the account that they sign in with, and own nothing else. */
const ofStaff = (admin: number) =>
  sql<Waiting>`select count(n.id)::int as notifications, 0 as tickets, 0 as invitations, 0 as sent, 0 as cards
    from admins a join clients c on c.auth_id = a.auth_id
    left join notifications n on n.client_id = c.id and n.read_at is null where a.id = ${admin}`

/** Counts what waits for the reader, for the bar and the dashboard. */
export async function countWaiting({ tx, actor, now }: Context): Promise<Waiting> {
  if (actor.staff) return only(await ofStaff(actor.staff.id).execute(tx))
  const { id } = actor
  const shared = actor.grants.length > 0 ? sql`or ${ticketShared('t', asClient(actor))}` : sql``
  const counted = only(
    await sql<Waiting>`select
      (select count(*) from notifications n where n.client_id = c.id and n.read_at is null)::int as notifications,
      (select count(*) from tickets t join ticket_statuses s on s.id = t.ticket_status_id and s.code = 'awaiting_client'
        where t.client_id = ${id} ${shared})::int as tickets,
      (select count(*) from share_invitations i join share_permissions p on p.id = i.permission_id
        where i.invited_email = c.email and c.email_verified_at is not null and not i.accepted and i.client_id <> c.id
          and i.link_expires_at > ${now} and (p.expires_at is null or p.expires_at > ${now}))::int as invitations,
      (select count(*) from share_invitations i where i.client_id = c.id and not i.accepted)::int as sent,
      (select count(*) from cards k where k.client_id = c.id and k.status = 'active'
        and (make_date(k.exp_year, k.exp_month, 1) + interval '1 month')::date - clock_today() <= ${cardDays})::int as cards
    from clients c where c.id = ${id}`.execute(tx),
  )
  // Cards, and what others have shared, are closed to staff who see the account as its owner does.
  return actor.view ? { ...counted, invitations: 0, cards: 0 } : counted
}

function only({ rows: [row] }: { rows: Waiting[] }): Waiting {
  return row ?? { notifications: 0, tickets: 0, invitations: 0, sent: 0, cards: 0 }
}

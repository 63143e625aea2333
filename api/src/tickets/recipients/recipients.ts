import { sql } from 'kysely'
import { clientsWithLanguage } from '#notifications/clients-with-language.ts'
import type { Reach } from '#platform/context.ts'
import { type Database, runnerOf } from '#platform/db/pool.ts'
import type { Recipient } from '#platform/mail/reply-address.ts'
import { mayAct } from '#reference/client-status.ts'
import { accessOf, readGrants } from '#sharing/grants.ts'
import { hasSecondFactor } from '#staff/roles.ts'
import { roleAnswers } from '#staff/ticket-visibility.ts'

/** A participant of a ticket: a recipient of its letters, who may answer by mail. */
export type Participant = Recipient & {
  readonly email: string
  /** Their name; empty when it is unknown. */
  readonly name: string
  /** ISO 639-1 */
  readonly language: string
  /** For staff: the account that receives their notifications, and their channels for this ticket. */
  readonly staff?: { readonly account: number | null; readonly by: readonly string[] }
}

type Answering = Omit<Participant, 'kind' | 'staff'> & NonNullable<Participant['staff']>

/** The columns of a ticket that determine its participants. */
type Ticket = { readonly id: number; readonly client_id: number; readonly opened_by_client_id: number }

/**
 * The properties of a ticket that decide which guests see it: whether it needs billing access, and the
 * workspace of its panel.
 */
async function placeOf(tx: Database, { id }: Ticket) {
  return tx
    .selectFrom('tickets as t')
    .innerJoin('ticket_departments as d', 'd.id', 't.ticket_department_id')
    .leftJoin('panels as p', (join) => join.onRef('p.id', '=', 't.panel_id').on('p.deleted_at', 'is', null))
    .select(['d.requires_billing', 'p.id as panel', 'p.project_id as project', 'p.client_id as owner'])
    .where('t.id', '=', id)
    .executeTakeFirstOrThrow()
}

type Place = Awaited<ReturnType<typeof placeOf>>

function isPanelOpen(reach: Reach, { panel, project, owner }: Place): boolean {
  if (panel === null || project === null || owner === null) return false
  if (reach.accounts.includes(owner) && !reach.except.includes(project)) return true
  return (
    reach.projects.includes(project) || (reach.listedIn.includes(project) && reach.panels.includes(panel))
  )
}

async function isStaff(tx: Database, client: number): Promise<boolean> {
  const { rows } = await sql<{ staff: boolean }>`select is_staff(${client}) as staff`.execute(tx)
  return rows[0]?.staff === true
}

/**
 * Whether a client still has access to a ticket: to their own account's always, to another's by the rule
 * `ticketShared`, and never as staff. `ticketShared` is a condition for the current actor; this is the same
 * rule for any client, and a test compares the two.
 */
export async function stillOpen(tx: Database, ticket: Ticket, client: number, now: Date): Promise<boolean> {
  if (await isStaff(tx, client)) return false
  if (client === ticket.client_id) return true
  const grants = (await readGrants(runnerOf(tx), [client], now)).get(client) ?? []
  const ofOwner = grants.filter(({ owner }) => owner === ticket.client_id)
  const place = await placeOf(tx, ticket)
  if (place.requires_billing && ofOwner.some(({ billing }) => billing)) return true
  const reaching = ofOwner.filter(({ tickets }) => tickets).map((grant) => grant.workspace_resources)
  if (reaching.length > 0 && ticket.opened_by_client_id === client) return true
  if (place.requires_billing) return false
  if (reaching.includes('all')) return true
  return reaching.includes('custom') && isPanelOpen(accessOf(client, grants).reach('see'), place)
}

async function clientsOf(tx: Database, ticket: Ticket, now: Date): Promise<Participant[]> {
  const openers = tx
    .selectFrom('tickets as merged')
    .select('merged.opened_by_client_id')
    .where('merged.merged_into_id', '=', ticket.id)
  const rows = await clientsWithLanguage(tx)
    .select(['c.id', 'c.email', 'c.first_name', 'l.code'])
    .where((eb) =>
      eb.or([eb('c.id', 'in', [ticket.client_id, ticket.opened_by_client_id]), eb('c.id', 'in', openers)]),
    )
    .where('c.status', 'in', mayAct)
    .where('c.email_verified_at', 'is not', null)
    .orderBy('c.id')
    .execute()
  const found: Participant[] = []
  for (const { id, email, first_name, code } of rows)
    if (await stillOpen(tx, ticket, id, now))
      found.push({ kind: 'client', id, email, name: first_name, language: code })
  return found
}

/** The people who subscribed addresses to a ticket that they no longer have access to. */
async function goneAdders(tx: Database, ticket: Ticket, now: Date): Promise<Set<number | null>> {
  const rows = await tx
    .selectFrom('ticket_ticket_emails')
    .select('added_by')
    .distinct()
    .where('ticket_id', '=', ticket.id)
    .execute()
  const gone = new Set<number | null>()
  for (const { added_by } of rows)
    if (added_by !== null && !(await stillOpen(tx, ticket, added_by, now))) gone.add(added_by)
  return gone
}

/** Removes the subscriptions of a ticket whose adder no longer sees it, because they get no letters. */
export async function dropUnwritten(tx: Database, ticket: Ticket, now: Date): Promise<void> {
  for (const adder of await goneAdders(tx, ticket, now))
    await tx
      .deleteFrom('ticket_ticket_emails')
      .where('ticket_id', '=', ticket.id)
      .where('added_by', '=', adder)
      .execute()
}

/** The subscribed addresses, without those whose adder no longer has access. */
async function subscribedAddresses(tx: Database, ticket: Ticket, now: Date): Promise<Participant[]> {
  const rows = await clientsWithLanguage(tx)
    .innerJoin('ticket_emails as e', 'e.client_id', 'c.id')
    .innerJoin('ticket_ticket_emails as x', 'x.ticket_email_id', 'e.id')
    .select(['e.id', 'e.email', 'e.name', 'l.code', 'x.added_by'])
    .where('x.ticket_id', '=', ticket.id)
    .orderBy('x.id')
    .execute()
  const gone = await goneAdders(tx, ticket, now)
  return rows
    .filter(({ added_by }) => !gone.has(added_by))
    .map(({ id, email, name, code }) => ({
      kind: 'email',
      id,
      email,
      name: name ?? '',
      language: code,
    }))
}

/**
 * The staff who answer a ticket: the assigned member or, while it is unassigned, all who follow its
 * department. Staff without a required second factor see no tickets, and so get no letters about them.
 */
async function answering(tx: Database, ticket: Ticket): Promise<Participant[]> {
  const { rows } = await sql<Answering>`
    select a.id, a.email, a.display_name as name, coalesce(l.code, 'en') as language, c.id as account,
      case when coalesce(a.followed ->> d.code, 'all') = 'none' then '{}' else a.ticket_news_by end as by
    from tickets t
    join ticket_departments d on d.id = t.ticket_department_id
    join admins a on a.disabled_at is null and ${sql.raw(hasSecondFactor('a'))}
      and ${roleAnswers(sql.ref('a.role'), sql.ref('d.requires_billing'))}
    left join clients c on c.auth_id = a.auth_id and c.status in (${sql.join(mayAct)})
    left join languages l on l.id = c.language_id
    where t.id = ${ticket.id} and (a.id = t.assigned_admin_id or (t.assigned_admin_id is null and c.id is not null
      and coalesce(a.followed ->> d.code, 'all') = 'all'))
    order by a.id`.execute(tx)
  return rows.map(({ account, by, ...one }) => ({ kind: 'staff', ...one, staff: { account, by } }))
}

/**
 * All current participants of a ticket: its opener, those of tickets that were merged into it, its owner, the
 * staff who answer it, and subscribed addresses. Only those who still have access.
 */
export async function participants(tx: Database, ticket: Ticket, now: Date): Promise<Participant[]> {
  return [
    ...(await clientsOf(tx, ticket, now)),
    ...(await answering(tx, ticket)),
    ...(await subscribedAddresses(tx, ticket, now)),
  ]
}

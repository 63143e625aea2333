import { sql } from 'kysely'
import type { Recipient } from '../adapters/reply-address.ts'
import { type Database, runnerOf } from '../db/pool.ts'
import { readGrants } from './grants.ts'

/** Somebody who is told of what is said in a ticket, or says something in it by mail. */
export type Participant = Recipient & {
  readonly email: string
  /** What they are called; empty when it is not known. */
  readonly name: string
  /** ISO 639-1 */
  readonly language: string
}

/** Of a ticket, what says who has to do with it. */
type Ticket = { readonly id: number; readonly client_id: number; readonly opened_by_client_id: number }

/**
 * Whether a ticket is still open to somebody: their own account's is, another's while it is shared, by tickets or, for the
 * departments that billing opens, by billing.
 */
async function stillOpen(tx: Database, ticket: Ticket, client: number, now: Date): Promise<boolean> {
  if (client === ticket.client_id) return true
  const grants = await readGrants(runnerOf(tx), [client], now)
  const ofOwner = grants.get(client)?.filter(({ owner }) => owner === ticket.client_id) ?? []
  if (ofOwner.some(({ tickets }) => tickets)) return true
  return ofOwner.some(({ billing }) => billing) && (await isOfBilling(tx, ticket.id))
}

async function isOfBilling(tx: Database, ticketId: number): Promise<boolean> {
  const found = await tx
    .selectFrom('tickets as t')
    .innerJoin('ticket_departments as d', 'd.id', 't.ticket_department_id')
    .select('d.requires_billing')
    .where('t.id', '=', ticketId)
    .executeTakeFirst()
  return found?.requires_billing ?? false
}

async function clientsOf(tx: Database, ticket: Ticket, now: Date): Promise<Participant[]> {
  const rows = await tx
    .selectFrom('clients as c')
    .innerJoin('languages as l', 'l.id', 'c.language_id')
    .select(['c.id', 'c.email', 'c.first_name', 'l.code'])
    .where('c.id', 'in', [ticket.client_id, ticket.opened_by_client_id])
    .where('c.status', 'in', [1, 2, 3])
    .where('c.email_verified_at', 'is not', null)
    .orderBy('c.id')
    .execute()
  const found: Participant[] = []
  for (const { id, email, first_name, code } of rows)
    if (await stillOpen(tx, ticket, id, now))
      found.push({ kind: 'client', id, email, name: first_name, language: code })
  return found
}

/** The addresses that are told of answers, but for those that somebody added to whom the ticket is not open any more. */
async function told(tx: Database, ticket: Ticket, now: Date): Promise<Participant[]> {
  const rows = await tx
    .selectFrom('ticket_ticket_emails as x')
    .innerJoin('ticket_emails as e', 'e.id', 'x.ticket_email_id')
    .innerJoin('clients as c', 'c.id', 'e.client_id')
    .innerJoin('languages as l', 'l.id', 'c.language_id')
    .select(['e.id', 'e.email', 'e.name', 'l.code', 'x.added_by'])
    .where('x.ticket_id', '=', ticket.id)
    .orderBy('x.id')
    .execute()
  const adders = [...new Set(rows.map(({ added_by }) => added_by))].filter((id) => id !== null)
  const gone = new Set<number | null>()
  for (const id of adders) if (!(await stillOpen(tx, ticket, id, now))) gone.add(id)
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

async function assigned(tx: Database, ticket: Ticket): Promise<Participant[]> {
  const rows = await tx
    .selectFrom('tickets as t')
    .innerJoin('admins as a', 'a.id', 't.assigned_admin_id')
    .innerJoin('ticket_departments as d', 'd.id', 't.ticket_department_id')
    .select(['a.id', 'a.email', 'a.display_name'])
    .where('t.id', '=', ticket.id)
    .where('a.disabled_at', 'is', null)
    .where(sql<boolean>`(a.role in ('support', 'admin') or (a.role = 'billing' and d.requires_billing))`)
    .execute()
  return rows.map(({ id, email, display_name }) => ({
    kind: 'staff',
    id,
    email,
    name: display_name,
    language: 'en',
  }))
}

/**
 * Everyone who has to do with a ticket at this moment: who opened it and whose it is, the member of staff who answers it, and
 * the addresses that are told. Nobody to whom it is not open any more.
 */
export async function participants(tx: Database, ticket: Ticket, now: Date): Promise<Participant[]> {
  return [
    ...(await clientsOf(tx, ticket, now)),
    ...(await assigned(tx, ticket)),
    ...(await told(tx, ticket, now)),
  ]
}

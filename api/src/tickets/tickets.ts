import { minuteMs } from '@portico/contract/time.ts'
import type { Context, Related, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertFilesFit } from '#tickets/files/files.ts'
import { addEmail } from '#tickets/recipients/emails.ts'
import { notifyRecipients } from '#tickets/recipients/notify.ts'
import { responseDue } from './service-levels.ts'

type Ticket = RowOf<'tickets'>
type Department = Pick<
  RowOf<'ticket_departments'>,
  'requires_billing' | 'first_response_minutes' | 'resolve_minutes' | 'office_hours' | 'closed_at'
>
/** Rows of the request's relationships. */
type Sent = {
  readonly client_id?: number | undefined
  readonly description?: string
  readonly notified_emails?: readonly string[] | undefined
}

/** The part of a request's context that opening a ticket needs. */
type Opening = Pick<Context, 'tx' | 'actor' | 'now' | 'vault'>

// A person has one question at a time; the limit stops programs before staff have to read their tickets.
const mostPerMinute = 5

/**
 * The account of a new ticket. The refusal is the same for missing accounts and for those the actor has no
 * access to.
 */
function accountFor(actor: Context['actor'], related: Related, { client_id }: Sent): number {
  const ofPanel = related.panel?.client_id
  const account = client_id ?? (typeof ofPanel === 'number' ? ofPanel : actor.id)
  const needed = related.ticketDepartment?.requires_billing === true ? 'billing' : 'tickets'
  if (!actor.owners(needed).includes(account))
    throw refuse('ticket_account_not_open', {}, { source: { pointer: '/data/attributes/client_id' } })
  if (related.panel && ofPanel !== account)
    throw refuse('ticket_panel_of_other_account', {}, { source: { pointer: '/data/relationships/panel' } })
  return account
}

/** Server-set columns of a new ticket. Throws `ticket_account_not_open`, `department_closed`. */
export function newTicket({
  actor,
  related,
  sent,
  now,
}: Pick<Context, 'actor' | 'now'> & { readonly related: Related; readonly sent: Sent }) {
  // The relationship is required, so it was found.
  const department = related.ticketDepartment as unknown as Department
  const { first_response_minutes, resolve_minutes, office_hours } = department
  const at = now.toISOString()
  const client_id = accountFor(actor, related, sent)
  if (department.closed_at !== null)
    throw refuse('department_closed', {}, { source: { pointer: '/data/relationships/ticketDepartment' } })
  return {
    client_id,
    opened_by_client_id: actor.id,
    first_response_due: responseDue(now, first_response_minutes, office_hours).toISOString(),
    resolve_due: responseDue(now, resolve_minutes, office_hours).toISOString(),
    last_message_at: at,
    created_at: at,
  }
}

async function assertNotFlooding({ tx, actor, now }: Pick<Context, 'tx' | 'actor' | 'now'>): Promise<void> {
  const since = new Date(now.getTime() - minuteMs).toISOString()
  const { count } = await tx
    .selectFrom('tickets')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('opened_by_client_id', '=', actor.id)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  if (count > mostPerMinute)
    throw refuse('tickets_too_many', { most: mostPerMinute }, { headers: { 'retry-after': '60' } })
}

/** Inserts the description as the first message. */
function writeDown(tx: Database, ticket: Ticket, body: string): Promise<RowOf<'ticket_messages'>> {
  return tx
    .insertInto('ticket_messages')
    .values({
      ticket_id: ticket.id,
      client_id: ticket.client_id,
      author_client_id: ticket.opened_by_client_id,
      body,
      created_at: ticket.created_at,
    })
    .returning(columns.ticket_messages)
    .executeTakeFirstOrThrow()
}

/** Runs after a ticket was opened: inserts its description as the first message, with its files. */
export async function ticketCreated(context: Opening, ticket: Ticket, sent: Sent): Promise<void> {
  const { tx } = context
  await assertNotFlooding(context)
  const message = await writeDown(tx, ticket, sent.description ?? '')
  await tx
    .updateTable('ticket_files')
    .set({ ticket_message_id: message.id })
    .where('ticket_id', '=', ticket.id)
    .execute()
  await assertFilesFit(tx, message.id, ticket.client_id)
  for (const email of sent.notified_emails ?? []) await addEmail(context, ticket, email)
  await notifyRecipients(context, message)
}

/** Opens a follow-up of a ticket that was closed long ago, with the same department, panel and subject. */
export async function openTicket(
  { tx, now }: Pick<Context, 'tx' | 'now'>,
  before: Pick<Ticket, 'id' | 'client_id' | 'panel_id' | 'ticket_department_id' | 'subject'>,
  opener: number,
): Promise<Ticket> {
  const { id, client_id, panel_id, ticket_department_id, subject } = before
  const department = await tx
    .selectFrom('ticket_departments')
    .select(['first_response_minutes', 'resolve_minutes', 'office_hours'])
    .where('id', '=', ticket_department_id)
    .executeTakeFirstOrThrow()
  const at = now.toISOString()
  const { first_response_minutes, resolve_minutes, office_hours } = department
  const dueIn = (minutes: number) => responseDue(now, minutes, office_hours).toISOString()
  return tx
    .insertInto('tickets')
    .values({
      client_id,
      panel_id,
      ticket_department_id,
      subject,
      follows_id: id,
      opened_by_client_id: opener,
      first_response_due: dueIn(first_response_minutes),
      resolve_due: dueIn(resolve_minutes),
      last_message_at: at,
      created_at: at,
    })
    .returning(columns.tickets)
    .executeTakeFirstOrThrow()
}

import type { Context, RowOf } from '../db/context.ts'
import type { Database } from '../db/pool.ts'
import { Problem } from '../errors/problem.ts'
import type { Related } from '../jsonapi/serve.ts'
import { addEmail } from './ticket-emails.ts'
import { assertFilesFit } from './ticket-files.ts'
import { responseDue } from './ticket-sla.ts'

type Ticket = RowOf<'tickets'>
type Department = Pick<
  RowOf<'ticket_departments'>,
  'requires_billing' | 'first_response_minutes' | 'office_hours'
>
type Sent = {
  readonly client_id?: number | undefined
  readonly description?: string
  readonly notified_emails?: readonly string[] | undefined
}

// A person has one question at a time; a program that has more is stopped before staff reads it.
const mostPerMinute = 5

const refused = (field: string, detail: string) =>
  new Problem('forbidden', detail, { source: { pointer: `/data/${field}` } })

/** Whose ticket it becomes. The same is said of accounts that there are not and of those that are not open to the actor. */
function accountFor(actor: Context['actor'], related: Related, { client_id }: Sent): number {
  const ofPanel = related.panel?.client_id
  const account = client_id ?? (typeof ofPanel === 'number' ? ofPanel : actor.id)
  const isBilling = related.ticketDepartment?.requires_billing === true
  const needed = isBilling ? 'billing' : 'tickets'
  if (!actor.owners(needed).includes(account))
    throw refused(
      'attributes/client_id',
      isBilling
        ? 'You cannot open tickets about the billing of this account.'
        : 'You cannot open tickets for this account.',
    )
  if (related.panel && ofPanel !== account)
    throw new Problem('validation', 'The panel is of another account.', {
      source: { pointer: '/data/relationships/panel' },
    })
  return account
}

/** What a client never chooses of a new ticket. `forbidden` when the account is not open to them. */
export function newTicket({
  actor,
  related,
  sent,
  now,
}: Pick<Context, 'actor' | 'now'> & { readonly related: Related; readonly sent: Sent }) {
  // The relationship is required, so it was found.
  const department = related.ticketDepartment as unknown as Department
  const { first_response_minutes, office_hours } = department
  const at = now.toISOString()
  return {
    client_id: accountFor(actor, related, sent),
    opened_by_client_id: actor.id,
    first_response_due: responseDue(now, first_response_minutes, office_hours).toISOString(),
    last_message_at: at,
    created_at: at,
  }
}

async function assertNotFlooding({ tx, actor, now }: Pick<Context, 'tx' | 'actor' | 'now'>): Promise<void> {
  const since = new Date(now.getTime() - 60_000).toISOString()
  const { count } = await tx
    .selectFrom('tickets')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('opened_by_client_id', '=', actor.id)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  if (count > mostPerMinute)
    throw new Problem('rate_limited', `At most ${mostPerMinute} tickets can be opened in a minute.`, {
      headers: { 'retry-after': '60' },
    })
}

/** Writes the description down as what was said first; returns its id. */
async function writeDown(tx: Database, ticket: Ticket, body: string): Promise<number> {
  const { id } = await tx
    .insertInto('ticket_messages')
    .values({
      ticket_id: ticket.id,
      client_id: ticket.client_id,
      author_client_id: ticket.opened_by_client_id,
      body,
      created_at: ticket.created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** After a ticket was opened: its description is its first message, which the files that it named belong to. */
export async function ticketCreated(context: Context, ticket: Ticket, sent: Sent): Promise<void> {
  const { tx } = context
  await assertNotFlooding(context)
  const messageId = await writeDown(tx, ticket, sent.description ?? '')
  await tx
    .updateTable('ticket_files')
    .set({ ticket_message_id: messageId })
    .where('ticket_id', '=', ticket.id)
    .execute()
  await assertFilesFit(tx, messageId, ticket.client_id)
  for (const email of sent.notified_emails ?? []) await addEmail(context, ticket, email)
}

import { notify } from '#notifications/notifications.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { type Participant, participants } from './recipients.ts'

type Message = Pick<
  RowOf<'ticket_messages'>,
  'id' | 'ticket_id' | 'author_client_id' | 'author_admin_id' | 'author_email' | 'body'
>

/**
 * Whether a participant gets a message: everyone but its author, and subscribed addresses only for answers.
 */
function isRecipient(message: Message, { kind, id, email }: Participant): boolean {
  if (kind === 'email')
    return message.author_admin_id !== null && email.toLowerCase() !== message.author_email?.toLowerCase()
  return id !== (kind === 'client' ? message.author_client_id : message.author_admin_id)
}

// A letter quotes a message, not the whole of a pasted log.
const mostLines = 200

const linesOf = (body: string): string[] =>
  body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, mostLines)

async function ticketOf({ tx }: Pick<Context, 'tx'>, { ticket_id }: Message) {
  return tx
    .selectFrom('tickets')
    .select(['id', 'number', 'subject', 'client_id', 'opened_by_client_id'])
    .where('id', '=', ticket_id)
    .executeTakeFirstOrThrow()
}

async function authorOf({ tx }: Pick<Context, 'tx'>, message: Message): Promise<string> {
  if (message.author_email !== null) return message.author_email
  if (message.author_admin_id !== null) {
    const admin = tx.selectFrom('admins').select('display_name').where('id', '=', message.author_admin_id)
    return (await admin.executeTakeFirstOrThrow()).display_name
  }
  const client = tx
    .selectFrom('clients')
    .select(['first_name', 'last_name'])
    .where('id', '=', message.author_client_id)
  const { first_name, last_name } = await client.executeTakeFirstOrThrow()
  return `${first_name} ${last_name}`
}

/** Notifies staff in the portal of a new ticket or message. */
async function notifyStaff(
  tx: Database,
  { id, ticket_id }: Message,
  subject: string,
  concerned: readonly Participant[],
): Promise<void> {
  const accounts = concerned.flatMap(({ staff }) =>
    staff?.account && staff.by.includes('portal') ? [staff.account] : [],
  )
  if (accounts.length === 0) return
  const before = tx
    .selectFrom('ticket_messages')
    .select('id')
    .where('ticket_id', '=', ticket_id)
    .where('id', '<', id)
    .limit(1)
  const kind = (await before.executeTakeFirst()) ? 'ticket_replied' : 'ticket_opened'
  for (const account of accounts) await notify(tx, account, { kind, about: ticket_id, params: { subject } })
}

/**
 * Sends a public message to every participant, once each and with a personal reply address. Files are listed,
 * never attached; the letter holds no access link.
 */
export async function notifyRecipients(
  context: Pick<Context, 'tx' | 'vault' | 'now'>,
  message: Message,
): Promise<void> {
  const { tx, now } = context
  const ticket = await ticketOf(context, message)
  const concerned = (await participants(tx, ticket, now)).filter((one) => isRecipient(message, one))
  await notifyStaff(tx, message, ticket.subject, concerned)
  const written = concerned.filter(({ staff }) => staff === undefined || staff.by.includes('letter'))
  const each = new Map(written.toReversed().map((one) => [one.email.toLowerCase(), one]))
  const author = await authorOf(context, message)
  const files = await tx
    .selectFrom('ticket_files')
    .select('filename')
    .where('ticket_message_id', '=', message.id)
    .orderBy('id')
    .execute()
  for (const { kind, id, email, name, language } of each.values())
    await queueMail(context, {
      to: email,
      language,
      letter: {
        kind: 'ticket-message',
        name,
        author,
        number: ticket.number,
        subject: ticket.subject,
        lines: linesOf(message.body),
        files: files.map(({ filename }) => filename),
        to: { ticketId: ticket.id, kind, id },
      },
    })
}

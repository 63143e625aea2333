import { longestMessage, mostMessages } from '@portico/contract/resources/tickets.ts'
import { stateAfter, ticketStates } from '@portico/contract/rules/tickets/ticket-states.ts'
import { dayMs } from '@portico/contract/time.ts'
import type { RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transact.ts'
import { Problem } from '#platform/errors/problem.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { InboundMail } from '#platform/mail/inbound/inbound-mail.ts'
import type { Mailbox, Visit } from '#platform/mail/inbound/mailbox.ts'
import type { ReplyAddresses, ReplyTo } from '#platform/mail/reply-address.ts'
import type { Vault } from '#platform/vault.ts'
import type { FileRemoval } from '#tickets/files/files.ts'
import { messagePosted, messagesIn } from '#tickets/messages.ts'
import { notifyRecipients } from '#tickets/recipients/notify.ts'
import type { Participant } from '#tickets/recipients/recipients.ts'
import { openTicket } from '#tickets/tickets.ts'
import { addressedPerson, addressedTicket } from './addressed.ts'
import { attach, dropUnused, type KeepFile, keepFiles, type MailFiles, note } from './mail-files.ts'

/** The dependencies of inbound mail. */
export type InboundMailParts = FileRemoval & {
  readonly pool: Pool
  readonly clock: { now(): Date }
  readonly vault: Vault
  /** Undefined: replies are not read, and no mail is accepted. */
  readonly replies: ReplyAddresses | undefined
  /** The mailbox to fetch from; undefined: mail is only accepted by HTTP. */
  readonly mailbox: Mailbox | undefined
  /** Parses a raw mail. */
  readonly readMail: (raw: Buffer) => Promise<InboundMail>
  readonly keepFile: KeepFile
}

type Inbox = RowOf<'mail_inbox'>
type Step = {
  readonly to: ReplyTo
  readonly mail: InboundMail
  /** The reason why the portal did not post it, although its recipient sent it. */
  readonly refusal?: string
}
type Fate = {
  readonly state: 'posted' | 'unverified' | 'ignored'
  readonly reason?: string
  readonly ticketId?: number
  readonly ticketMessageId?: number
}

// Anybody may send a mail that is slow to parse: serialized, it blocks no other job.
const oneAtATime = { queue: 'ticket.mail-in' }

/**
 * Stores a raw mail, once for each delivery id, and queues its reading. Returns its id, or that of the
 * earlier delivery.
 */
export function takeMail(db: Database, raw: Buffer, deliveryId: string): Promise<number> {
  return transact(db, 'read write', async (tx) => {
    const kept = await tx
      .insertInto('mail_inbox')
      .values({ raw, delivery_id: deliveryId })
      .onConflict((conflict) => conflict.column('delivery_id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (kept) {
      await enqueue(tx, 'ticket.mail-in', { mailId: kept.id }, oneAtATime)
      return kept.id
    }
    const before = tx.selectFrom('mail_inbox').select('id').where('delivery_id', '=', deliveryId)
    return (await before.executeTakeFirstOrThrow()).id
  })
}

/** Fetches new mail from the mailbox, if there is one. Returns the result of the visit. */
export async function fetchMail({ pool, mailbox }: InboundMailParts): Promise<Visit> {
  const visit = await mailbox?.visit((raw, deliveryId) => takeMail(pool.kysely, raw, deliveryId))
  return visit ?? { taken: 0, tooLarge: 0 }
}

/** Stores a mail that the caller reads at once. Returns its id. */
export async function keepMail(db: Database, raw: Buffer): Promise<number> {
  const { id } = await db.insertInto('mail_inbox').values({ raw }).returning('id').executeTakeFirstOrThrow()
  return id
}

type Work = { readonly tx: Database; readonly now: Date; readonly vault: Vault }
type Ticket = Pick<
  RowOf<'tickets'>,
  | 'id'
  | 'client_id'
  | 'opened_by_client_id'
  | 'ticket_status_id'
  | 'closed_at'
  | 'subject'
  | 'panel_id'
  | 'ticket_department_id'
>

/**
 * The reason why a reply is not trusted to be from its recipient; undefined when it is. The sender does not
 * learn it.
 */
function doubt(mail: InboundMail, who: Participant | undefined): string | undefined {
  if (who === undefined) return 'The recipient of this address no longer has access to the ticket.'
  if (mail.from !== who.email.toLowerCase()) return 'Its sender is not the recipient of this address.'
  if (mail.dmarc === undefined) return 'Our mail server did not authenticate its sender.'
  if (mail.dmarc !== 'pass' && mail.dmarc !== 'none')
    return `The sender’s domain disowns it (dmarc=${mail.dmarc}).`
  return undefined
}

const authorOf = ({ kind, id, email }: Participant) => {
  if (kind === 'client') return { author_client_id: id }
  return kind === 'staff' ? { author_admin_id: id } : { author_email: email }
}

/** Records a mail that cannot be posted as an internal note. */
function noteMail(tx: Database, ticket: Ticket, mail: InboundMail, reason: string): Promise<number> {
  const from = mail.from ?? 'an unknown sender'
  return note(tx, ticket, `A mail from ${from} was not posted. ${reason}\n\n${mail.text}`, mail.messageId)
}

/** The ticket for a reply: the addressed one or, long after it was closed, a new follow-up. */
async function ticketFor(work: Work, ticket: Ticket, who: Participant): Promise<Ticket> {
  const status = ticketStates[ticket.ticket_status_id - 1] ?? 'closed'
  const isOver =
    who.kind !== 'staff' &&
    stateAfter({ status, closed_at: ticket.closed_at }, 'clientMessage', work.now) === undefined
  return isOver ? openTicket(work, ticket, who.kind === 'client' ? who.id : ticket.client_id) : ticket
}

async function post(
  work: Work,
  ticket: Ticket,
  who: Participant,
  mail: InboundMail,
  files: MailFiles,
): Promise<Fate> {
  const { tx } = work
  const goal = await ticketFor(work, ticket, who)
  const message = await tx
    .insertInto('ticket_messages')
    .values({
      ticket_id: goal.id,
      client_id: goal.client_id,
      ...authorOf(who),
      body: mail.text.slice(0, longestMessage),
      source: 'mail',
      mail_message_id: mail.messageId,
    })
    .returning(columns.ticket_messages)
    .executeTakeFirstOrThrow()
  await attach(tx, message.id, goal, files)
  await messagePosted(work, message)
  await notifyRecipients(work, message)
  return { state: 'posted', ticketId: goal.id, ticketMessageId: message.id }
}

async function seenBefore(tx: Database, { messageId }: InboundMail): Promise<boolean> {
  const before = tx.selectFrom('ticket_messages').select('id').where('mail_message_id', '=', messageId)
  return (await before.executeTakeFirst()) !== undefined
}

/**
 * Handles a mail to a reply address: returns the ticket and the author when it is to be posted, and records
 * it otherwise. The ticket is locked, so that each mail becomes one message.
 */
async function judge(
  { tx, now }: Work,
  { to, mail, refusal }: Step,
): Promise<Fate | { readonly ticket: Ticket; readonly who: Participant }> {
  const ticket = await addressedTicket(tx, to.ticketId)
  if (ticket === undefined) return { state: 'ignored', reason: 'The ticket does not exist.' }
  if (await seenBefore(tx, mail)) return { state: 'ignored', reason: 'It was already processed.' }
  const who = await addressedPerson(tx, ticket, to, now)
  if (who?.kind !== 'staff' && (await messagesIn(tx, ticket.id)) >= mostMessages)
    return { state: 'ignored', reason: 'The ticket has the maximum number of messages.', ticketId: ticket.id }
  const reason = refusal ?? doubt(mail, who)
  if (who === undefined || reason !== undefined) {
    const ticketMessageId = await noteMail(tx, ticket, mail, reason ?? '')
    return { state: 'unverified', ticketId: ticket.id, ticketMessageId, ...(reason && { reason }) }
  }
  return { ticket, who }
}

/** Judges a mail before its attachments are stored, and posts it with them when its recipient sent it. */
async function postOrNote(room: InboundMailParts, to: ReplyTo, mail: InboundMail): Promise<Fate> {
  const { pool, clock, vault } = room
  const files: MailFiles = { kept: [], leftOut: [] }
  const work = (tx: Database): Work => ({ tx, now: clock.now(), vault })
  const judged = (step: Partial<Step>) =>
    pool.kysely.transaction().execute((tx) => judge(work(tx), { to, mail, ...step }))
  const posted = async () => {
    const early = mail.attachments.length > 0 ? await judged({}) : undefined
    if (early && 'state' in early) return early
    await keepFiles(room, mail, files)
    return pool.kysely.transaction().execute(async (tx) => {
      const found = await judge(work(tx), { to, mail })
      return 'state' in found ? found : post(work(tx), found.ticket, found.who, mail, files)
    })
  }
  const refused = async (error: unknown): Promise<Fate> => {
    // A failure of ours passes, and the mail is read again.
    if (!(error instanceof Problem) || error.status >= 500) throw error
    const fate = await judged({ refusal: error.message })
    if ('state' in fate) return fate
    throw error
  }
  return posted()
    .catch(refused)
    .finally(() => dropUnused(room, files.kept))
}

async function fateOf(room: InboundMailParts, mail: InboundMail): Promise<Fate> {
  const { replies } = room
  if (mail.automatic !== undefined)
    return { state: 'ignored', reason: `It was sent automatically (${mail.automatic}).` }
  // Mail from one of our reply addresses indicates a mail loop.
  if (mail.from !== undefined && replies?.read(mail.from))
    return { state: 'ignored', reason: 'It came from our own address.' }
  const to = mail.to.map((address) => replies?.read(address)).find((one) => one !== undefined)
  if (to === undefined) return { state: 'ignored', reason: 'It has no reply address of a ticket.' }
  if (mail.text === '' && mail.attachments.length === 0)
    return { state: 'ignored', reason: 'It says nothing.' }
  return postOrNote(room, to, mail.text === '' ? { ...mail, text: '—' } : mail)
}

const unreadable: Fate = { state: 'ignored', reason: 'It cannot be read.' }

// Retries help a machine that was too busy; more of them only delay other mail.
const mostReadings = 3

async function writeDown({ pool, clock }: InboundMailParts, { id }: Inbox, fate: Fate): Promise<void> {
  await pool.kysely
    .updateTable('mail_inbox')
    .set({
      state: fate.state,
      reason: fate.reason ?? null,
      ticket_id: fate.ticketId ?? null,
      ticket_message_id: fate.ticketMessageId ?? null,
      processed_at: clock.now().toISOString(),
    })
    .where('id', '=', id)
    // A concurrent run may have read it first.
    .where('state', '=', 'waiting')
    .execute()
}

/**
 * Reads a stored mail, and posts it when its recipient sent it. Idempotent. Rejects when it cannot be read;
 * on the third attempt it is ignored instead, and kept in raw form.
 */
export async function readInbox(
  room: InboundMailParts,
  mailId: number,
  tries = mostReadings,
): Promise<Fate['state'] | undefined> {
  const row = await room.pool.kysely
    .selectFrom('mail_inbox')
    .select(columns.mail_inbox)
    .where('id', '=', mailId)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  if (row === undefined) return undefined
  const mail = await room.readMail(row.raw).catch((error: unknown) => {
    if (tries < mostReadings) throw error
  })
  const fate = mail ? await fateOf(room, mail) : unreadable
  await writeDown(room, row, fate)
  return fate.state
}

// As long as letters are kept, for the same reason.
const keptForMs = 90 * dayMs

/** Deletes old mail; posted text is in the tickets. */
export async function pruneInbox(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptForMs).toISOString()
  await db.deleteFrom('mail_inbox').where('created_at', '<', before).execute()
}

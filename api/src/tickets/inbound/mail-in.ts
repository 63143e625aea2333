import { longestMessage, mostMessages } from '@portico/contract/resources/tickets.ts'
import { stateAfter, ticketStates } from '@portico/contract/rules/ticket-states.ts'
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
import { type Participant, participants } from '#tickets/recipients/recipients.ts'
import { openTicket } from '#tickets/tickets.ts'
import { attach, dropUnused, type KeepFile, keepFiles, type MailFiles, note } from './mail-files.ts'

/** What a verb needs that reads mail which came. */
export type InboundMailParts = FileRemoval & {
  readonly pool: Pool
  readonly clock: { now(): Date }
  readonly vault: Vault
  /** Undefined: answers to letters are not read, and no mail is taken. */
  readonly replies: ReplyAddresses | undefined
  /** Where mail waits to be fetched; undefined: it is only taken from who hands it over. */
  readonly mailbox: Mailbox | undefined
  /** Reads a mail as it came. */
  readonly readMail: (raw: Buffer) => Promise<InboundMail>
  readonly keepFile: KeepFile
}

type Inbox = RowOf<'mail_inbox'>
type Step = {
  readonly to: ReplyTo
  readonly mail: InboundMail
  /** Why the portal refused to post it, though it is its recipient's. */
  readonly refusal?: string
}
type Fate = {
  readonly state: 'posted' | 'unverified' | 'ignored'
  readonly reason?: string
  readonly ticketId?: number
  readonly ticketMessageId?: number
}

// Anybody may send what takes long to read: one at a time, it keeps no other job from being done.
const oneAtATime = { queue: 'ticket.mail-in' }

/** Keeps a mail as it came, once for each delivery, and has it read. Returns its id, or that of the delivery before. */
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

/** Takes what came to the mailbox, if there is one, as mail that is handed over. Returns what that came to. */
export async function fetchMail({ pool, mailbox }: InboundMailParts): Promise<Visit> {
  const visit = await mailbox?.visit((raw, deliveryId) => takeMail(pool.kysely, raw, deliveryId))
  return visit ?? { taken: 0, tooLarge: 0 }
}

/** Keeps a mail that whoever hands it over reads at once. Returns its id. */
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

/** Why an answer is not believed to be its recipient's; undefined when it is. Nothing of this is told to who wrote it. */
function doubt(mail: InboundMail, who: Participant | undefined): string | undefined {
  if (who === undefined) return 'The ticket is not open any more to whom this address was made for.'
  if (mail.from !== who.email.toLowerCase()) return 'It says that it is from somebody else.'
  if (mail.dmarc === undefined) return 'Our mail server did not say who sent it.'
  if (mail.dmarc !== 'pass' && mail.dmarc !== 'none')
    return `The sender’s domain disowns it (dmarc=${mail.dmarc}).`
  return undefined
}

const authorOf = ({ kind, id, email }: Participant) => {
  if (kind === 'client') return { author_client_id: id }
  return kind === 'staff' ? { author_admin_id: id } : { author_email: email }
}

/** Writes down what cannot be posted. */
function noteMail(tx: Database, ticket: Ticket, mail: InboundMail, reason: string): Promise<number> {
  const from = mail.from ?? 'an unknown sender'
  return note(tx, ticket, `A mail from ${from} was not posted. ${reason}\n\n${mail.text}`, mail.messageId)
}

/** The ticket that an answer goes to: the one that it was written to or, long after its end, a new one that follows it. */
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
 * What becomes of a mail that a person wrote to one of our addresses, unless it is to be posted: then that ticket and whose
 * words they are. The ticket is held, so that each mail is one message.
 */
async function judge(
  { tx, now }: Work,
  { to, mail, refusal }: Step,
): Promise<Fate | { readonly ticket: Ticket; readonly who: Participant }> {
  const ticket = await tx
    .selectFrom('tickets')
    .select(columns.tickets)
    .where('id', '=', to.ticketId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (ticket === undefined) return { state: 'ignored', reason: 'There is no such ticket.' }
  if (await seenBefore(tx, mail)) return { state: 'ignored', reason: 'It was read before.' }
  const all = await participants(tx, ticket, now)
  const who = all.find(({ kind, id }) => kind === to.kind && id === to.id)
  if (who?.kind !== 'staff' && (await messagesIn(tx, ticket.id)) >= mostMessages)
    return { state: 'ignored', reason: 'The ticket has as many messages as it may.', ticketId: ticket.id }
  const reason = refusal ?? doubt(mail, who)
  if (who === undefined || reason !== undefined) {
    const ticketMessageId = await noteMail(tx, ticket, mail, reason ?? '')
    return { state: 'unverified', ticketId: ticket.id, ticketMessageId, ...(reason && { reason }) }
  }
  return { ticket, who }
}

/** Judges a mail before anything that came with it is kept, and posts it with its files when it is its recipient's. */
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
    return { state: 'ignored', reason: `No person wrote it (${mail.automatic}).` }
  // Our own letters come back to those addresses only when something goes in circles.
  if (mail.from !== undefined && replies?.read(mail.from))
    return { state: 'ignored', reason: 'It is our own.' }
  const to = mail.to.map((address) => replies?.read(address)).find((one) => one !== undefined)
  if (to === undefined) return { state: 'ignored', reason: 'It came to no address of a ticket.' }
  if (mail.text === '' && mail.attachments.length === 0)
    return { state: 'ignored', reason: 'It says nothing.' }
  return postOrNote(room, to, mail.text === '' ? { ...mail, text: '—' } : mail)
}

const unreadable: Fate = { state: 'ignored', reason: 'It cannot be read.' }

// A machine that was too busy for a mail has some more tries; more than these only cost others their time.
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
    // Whoever read it at the same time may have been first.
    .where('state', '=', 'waiting')
    .execute()
}

/**
 * Reads a mail that waits, and posts what it says when it is its recipient's. Asked again it does nothing. Rejects when it
 * cannot be read; at the third try it is ignored instead, and kept as it is.
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

// As long as letters are kept, and for the same reason.
const keptForMs = 90 * dayMs

/** Deletes mail of long ago; what was posted of it is in the tickets. */
export async function pruneInbox(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptForMs).toISOString()
  await db.deleteFrom('mail_inbox').where('created_at', '<', before).execute()
}

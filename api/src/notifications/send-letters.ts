import { dayMs } from '@portico/contract/time.ts'
import type { Logger } from 'pino'
import type { Letter } from '#notifications/letters/letters.ts'
import { render } from '#notifications/letters/render.ts'
import { readBrand } from '#platform/brand/brand.ts'
import type { Clock } from '#platform/clock.ts'
import type { RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import type { FileStorage } from '#platform/files/file-storage.ts'
import type { ReplyAddresses } from '#platform/mail/reply-address.ts'
import type { Handed, Mailer } from '#platform/mail/transport/mailer.ts'
import type { Vault } from '#platform/vault.ts'
import { filesOfLetter, withFiles } from './letter-files.ts'
import { languageOf } from './queue-letter.ts'
import { repeatable } from './repeatable-letters.ts'

/** The dependencies of sending letters. It opens no transaction, because a mail server may be slow. */
export type LetterParts = {
  readonly pool: Pool
  readonly clock: Clock
  readonly vault: Vault
  /** Null without a mail server: letters wait until one is set. */
  readonly mailer: Mailer | null
  /** The portal's address for browsers; links in letters begin with it. */
  readonly publicUrl: string
  /** Whether letters stay readable after sending, for the outbox page of a demo. */
  readonly keepLetters: boolean
  readonly log: Pick<Logger, 'warn'>
  /** Undefined: replies are not read. */
  readonly replies?: ReplyAddresses | undefined
  /** The storage of attached files. */
  readonly storage: Pick<FileStorage, 'read'>
}

type Row = RowOf<'outbox_letters'>

/** The column holds any text. */
const kinds: ReadonlySet<string> = repeatable

/** Loads the letter and counts the attempt, unless it was sent or given up. */
async function takeUp({ pool }: LetterParts, letterId: number): Promise<Row | undefined> {
  return pool.kysely
    .updateTable('outbox_letters')
    .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', letterId)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .returning(columns.outbox_letters)
    .executeTakeFirst()
}

/** Lets `requestWaitingLetters` find a letter that was tried before the mail server was removed. */
async function waitForServer({ pool }: LetterParts, letterId: number): Promise<void> {
  await pool.kysely
    .updateTable('outbox_letters')
    .set({ attempts: 0 })
    .where('id', '=', letterId)
    .where('attempts', '>', 0)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .execute()
}

/** Unseals a letter. */
export function openLetter(vault: Vault, sealed: Uint8Array): Letter {
  // Only `queueMail` seals values in this column, and an altered one does not open.
  return JSON.parse(vault.unseal(sealed)) as Letter
}

/** The reply address and the thread id of a letter. */
function conversation({ replies }: Pick<LetterParts, 'replies'>, letter: Letter, host: string) {
  if (letter.kind !== 'ticket-message' || replies === undefined) return undefined
  return { replyTo: replies.of(letter.to), thread: `ticket-${letter.to.ticketId}@${host}` }
}

async function hand(post: LetterParts, mailer: Mailer, row: Row, last: boolean): Promise<Handed> {
  const { vault, publicUrl } = post
  if (row.sealed === null)
    return { taken: false, reason: 'The content of the letter was deleted.', forGood: true }
  const written = openLetter(vault, row.sealed)
  const attachments = await filesOfLetter(post, written).catch((error: unknown) => {
    // On the last attempt the letter is sent without its files rather than not at all.
    if (last) return []
    throw error
  })
  const letter = withFiles(written, attachments)
  const host = new URL(publicUrl).hostname
  const answered = conversation(post, letter, host)
  const look = await readBrand(post.pool.kysely)
  const how = { answered: answered !== undefined, look }
  const said = { ...render(letter, languageOf(row.language), publicUrl, how), sender: look.name }
  const messageId = `${row.message_id}@${host}`
  const list = letter.kind === 'newsletter' && {
    unsubscribe: new URL(letter.unsubscribe, publicUrl).href,
  }
  const date = new Date(row.created_at)
  return mailer.send({ messageId, to: row.recipient, ...said, ...answered, ...list, attachments, date })
}

/** A bug, whose message might quote the letter, so only its name is reported. */
const broken = (error: unknown): Handed => ({
  taken: false,
  reason: `It failed: ${error instanceof Error ? error.name : typeof error}.`,
  forGood: false,
})

async function markSent({ pool, clock, keepLetters }: LetterParts, { id, kind }: Row): Promise<void> {
  const isKept = keepLetters || kinds.has(kind)
  await pool.kysely
    .updateTable('outbox_letters')
    .set({
      sent_at: clock.now().toISOString(),
      failed_at: null,
      last_error: null,
      ...(!isKept && { sealed: null }),
    })
    .where('id', '=', id)
    .execute()
}

async function markFailed(
  { pool, clock, log }: LetterParts,
  { id, kind }: Row,
  { reason, final }: { reason: string; final: boolean },
): Promise<void> {
  await pool.kysely
    .updateTable('outbox_letters')
    .set({ last_error: reason, ...(final && { failed_at: clock.now().toISOString() }) })
    .where('id', '=', id)
    .execute()
  if (final) log.warn({ letter: id, kind, reason }, 'A letter could not be sent and was given up.')
}

/**
 * Sends a queued letter. Idempotent: a repetition does nothing once the letter was sent or given up. Only if
 * the server accepted it and this process died before recording that, it is sent twice, with the same
 * Message-ID. Without a mail server the letter waits as if never tried, and `requestWaitingLetters` queues it again.
 * Rejects when another attempt may help, and on the last.
 */
export async function sendLetter(
  post: LetterParts,
  letterId: number,
  { last }: { readonly last: boolean },
): Promise<void> {
  const { mailer } = post
  if (mailer === null) return waitForServer(post, letterId)
  const row = await takeUp(post, letterId)
  if (!row) return
  const handed = await hand(post, mailer, row, last).catch(broken)
  if (handed.taken) return markSent(post, row)
  const { reason, forGood } = handed
  await markFailed(post, row, { reason, final: last || forGood })
  if (!forGood) throw new Error(`Letter ${letterId} was not accepted: ${reason}`)
}

// Long enough to investigate a letter that did not arrive.
const keptForMs = 90 * dayMs

// As long as staff may send a letter again, and as long as one waits for a mail server.
const textForMs = 7 * dayMs

/** Gives up the letters that waited a week for a mail server. */
async function giveUpWaiting(db: Database, before: string, now: Date): Promise<void> {
  await db
    .updateTable('outbox_letters')
    .set({ failed_at: now.toISOString(), last_error: 'No mail server was set for a week.', sealed: null })
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('attempts', '=', 0)
    .where('send_at', '<', before)
    .execute()
}

/**
 * Deletes the texts of letters that failed or are repeatable, gives up those that waited too long for a mail server while none is set,
 * and deletes old letters in any state: letter metadata is personal data too.
 */
export async function pruneLetters(
  { pool, mailer }: Pick<LetterParts, 'pool' | 'mailer'>,
  now: Date,
): Promise<void> {
  const db = pool.kysely
  const textBefore = new Date(now.getTime() - textForMs).toISOString()
  // With a server the queue sends or gives up each of them itself.
  if (mailer === null) await giveUpWaiting(db, textBefore, now)
  await db
    .updateTable('outbox_letters')
    .set({ sealed: null })
    .where('sealed', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('failed_at', '<', textBefore),
        eb.and([eb('sent_at', '<', textBefore), eb('kind', 'in', [...repeatable])]),
      ]),
    )
    .execute()
  const before = new Date(now.getTime() - keptForMs)
  await db.deleteFrom('outbox_letters').where('created_at', '<', before.toISOString()).execute()
}

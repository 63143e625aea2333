import { randomUUID } from 'node:crypto'
import { type Attachment, filesOfLetter } from '#notifications/letter-files.ts'
import { type Rendered, render } from '#notifications/letters/render.ts'
import { languageOf } from '#notifications/queue-letter.ts'
import { openLetter } from '#notifications/send-letters.ts'
import { type Brand, readBrand } from '#platform/brand/brand.ts'
import { refuse } from '#platform/errors/problem.ts'
import type { StoredFiles } from '#platform/files/stored-files.ts'
import type { ReplyAddresses } from '#platform/mail/reply-address.ts'
import type { Vault } from '#platform/vault.ts'
import { type InboundMailParts, keepMail, readInbox } from '#tickets/inbound/mail-in.ts'

export type Outbox = StoredFiles & {
  readonly vault: Vault
  readonly publicUrl: string
  readonly replies: ReplyAddresses | undefined
}

const pageSize = 30

type Head = { id: number; to: string; subject: string; language: string; created_at: string }
type Shown = Head & Rendered & { answered: boolean; files: string[] }
type Row = { id: number; recipient: string; language: string; sealed: Buffer | null; created_at: string }

/** A row for display; empty when the letter's content was deleted. */
function shown({ vault, publicUrl, replies }: Outbox, look: Brand, row: Row): Shown[] {
  if (row.sealed === null) return []
  const language = languageOf(row.language)
  const letter = openLetter(vault, row.sealed)
  const answered = letter.kind === 'ticket-message' && replies !== undefined
  const rendered = render(letter, language, publicUrl, { answered, look })
  const files =
    'attached' in letter ? (letter.attached?.formats ?? []).map((format) => `${letter.number}.${format}`) : []
  const { id, recipient: to, created_at } = row
  return [{ id, to, language, created_at, answered, files, ...rendered }]
}

const letters = ({ pool }: Outbox) =>
  pool.kysely
    .selectFrom('outbox_letters')
    .select(['id', 'recipient', 'language', 'sealed', 'created_at'])
    .where('sealed', 'is not', null)

/** The letters before an id, or the newest, and whether there are more. */
export async function readOutbox(
  outbox: Outbox,
  before: number | undefined,
): Promise<{ letters: Head[]; more: boolean }> {
  const look = await readBrand(outbox.pool.kysely)
  const rows = await letters(outbox)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(pageSize + 1)
    .execute()
  return {
    // Lists letters without their content.
    letters: rows
      .slice(0, pageSize)
      .flatMap((row) => shown(outbox, look, row))
      .map(({ id, to, subject, language, created_at }) => ({ id, to, subject, language, created_at })),
    more: rows.length > pageSize,
  }
}

/** One letter with its content. Throws `letter_not_found` when it, or its content, does not exist. */
export async function readLetter(outbox: Outbox, id: number): Promise<Shown> {
  const row = await letters(outbox).where('id', '=', id).executeTakeFirst()
  const [letter] = row ? shown(outbox, await readBrand(outbox.pool.kysely), row) : []
  if (!letter) throw refuse('letter_not_found', { id })
  return letter
}

/** A file of a letter, as the letter carries it. Throws `letter_file_not_found`, and `storage_unavailable`. */
export async function readLetterFile(outbox: Outbox, id: number, name: string): Promise<Attachment> {
  const row = await letters(outbox).where('id', '=', id).executeTakeFirst()
  const carried = row?.sealed ? await filesOfLetter(outbox, openLetter(outbox.vault, row.sealed)) : []
  const file = carried.find(({ filename }) => filename === name)
  if (!file) throw refuse('letter_file_not_found', { id, name })
  return file
}

type Answering = Outbox & {
  readonly room: InboundMailParts
  /** The signer of the demo's authentication results. */
  readonly authserv: string
}
type Answer = { readonly id: number; readonly text: string; readonly forged?: boolean | undefined }

/**
 * A raw mail as a mail server would deliver it. Its text is base64, so that nothing in it can end a header.
 */
function mailOf(from: string, to: string, authserv: string, text: string): Buffer {
  const lines = [
    `Authentication-Results: ${authserv}; dmarc=pass`,
    `Message-ID: <${randomUUID()}@outbox.demo.test>`,
    `From: <${from}>`,
    `To: <${to}>`,
    'Subject: Re:',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n'),
  ]
  return Buffer.from(lines.join('\r\n'))
}

/**
 * Answers a letter by mail, as its recipient or as another sender, and processes the mail. Throws
 * `letter_not_answered`.
 */
export async function answer(
  answering: Answering,
  { id, text, forged }: Answer,
): Promise<{ state: 'posted' | 'unverified' | 'ignored' }> {
  const { pool, vault, replies, room, authserv } = answering
  const row = await letters(answering).where('id', '=', id).executeTakeFirst()
  const letter = row?.sealed ? openLetter(vault, row.sealed) : undefined
  if (row === undefined || letter?.kind !== 'ticket-message' || replies === undefined)
    throw refuse('letter_not_answered', { id })
  const from = forged ? `not-${row.recipient}` : row.recipient
  const mailId = await keepMail(pool.kysely, mailOf(from, replies.of(letter.to), authserv, text))
  return { state: (await readInbox(room, mailId)) ?? 'ignored' }
}

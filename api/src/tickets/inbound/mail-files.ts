import { longestMessage } from '@portico/contract/resources/tickets.ts'
import { fileLimits } from '@portico/contract/rules/tickets/ticket-files.ts'
import type { RowOf } from '#platform/context.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import type { InboundMail } from '#platform/mail/inbound/inbound-mail.ts'
import { cleanName, type FileRemoval, hasRoom, type NewFile } from '#tickets/files/files.ts'

/** Scans an attachment and stores it; undefined for one that may not be attached. */
export type KeepFile = (filename: string, content: Uint8Array) => Promise<NewFile | undefined>

type Ticket = Pick<RowOf<'tickets'>, 'id' | 'client_id'>

/** Writes an internal note for staff; with the id of a mail when it represents that mail. */
export async function note(
  tx: Database,
  ticket: Ticket,
  text: string,
  mailId: string | null,
): Promise<number> {
  const { id } = await tx
    .insertInto('ticket_messages')
    .values({
      ticket_id: ticket.id,
      client_id: ticket.client_id,
      body: text.slice(0, longestMessage),
      visibility: 'internal',
      source: 'system',
      mail_message_id: mailId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The attachments of a mail: the stored files, and the names of those that may not be attached. */
export type MailFiles = { readonly kept: NewFile[]; readonly leftOut: string[] }

/** Notes the left-out files for staff; the text is posted in any case, because it matters more. */
const noteLeftOut = (tx: Database, ticket: Ticket, names: readonly string[], reason: string) =>
  note(tx, ticket, `A mail’s files were left out, as ${reason}: ${names.join(', ')}`, null)

/** Attaches the files of a mail, except those that exceed the account's room. */
export async function attach(
  tx: Database,
  messageId: number,
  ticket: Ticket,
  { kept: files, leftOut }: MailFiles,
): Promise<void> {
  if (leftOut.length > 0)
    await noteLeftOut(tx, ticket, leftOut, 'they are not of a kind, size or number that may be attached')
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (files.length > 0 && !(await hasRoom(tx, ticket.client_id, bytes))) {
    const names = files.map(({ filename }) => filename)
    await noteLeftOut(tx, ticket, names, 'the account has no room for them')
    return
  }
  for (const { key, finding, sha256, ...file } of files)
    await tx
      .insertInto('ticket_files')
      .values({
        ...file,
        ticket_message_id: messageId,
        sha256: Buffer.from(sha256),
        storage_key: key,
        scan_status: finding,
      })
      .execute()
}

/**
 * Scans the attachments of a mail, outside any transaction, and stores at most as many as a message may have.
 */
export async function keepFiles(
  { keepFile }: { readonly keepFile: KeepFile },
  { attachments }: InboundMail,
  { kept, leftOut }: MailFiles,
): Promise<void> {
  let bytes = 0
  for (const [at, { filename, content }] of attachments.entries()) {
    bytes += content.byteLength
    const fits =
      at < fileLimits.filesPerMessage &&
      content.byteLength <= fileLimits.each &&
      bytes <= fileLimits.perMessage
    const file = fits ? await keepFile(filename, content) : undefined
    if (file) kept.push(file)
    else leftOut.push(cleanName(filename))
  }
}

/** Removes stored attachments that no message uses, because nothing else would. */
export async function dropUnused(
  { pool, storage }: FileRemoval & { readonly pool: Pool },
  kept: readonly NewFile[],
): Promise<void> {
  const keys = kept.map(({ key }) => key)
  if (keys.length === 0) return
  const used = await pool.kysely
    .selectFrom('ticket_files')
    .select('storage_key')
    .where('storage_key', 'in', keys)
    .execute()
  const attached = new Set(used.map(({ storage_key }) => storage_key))
  for (const key of keys) if (!attached.has(key)) await storage.remove(key)
}

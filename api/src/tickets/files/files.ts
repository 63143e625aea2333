import { fileLimits } from '@portico/contract/rules/tickets/ticket-files.ts'
import { dayMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import type { Actor, Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transact.ts'
import { refuse } from '#platform/errors/problem.ts'
import type { FileStorage } from '#platform/files/file-storage.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'

/** The storage for a verb that removes a file. */
export type FileRemoval = { readonly storage: Pick<FileStorage, 'remove'> }

/** The bytes that count for an account. */
async function bytesOf(tx: Database, clientId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::int8 as bytes from ticket_files where client_id = ${clientId}`.execute(tx)
  return rows[0]?.bytes ?? 0
}

const accountFull = () => refuse('files_of_account_too_large', { most: '500 MB' })

/** Refuses a message whose files exceed the limits of messages or of the account. */
export async function assertFilesFit(tx: Database, messageId: number, clientId: number): Promise<void> {
  const files = await tx
    .selectFrom('ticket_files')
    .select(['size', 'scan_status'])
    .where('ticket_message_id', '=', messageId)
    .execute()
  if (files.length === 0) return
  if (files.length > fileLimits.filesPerMessage)
    throw refuse('files_most', { most: fileLimits.filesPerMessage })
  if (files.reduce((sum, { size }) => sum + size, 0) > fileLimits.perMessage)
    throw refuse('files_of_message_too_large', { most: '25 MB' })
  if (files.some(({ scan_status }) => scan_status === 'infected')) throw refuse('files_infected')
  if ((await bytesOf(tx, clientId)) > fileLimits.perAccount) throw accountFull()
}

/** A database restored from a backup within this time still finds every file that it names. */
const removedAfterMs = 7 * dayMs

const removeLater = (tx: Database, key: string) =>
  enqueue(tx, 'file.remove', { key }, { afterMs: removedAfterMs })

/** Deletes a file that is not attached yet, for its uploader; its bytes go a week later. */
export async function removeFile(
  { tx }: Pick<Context, 'tx'>,
  { id, storage_key }: RowOf<'ticket_files'>,
): Promise<void> {
  await tx.deleteFrom('ticket_files').where('id', '=', id).where('ticket_id', 'is', null).execute()
  await removeLater(tx, storage_key)
}

// Path separators of other systems, invisible characters, and bidi marks, by which a name could pass for
// another.
const unfit = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu
const longestName = 200

/** Normalizes the sender's file name: one name without folders, displayed and never used as a path. */
export function cleanName(sent: string): string {
  const name = sent
    .toWellFormed()
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    .replaceAll(unfit, '')
    .trim()
  const letters = [...name]
  if (letters.length <= longestName) return name
  const end = /\.[^.]{1,10}$/.exec(name)?.[0] ?? ''
  return letters.slice(0, longestName - end.length).join('') + end
}

/** The uploader: a client, or a staff member, whose uploads count for no account. */
const uploaderOf = ({ id, staff }: Actor) =>
  staff ? { uploaded_by_admin_id: staff.id } : { uploaded_by_client_id: id, client_id: id }

/** Whether an account has room for this many more bytes. */
export async function hasRoom(tx: Database, clientId: number, bytes: number): Promise<boolean> {
  return (await bytesOf(tx, clientId)) + bytes <= fileLimits.perAccount
}

/** Throws `files_of_account_too_large` when an account has no room for this many more bytes. */
export async function assertRoom(tx: Database, actor: Actor, bytes: number): Promise<void> {
  if (actor.staff) return
  if (!(await hasRoom(tx, actor.id, bytes))) throw accountFull()
}

export type NewFile = {
  readonly filename: string
  readonly mime: string
  readonly size: number
  readonly sha256: Uint8Array
  readonly key: string
  readonly finding: 'clean' | 'skipped'
}

/** Records a stored file; returns its id. Concurrent uploads of one account are serialized. */
export function addFile(
  db: Database,
  actor: Actor,
  { key, finding, sha256, ...file }: NewFile,
): Promise<number> {
  return transact(db, 'read write', async (tx) => {
    await tx.selectFrom('clients').select('id').where('id', '=', actor.id).forNoKeyUpdate().execute()
    await assertRoom(tx, actor, file.size)
    const { id } = await tx
      .insertInto('ticket_files')
      .values({
        ...file,
        ...uploaderOf(actor),
        sha256: Buffer.from(sha256),
        storage_key: key,
        scan_status: finding,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

const collectedAtOnce = 500

/** Deletes files that are not attached a day after the upload. Returns their number. */
export function collectFiles(db: Database, now: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const before = new Date(now.getTime() - dayMs).toISOString()
    const { rows } = await sql<{ storage_key: string }>`
      delete from ticket_files where id in (select id from ticket_files
        where ticket_id is null and created_at < ${before} order by created_at limit ${collectedAtOnce}
        for update skip locked) returning storage_key`.execute(tx)
    for (const { storage_key } of rows) await removeLater(tx, storage_key)
    return rows.length
  })
}

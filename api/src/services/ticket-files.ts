import { sql } from 'kysely'
import type { Context, RowOf } from '../db/context.ts'
import type { Database } from '../db/pool.ts'
import { Problem } from '../errors/problem.ts'

const megabyte = 1_048_576

/** What may be attached, in files and bytes. */
export const fileLimits = {
  each: 10 * megabyte,
  perMessage: 25 * megabyte,
  filesPerMessage: 5,
  perAccount: 500 * megabyte,
} as const

/** How many bytes count for an account. */
export async function bytesOf(tx: Database, clientId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::int8 as bytes from ticket_files where client_id = ${clientId}`.execute(tx)
  return rows[0]?.bytes ?? 0
}

/** `validation` unless the files of a message are within the limits of messages and of the account. */
export async function assertFilesFit(tx: Database, messageId: number, clientId: number): Promise<void> {
  const files = await tx
    .selectFrom('ticket_files')
    .select(['size', 'scan_status'])
    .where('ticket_message_id', '=', messageId)
    .execute()
  if (files.length === 0) return
  if (files.length > fileLimits.filesPerMessage)
    throw new Problem('validation', `At most ${fileLimits.filesPerMessage} files can be attached at a time.`)
  if (files.reduce((sum, { size }) => sum + size, 0) > fileLimits.perMessage)
    throw new Problem('validation', 'The files of one message can have 25 MB together.')
  if (files.some(({ scan_status }) => scan_status === 'infected'))
    throw new Problem('validation', 'One of the files holds malware.')
  if ((await bytesOf(tx, clientId)) > fileLimits.perAccount)
    throw new Problem('validation', 'The files of the account’s tickets can have 500 MB together.')
}

/** A file that belongs to nothing yet is taken back by its uploader. */
export async function removeFile({ tx }: Pick<Context, 'tx'>, { id }: RowOf<'ticket_files'>): Promise<void> {
  await tx.deleteFrom('ticket_files').where('id', '=', id).where('ticket_id', 'is', null).execute()
}

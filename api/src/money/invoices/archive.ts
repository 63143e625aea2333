import type { Language } from '@portico/contract/refusals/refusal.ts'
import { mostInArchive } from '@portico/contract/resources/invoices.ts'
import limit from 'p-limit'
import type { Actor } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { type Problem, refuse } from '#platform/errors/problem.ts'
import { faultOf, type StoredFile, type StoredFiles } from '#platform/files/stored-files.ts'

/** A file of an archive with its name there. */
export type Archived = StoredFile & { readonly name: string }

type Printed = {
  readonly id: number
  readonly full_number: string | null
  readonly key: string | null
  readonly sha256: string | null
}

/** The file of a document, under its number. */
export function archivedFile({ id, full_number, key, sha256 }: Printed, format: 'pdf' | 'xml'): Archived {
  const name = `${full_number}.${format}`
  return { name, key: key ?? '', sha256, what: `document ${name}`, invoiceId: id }
}

/**
 * The stored files of an account's documents in a period or by their ids, in order. Throws `not_found` for an account whose
 * billing the actor does not see, `archive_empty`, and `archive_most`.
 */
export async function filesOf(
  db: Database,
  actor: Actor,
  wanted: {
    readonly client_id?: number | undefined
    readonly from?: string | undefined
    readonly to?: string | undefined
    readonly kinds?: readonly string[] | undefined
    readonly ids?: readonly number[] | undefined
    readonly format: 'pdf' | 'xml'
  },
): Promise<Archived[]> {
  const clientId = wanted.client_id ?? actor.id
  if (!actor.owners('billing').includes(clientId)) throw refuse('not_found', { type: 'clients' })
  const { format } = wanted
  const column = `${format}_key` as const
  const { kinds, from, to, ids } = wanted
  const rows = await db
    .selectFrom('invoices')
    .select(['id', 'full_number', `${column} as key`, `${format}_sha256 as sha256`])
    .where('client_id', '=', clientId)
    .$if(from !== undefined, (query) => query.where('issue_date', '>=', from ?? ''))
    .$if(to !== undefined, (query) => query.where('issue_date', '<=', to ?? ''))
    .where(column, 'is not', null)
    .$if(kinds !== undefined, (query) => query.where('kind', 'in', kinds ?? []))
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
    .orderBy('issue_date')
    .orderBy('id')
    .limit(mostInArchive + 1)
    .execute()
  if (rows.length > mostInArchive) throw refuse('archive_most', { most: mostInArchive })
  if (rows.length === 0) throw refuse('archive_empty')
  return rows.map((row) => archivedFile(row, format))
}

// Parallel reads, because a remote storage is slow for each file.
const atOnce = 8

/**
 * Verifies all files of an archive before the first is sent, and separates intact files from damaged or
 * missing ones, which are alerted to staff. Throws `archive_damaged`, with the names in `meta.files`, when
 * none is intact.
 */
export async function partWhole(
  parts: StoredFiles,
  files: readonly Archived[],
): Promise<{ whole: Archived[]; lacking: { name: string; problem: Problem }[] }> {
  const few = limit(atOnce)
  const problems = await few.map(files, (file) => faultOf(parts, file))
  const whole = files.filter((_, at) => problems[at] === null)
  const lacking = files.flatMap(({ name }, at) => {
    const problem = problems[at]
    return problem ? [{ name, problem }] : []
  })
  if (whole.length === 0) {
    const names = lacking.map(({ name }) => name)
    throw refuse(
      'archive_damaged',
      { files: names.join(', ') },
      { meta: { files: names }, cause: lacking[0]?.problem },
    )
  }
  return { whole, lacking }
}

const notes: Record<Language, { readonly file: string; readonly text: string }> = {
  en: {
    file: 'missing-documents.txt',
    text: 'These documents are damaged or missing, so they are not in this archive. We have been notified.',
  },
  ro: {
    file: 'documente-lipsa.txt',
    text: 'Aceste documente sunt deteriorate sau lipsesc, așa că nu se află în această arhivă. Am fost anunțați.',
  },
}

/** A text file in the archive that lists the missing documents. */
export function lackingNote(language: Language, names: readonly string[]): { file: string; content: Buffer } {
  const { file, text } = notes[language]
  return { file, content: Buffer.from(`${[text, '', ...names].join('\r\n')}\r\n`) }
}

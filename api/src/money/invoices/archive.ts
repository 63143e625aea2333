import { mostInArchive } from '@portico/contract/resources/invoices.ts'
import limit from 'p-limit'
import type { Actor } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { Problem } from '#platform/errors/problem.ts'
import { faultOf, type StoredFile, type StoredFiles } from '#platform/files/stored-files.ts'

/** A file of an archive, and what it is called there. */
export type Archived = StoredFile & { readonly name: string }

/**
 * The stored files of an account's documents of a period, in order. Throws `not_found` for an account whose billing the actor
 * does not see, `not_ready` when there is no file, and `validation` when there are more than one archive holds.
 */
export async function filesOf(
  db: Database,
  actor: Actor,
  wanted: {
    readonly client_id?: number | undefined
    readonly from: string
    readonly to?: string | undefined
    readonly kinds?: readonly string[] | undefined
    readonly format: 'pdf' | 'xml'
  },
): Promise<Archived[]> {
  const clientId = wanted.client_id ?? actor.id
  if (!actor.owners('billing').includes(clientId)) throw new Problem('not_found', 'There is no such account.')
  const { format } = wanted
  const column = `${format}_key` as const
  const { kinds, to } = wanted
  const rows = await db
    .selectFrom('invoices')
    .select(['id', 'full_number', `${column} as key`, `${format}_sha256 as sha256`])
    .where('client_id', '=', clientId)
    .where('issue_date', '>=', wanted.from)
    .$if(to !== undefined, (query) => query.where('issue_date', '<=', to ?? ''))
    .where(column, 'is not', null)
    .$if(kinds !== undefined, (query) => query.where('kind', 'in', kinds ?? []))
    .orderBy('issue_date')
    .orderBy('id')
    .limit(mostInArchive + 1)
    .execute()
  if (rows.length > mostInArchive)
    throw new Problem(
      'validation',
      `An archive holds at most ${mostInArchive} documents. Choose a shorter period.`,
    )
  if (rows.length === 0) throw new Problem('not_ready', 'There are no documents in this period, or not yet.')
  return rows.map(({ id, full_number, key, sha256 }) => {
    const name = `${full_number}.${format}`
    return { name, key: key ?? '', sha256, what: `document ${name}`, invoiceId: id }
  })
}

// A storage over the network takes its time for each file.
const atOnce = 8

/**
 * Reads all files of an archive before the first is sent. Throws `file_damaged`, or `file_unavailable` when all faults are
 * missing files, with the names in `meta.files`.
 */
export async function assertWhole(parts: StoredFiles, files: readonly Archived[]): Promise<void> {
  const few = limit(atOnce)
  const found = await few.map(files, async (file) => {
    const problem = await faultOf(parts, file)
    return problem ? [{ name: file.name, problem }] : []
  })
  const faults = found.flat()
  const [first] = faults
  if (first === undefined) return
  const names = faults.map(({ name }) => name)
  const code = faults.some(({ problem }) => problem.code === 'file_damaged')
    ? 'file_damaged'
    : 'file_unavailable'
  throw new Problem(
    code,
    `Damaged or missing, so there is no archive: ${names.join(', ')}. We have been notified.`,
    {
      meta: { files: names },
      cause: first.problem,
    },
  )
}

import { mostInArchive } from '@portico/contract/resources/invoices.ts'
import type { Actor } from '../db/context.ts'
import type { Database } from '../db/pool.ts'
import { Problem } from '../errors/problem.ts'

/** A file of an archive: what it is called, and where it is kept. */
export type Archived = { readonly name: string; readonly key: string }

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
  const column = wanted.format === 'pdf' ? 'pdf_key' : 'xml_key'
  const { kinds, to } = wanted
  const rows = await db
    .selectFrom('invoices')
    .select(['full_number', `${column} as key`])
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
  return rows.map(({ full_number, key }) => ({ name: full_number ?? '', key: key ?? '' }))
}

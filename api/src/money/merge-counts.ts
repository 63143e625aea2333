import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

type Counts = {
  readonly table: 'document_counts' | 'payment_counts'
  readonly keys: readonly string[]
  readonly sums: readonly string[]
}

const counts: readonly Counts[] = [
  {
    table: 'document_counts',
    keys: ['issue_date', 'kind', 'invoice_status_id', 'currency'],
    sums: ['many', 'net', 'vat', 'total', 'open'],
  },
  { table: 'payment_counts', keys: ['created_at', 'status'], sums: ['many'] },
]

const names = (columns: readonly string[]) => sql.join(columns.map((name) => sql.ref(name)))
const each = (columns: readonly string[], of: (name: string) => RawBuilder<unknown>) =>
  sql.join(columns.map(of))

/**
 * Adds up the rows of the same key, which every change of a document or payment adds. What is deleted is added in the same
 * statement, so two runs at once are as good as one.
 */
export async function mergeCounts(db: Database): Promise<void> {
  for (const { table, keys, sums } of counts) {
    const of = sql.table(table)
    await sql`with gone as (
        delete from ${of} using (select ${names(keys)} from ${of} group by ${names(keys)} having count(*) > 1) k
        where (${each(keys, (name) => sql.ref(`${table}.${name}`))}) = (${each(keys, (name) => sql.ref(`k.${name}`))})
        returning ${each([...keys, ...sums], (name) => sql.ref(`${table}.${name}`))}
      )
      insert into ${of} (${names([...keys, ...sums])})
      select ${names(keys)}, ${each(sums, (name) => sql`sum(${sql.ref(name)})`)} from gone group by ${names(keys)}
      having ${sql.join(
        sums.map((name) => sql`sum(${sql.ref(name)}) <> 0`),
        sql` or `,
      )}`.execute(db)
  }
}

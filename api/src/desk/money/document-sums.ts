import type { deskDocuments } from '@portico/contract/resources/desk-documents.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { openAmount } from '#money/invoice-statuses.ts'
import type { Context } from '#platform/context.ts'
import { conditions, isCounted, isFilter } from './document-conditions.ts'

type Sums = typeof deskDocuments.actions.sums

/** The sums of the documents that a list with these filters shows, by currency. */
export async function documentSums(
  { tx }: Pick<Context, 'tx'>,
  { input }: { readonly input: z.output<Sums['input']> },
): Promise<z.input<Sums['output']>> {
  const named = Object.entries(input).filter(([, value]) => value !== undefined)
  const asked = named.flatMap(([name, value]) =>
    isFilter(name) ? [conditions[name](sql`${String(value)}::text`)] : [],
  )
  const counted = input.kind === 'proforma' ? [] : [sql`invoices.kind <> 'proforma'`]
  const where = sql.join([sql`invoices.issued_at is not null`, ...counted, ...asked], sql` and `)
  const isKept = named.every(([name]) => isCounted(name))
  const from = isKept ? sql`document_counts as invoices` : sql`invoices`
  const count = isKept ? sql`sum(invoices.many)` : sql`count(*)`
  const left = isKept ? sql`invoices.open` : openAmount
  const { rows } = await sql<{ sums: z.input<Sums['output']>['sums'] }>`
    select coalesce(json_agg(to_json(s) order by s.currency), '[]') as sums from (
      select invoices.currency, ${count}::int as count, sum(invoices.net) as net, sum(invoices.vat) as vat,
        sum(invoices.total) as total, sum(${left}) as open
      from ${from} where ${where} group by invoices.currency having ${count} > 0) s`.execute(tx)
  return { sums: rows[0]?.sums ?? [] }
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { action } from '../../api/query.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import classes from '../lists/lists.module.css'
import type { DocumentFilter } from './filters.tsx'

/** The totals of every row of the list, also of those on other pages; currencies are never added up. */
export function DocumentSums({ filter }: { filter: DocumentFilter }) {
  const { data } = useQuery({
    ...action('desk-documents', 'sums', { payload: filter }),
    placeholderData: keepPreviousData,
  })
  if (!data || data.sums.length === 0) return null
  return (
    <section className={`card ${classes.sums}`} aria-label={m.desk_documents_sums()}>
      {data.sums.map(({ currency, net, vat, total, open }) => (
        <dl key={currency}>
          {[
            [m.desk_column_net(), net] as const,
            [m.desk_column_vat(), vat] as const,
            [m.column_total(), total] as const,
            [m.desk_column_open(), open] as const,
          ].map(([name, amount]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{money(amount, currency)}</dd>
            </div>
          ))}
        </dl>
      ))}
      {filter.kind === undefined && <p>{m.desk_documents_sums_text()}</p>}
    </section>
  )
}

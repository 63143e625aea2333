import { type ReportKind, reports } from '@portico/contract/rules/money/reports.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ActionOf, Output } from '../../api/actions.ts'
import { action } from '../../api/query.ts'
import { ResourceTable } from '../../components/table/resource-table.tsx'
import type { View } from '../../components/table/table-view.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconChart } from '../../ui/more-icons.tsx'
import lists from '../lists/lists.module.css'
import { numbered, paged } from '../lists/paged.ts'
import { type ReportRow, reportColumns, sumsOf } from './cells.tsx'
import { ReportChart } from './chart.tsx'
import type { ReportPeriod } from './period.ts'
import classes from './reports.module.css'
import { reportWords } from './words.ts'

type Answer = Output<ActionOf<'reports', 'figures'>>

/** The answer as a table pages through it. */
function prepared({ rows, sums: [whole], currency, ...rest }: Answer, view: View) {
  const all: ReportRow[] = numbered(rows)
  return {
    ...rest,
    currency: currency ?? '',
    rows: all,
    sums: whole && { ...whole, id: 0 },
    ...paged(all, view),
  }
}

type Asked = { id: number | undefined; period: ReportPeriod; currency: string | undefined; view: View }

/** The figures of a report; those of the period before stay while others load. */
export const useFigures = ({ id, period: { from, to }, currency, view }: Asked) =>
  useQuery({
    ...action('reports', 'figures', { id: id ?? 0, payload: { from, to, currency } }),
    enabled: id !== undefined,
    select: (answer) => prepared(answer, view),
    placeholderData: keepPreviousData,
  })

function Sums({ kind, sums, currency }: { kind: ReportKind; sums: ReportRow; currency: string }) {
  return (
    <section className={`card ${lists.sums}`} aria-label={m.desk_documents_sums()}>
      <dl>
        {sumsOf(reports[kind].sums, sums, currency).map(({ name, label, value }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

type Props = {
  kind: ReportKind
  query: ReturnType<typeof useFigures>
  view: View
  onView: (change: Partial<View>) => void
  today: string
}

/** The chart, the sums and the table of a report. */
export function ReportFigures({ kind, query, view, onView, today }: Props) {
  const { data } = query
  const { rows = [], currency = '' } = data ?? {}
  return (
    <>
      {data?.sums && reports[kind].sums.length > 0 && (
        <Sums kind={kind} sums={data.sums} currency={currency} />
      )}
      {data && rows.length > 0 && (
        <ReportChart kind={kind} rows={rows} sums={data.sums} currency={currency} today={today} />
      )}
      <ResourceTable
        caption={reportWords[kind].name()}
        columns={reportColumns(reports[kind].columns, currency)}
        query={query}
        view={view}
        onChange={onView}
        empty={
          <Empty
            icon={<IconChart size={20} />}
            title={m.desk_report_none()}
            text={m.desk_report_none_text()}
          />
        }
        tools={<span />}
        isPlain
      />
      {data && data.count > rows.length && (
        <p className={classes.note}>{m.desk_report_more({ shown: rows.length, count: data.count })}</p>
      )}
    </>
  )
}

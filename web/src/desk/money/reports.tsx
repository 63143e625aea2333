import { isReport, type ReportKind, reports } from '@portico/contract/rules/money/reports.ts'
import { useQuery } from '@tanstack/react-query'
import { list } from '../../api/query.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { textIn, useSearchState } from '../../components/table/search-state.ts'
import { useView } from '../../components/table/table-view.ts'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { monthOf } from '../../ui/days.ts'
import { ReportControls } from '../reports/controls.tsx'
import { ReportFigures, useFigures } from '../reports/figures.tsx'
import { periodOf, type ReportPeriod, units } from '../reports/period.ts'
import classes from '../reports/reports.module.css'
import { reportWords } from '../reports/words.ts'

const every = list('reports', { page: { size: 100 } })

const monthPattern = /^\d{4}-(?:0[1-9]|1[0-2])$/

/** The report, period and currency in the address. */
function useAsked(today: string) {
  const [given, change] = useSearchState()
  const now = monthOf(today)
  const kind: ReportKind = isReport(given.report) ? given.report : 'revenue'
  const unit = units.find((one) => one === given.period) ?? (reports[kind].isTax ? 'quarter' : 'months')
  const at = textIn(given.at)
  const month = unit !== 'months' && at !== undefined && monthPattern.test(at) ? at : now
  const show = (wanted: Record<string, unknown>) => change({ page: undefined, ...wanted })
  return {
    kind,
    period: periodOf(unit, month),
    currency: textIn(given.currency),
    onKind: (kind: ReportKind) => show({ report: kind === 'revenue' ? undefined : kind }),
    onUnit: (wanted: ReportPeriod['unit']) => show({ period: wanted, at: undefined }),
    onChange: ({ month: first }: ReportPeriod) => show({ at: first }),
    onCurrency: (currency: string) => show({ currency }),
  }
}

/** The meaning of the figures, and their time. */
function About({ kind, madeAt, missing }: { kind: ReportKind; madeAt: string | null; missing: number }) {
  const { byDay } = reports[kind]
  return (
    <div className={classes.about}>
      <p>{reportWords[kind].text()}</p>
      {byDay && madeAt !== null && (
        <p>
          {m.desk_report_made()} <When moment={madeAt} />
        </p>
      )}
      {!byDay && <p>{m.desk_report_now()}</p>}
      {byDay && missing > 0 && <p>{m.desk_report_missing({ count: missing })}</p>}
    </div>
  )
}

/** The figures of one report. */
function Report({
  today,
  id,
  ...more
}: {
  today: string
  id: number | undefined
  asked: ReturnType<typeof useAsked>
}) {
  const { asked } = more
  const [view, onView] = useView()
  const query = useFigures({ id, period: asked.period, currency: asked.currency, view })
  return (
    <>
      <ReportControls
        {...asked}
        today={today}
        currency={query.data?.currency}
        currencies={query.data?.currencies ?? []}
      />
      <ReportFigures kind={asked.kind} query={query} view={view} onView={onView} today={today} />
    </>
  )
}

/** Revenue, receipts, debts and sales, by period. */
export default function ReportsScreen() {
  const { data } = useQuery(every)
  const madeAt = data?.items[0]?.made_at ?? null
  // The clock of business may be ahead.
  const today = [new Date().toISOString(), madeAt ?? ''].sort().at(-1)?.slice(0, 10) ?? ''
  const asked = useAsked(today)
  const row = data?.items.find(({ kind }) => kind === asked.kind)
  return (
    <>
      <PageHead title={m.desk_reports_title()} lead={m.desk_reports_lead()} />
      <About kind={asked.kind} madeAt={madeAt} missing={row?.days_missing ?? 0} />
      <Report key={asked.kind} today={today} id={row?.id} asked={asked} />
    </>
  )
}

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { billingOf } from '../../api/queries/billing.ts'
import { type Narrowing, type Range, usageSums } from '../../api/queries/usage.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { AccountChoice, useAccount } from '../../components/money/account.tsx'
import { Figures } from '../../components/money/figures.tsx'
import { UsageChart } from '../../components/money/usage-chart.tsx'
import { UseFilters, useNarrowing } from '../../components/money/use-filters.tsx'
import { owedBy } from '../../components/pay/owed.ts'
import { ExportButton } from '../../components/table/export-button.tsx'
import { useSearchState } from '../../components/table/search-state.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { addDays, addMonths, firstOf, lastOf, monthInWords, monthOf } from '../../ui/days.ts'
import { money, sum } from '../../ui/format.ts'
import { Bone } from '../../ui/loading/bones.tsx'
import { lazily } from '../../ui/loading/lazily.ts'
import { Section } from '../../ui/section.tsx'
import { Lines } from './lines.tsx'
import { type Period, periodIn, periodInWords, rangeOf } from './period.ts'
import { chartedBy, type Split, SplitChoice, splitIn } from './split.tsx'
import { SumTable } from './sum-table.tsx'
import classes from './usages.module.css'
import { Way } from './way.tsx'

const WhyMonth = lazily(async () => (await import('../../components/why/why-month.tsx')).WhyMonth)

/** The filters offer a year; older usage is still in the lists. */
const choices = (asOf: string) => ({ from: addDays(asOf, -364), to: asOf })

/** The month before the one in view, to compare it with. */
function beforeOf(period: Period) {
  if (period.kind !== 'month') return undefined
  const month = addMonths(period.month, -1)
  return {
    range: { from: firstOf(month), to: lastOf(month) },
    name: m.use_same_days({ month: monthInWords(month, language()) }),
  }
}

type PartProps = { period: Period; asOf: string }

/** The totals of the period. */
function Totals({ period, asOf }: PartProps) {
  const narrowing = useNarrowing()
  const { data } = useQuery(usageSums(narrowing, rangeOf(period, asOf), 'project'))
  const { rated_amount = 0, charged_amount = 0, unpriced = 0 } = data?.totals ?? {}
  const shown = (value: number) => (data ? money(value, data.currency) : <Bone width={96} height={32} />)
  return (
    <Figures
      figures={[
        { name: m.usage_total(), value: shown(rated_amount), note: periodInWords(period) },
        { name: m.usage_charged(), value: shown(charged_amount), note: m.usage_charged_text() },
        {
          name: m.usage_open(),
          value: shown(sum([rated_amount, -charged_amount])),
          note: unpriced > 0 ? m.usage_unpriced_count({ count: unpriced }) : m.usage_open_text(),
        },
      ]}
    />
  )
}

function Rows({ narrowing, range, split }: { narrowing: Narrowing; range: Range; split: Split }) {
  if (split === 'lines') return <Lines narrowing={narrowing} range={range} />
  return <SumTable narrowing={narrowing} range={range} split={split} />
}

/** The distribution of the usage: over time, then row by row. */
function Use({ period, asOf }: PartProps) {
  const narrowing = useNarrowing()
  const [given] = useSearchState()
  const range = rangeOf(period, asOf)
  // The totals loaded this query already. Without usage, the chart says so once for the whole page.
  const { data } = useQuery(usageSums(narrowing, range, 'project'))
  const isEmpty = period.kind !== 'day' && data?.rows.length === 0
  const split = splitIn(given.split, period)
  const unit = period.kind === 'year' ? 'month' : 'day'
  const filters = <UseFilters narrowing={narrowing} range={choices(asOf)} />
  const label = unit === 'day' ? m.use_by_day() : m.use_by_month()
  return (
    <>
      {period.kind === 'day' ? (
        <div className={`card ${classes.narrow}`}>{filters}</div>
      ) : (
        <>
          <Section id="use" title={label}>
            {filters}
            <UsageChart
              narrowing={narrowing}
              range={range}
              unit={unit}
              by={chartedBy(split)}
              label={label}
              whole={periodInWords(period)}
              today={asOf}
              before={beforeOf(period)}
            />
          </Section>
          {!isEmpty && <SplitChoice split={split} period={period} />}
        </>
      )}
      {!isEmpty && <Rows narrowing={narrowing} range={range} split={split} />}
    </>
  )
}

function Opened({ period, asOf }: PartProps) {
  const narrowing = useNarrowing()
  const { client_id, project_id, panel_id, resource } = narrowing
  const filter = { client_id, project_id, panel_id, resource, ...rangeOf(period, asOf) }
  return (
    <>
      <div className={classes.bar}>
        <Way period={period} />
        <ExportButton type="usages" filter={filter} name="usages" />
      </div>
      <div className={classes.page}>
        <Totals period={period} asOf={asOf} />
        {period.kind === 'month' && period.month <= monthOf(asOf) && (
          <Suspense fallback={<Bone height={58} />}>
            <WhyMonth narrowing={narrowing} month={period.month} />
          </Suspense>
        )}
        <Use period={period} asOf={asOf} />
      </div>
    </>
  )
}

/** Usage and its cost: from months to days to single records. */
export default function UsagesScreen() {
  const account = useAccount()
  const [given] = useSearchState()
  const { data, error, isError, refetch } = useQuery(billingOf(account))
  const profile = data?.items[0]
  const asOf = profile?.as_of
  const isDue = profile !== undefined && (profile.service_bills_sum > 0 || owedBy(profile) !== undefined)
  return (
    <>
      <PageHead title={m.usages_title()} lead={m.usage_page_lead()}>
        <AccountChoice />
        {isDue && (
          <Button renderRoot={(props) => <Link {...props} to={href('pay')} search={{ account }} />}>
            {m.usage_pay()}
          </Button>
        )}
      </PageHead>
      {asOf === undefined &&
        (isError ? (
          <LoadFailure error={error} onRetry={() => void refetch()} />
        ) : (
          <div className="card">
            <Bone height={480} />
          </div>
        ))}
      {asOf !== undefined && <Opened period={periodIn(given.period, asOf)} asOf={asOf} />}
    </>
  )
}

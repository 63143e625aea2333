import { Button, NativeSelect } from '@mantine/core'
import { type ReportKind, reportKinds, reports } from '@portico/contract/rules/money/reports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { asFailure } from '../../api/failure.ts'
import { inWords } from '../../api/refusal-words.ts'
import { language } from '../../stores/language.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { isUnfinished } from '../accounting/periods.ts'
import { saveFile } from '../accounting/save-file.ts'
import { periodInWords, type ReportPeriod, stepped, type Unit, units } from './period.ts'
import classes from './reports.module.css'
import { reportWords } from './words.ts'

const unitWords: Readonly<Record<Unit, () => string>> = {
  months: m.desk_report_unit_months,
  month: m.desk_report_unit_month,
  quarter: m.desk_report_unit_quarter,
  year: m.desk_report_unit_year,
}

const optionsOf = <T extends string>(names: readonly T[], words: (name: T) => string) =>
  names.map((value) => ({ value, label: words(value) }))

const arrows = { before: '‹', after: '›' } as const

type PeriodProps = { period: ReportPeriod; today: string; onChange: (period: ReportPeriod) => void }

/** The buttons to the periods before and after. */
function Steps({ period, today, onChange }: PeriodProps) {
  const [before, after] = [stepped(period, -1, today), stepped(period, 1, today)]
  return (
    <div className={classes.steps}>
      {period.unit !== 'months' && (
        <Button
          variant="default"
          size="sm"
          aria-label={m.desk_report_before()}
          onClick={() => before && onChange(before)}
        >
          {arrows.before}
        </Button>
      )}
      <span role="status">{periodInWords(period, language())}</span>
      {period.unit !== 'months' && (
        <Button
          variant="default"
          size="sm"
          aria-label={m.desk_report_after()}
          disabled={!after}
          onClick={() => after && onChange(after)}
        >
          {arrows.after}
        </Button>
      )}
    </div>
  )
}

/** Saves the file of a report; says why that failed. */
function Download({ kind, period, today }: { kind: ReportKind; period: ReportPeriod; today: string }) {
  const { from, to } = period
  const [state, setState] = useState<{ running: boolean; problem?: string }>({ running: false })
  const client = useQueryClient()
  const start = async () => {
    setState({ running: true })
    try {
      await saveFile({ kind: reports[kind].file, from_day: from, to_day: to })
      setState({ running: false })
      toast(m.desk_export_done({ name: reportWords[kind].name() }))
      await client.invalidateQueries({ queryKey: ['accounting-exports'] })
    } catch (error) {
      setState({ running: false, problem: inWords(asFailure(error)) })
    }
  }
  return (
    <div className={classes.download}>
      <Button variant="default" loading={state.running} onClick={() => void start()}>
        {m.desk_report_download()}
      </Button>
      {!reports[kind].isNow && isUnfinished(period, today) && <span>{m.desk_period_open()}</span>}
      <span role="alert" className={classes.problem}>
        {state.problem}
      </span>
    </div>
  )
}

type Props = PeriodProps & {
  kind: ReportKind
  currency: string | undefined
  currencies: readonly string[]
  onKind: (kind: ReportKind) => void
  onUnit: (unit: Unit) => void
  onCurrency: (currency: string) => void
}

/** The choice of report, period and currency, and the file. */
export function ReportControls(props: Props) {
  const { kind, period, today, currency, currencies, onKind, onUnit, onCurrency } = props
  return (
    <div className={`card ${classes.controls}`}>
      <NativeSelect
        label={m.desk_report_choice()}
        value={kind}
        data={optionsOf(reportKinds, (one) => reportWords[one].name())}
        onChange={({ currentTarget: { selectedIndex } }) => onKind(reportKinds[selectedIndex] ?? 'revenue')}
      />
      {!reports[kind].isNow && (
        <>
          <NativeSelect
            label={m.desk_export_period()}
            value={period.unit}
            data={optionsOf(units, (one) => unitWords[one]())}
            onChange={({ currentTarget: { selectedIndex } }) => onUnit(units[selectedIndex] ?? 'months')}
          />
          <Steps {...props} />
        </>
      )}
      {currencies.length > 1 && (
        <NativeSelect
          label={m.currency()}
          value={currency}
          data={[...currencies]}
          onChange={({ currentTarget: { value } }) => onCurrency(value)}
        />
      )}
      <Download key={kind} kind={kind} period={period} today={today} />
    </div>
  )
}

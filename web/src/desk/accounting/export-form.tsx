import { Button, NativeSelect } from '@mantine/core'
import {
  type AccountingExportKind,
  accountantFiles,
} from '@portico/contract/rules/money/accounting-exports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { asFailure } from '../../api/failure.ts'
import { inWords } from '../../api/refusal-words.ts'
import { DateField } from '../../components/dates/date-field.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { utcToday } from '../../ui/days.ts'
import classes from './accounting.module.css'
import { exportKinds } from './kinds.ts'
import {
  isUnfinished,
  isWholeQuarters,
  namedPeriod,
  type Period,
  type PeriodName,
  periodNames,
} from './periods.ts'
import { saveFile } from './save-file.ts'

const optionsOf = (names: Readonly<Record<string, () => string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label: label() }))

type Chosen = Period & { readonly kind: AccountingExportKind; readonly period: PeriodName }

/** Exports what was chosen; says how it goes, and why it failed. */
function useExport({ kind, from, to }: Chosen) {
  const [state, setState] = useState<{ running: boolean; problem?: string }>({ running: false })
  const client = useQueryClient()
  const start = async (event: FormEvent) => {
    event.preventDefault()
    setState({ running: true })
    try {
      await saveFile({ kind, from_day: from, to_day: to })
      setState({ running: false })
      toast(m.desk_export_done({ name: exportKinds[kind].name() }))
      await client.invalidateQueries()
    } catch (error) {
      setState({ running: false, problem: inWords(asFailure(error)) })
    }
  }
  return { ...state, start }
}

function Days({
  chosen: { from, to },
  onChange,
}: {
  chosen: Chosen
  onChange: (days: Partial<Period>) => void
}) {
  return (
    <>
      <DateField label={m.desk_log_from()} value={from} onChange={(day) => onChange({ from: day })} />
      <DateField label={m.desk_log_to()} value={to} onChange={(day) => onChange({ to: day })} />
    </>
  )
}

/** What is to be known about the chosen days before they are exported. */
function warningOf(chosen: Chosen, today: string): string | undefined {
  if (isUnfinished(chosen, today)) return m.desk_period_open()
  return chosen.kind === 'oss' && !isWholeQuarters(chosen) ? m.desk_export_oss_part() : undefined
}

/** Asks which file and which days, and saves the file. */
export function ExportForm() {
  const today = utcToday()
  const [chosen, setChosen] = useState<Chosen>(() => ({
    kind: 'sales_journal',
    period: 'month',
    ...(namedPeriod('month', today) ?? { from: today, to: today }),
  }))
  const { running, problem, start } = useExport(chosen)
  const choose = (period: PeriodName) => setChosen({ ...chosen, period, ...namedPeriod(period, today) })
  // A return of OSS is about a quarter.
  const chooseFile = (kind: AccountingExportKind) =>
    setChosen({
      ...chosen,
      kind,
      ...(kind === 'oss' &&
        chosen.period === 'month' && { period: 'quarter', ...namedPeriod('quarter', today) }),
    })
  return (
    <form className={`card ${classes.form}`} onSubmit={(event) => void start(event)}>
      <NativeSelect
        label={m.desk_export_file()}
        value={chosen.kind}
        data={accountantFiles.map((kind) => ({ value: kind, label: exportKinds[kind].name() }))}
        onChange={({ currentTarget: { selectedIndex } }) =>
          chooseFile(accountantFiles[selectedIndex] ?? 'sales_journal')
        }
      />
      <NativeSelect
        label={m.desk_export_period()}
        value={chosen.period}
        data={optionsOf(periodNames)}
        // The options are the names.
        onChange={({ currentTarget: { value } }) => choose(value as PeriodName)}
      />
      <Days chosen={chosen} onChange={(days) => setChosen({ ...chosen, ...days, period: 'own' })} />
      <p className={classes.text}>{exportKinds[chosen.kind].text()}</p>
      <p role="status" className={classes.text}>
        {warningOf(chosen, today)}
      </p>
      <div role="alert" className={classes.problem}>
        {problem}
      </div>
      <Button type="submit" loading={running}>
        {m.desk_export_verb()}
      </Button>
    </form>
  )
}

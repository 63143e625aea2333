import { Button } from '@mantine/core'
import { base } from '@portico/contract/wire.ts'
import { useEffect, useRef, useState } from 'react'
import { asFailure } from '../../api/failure.ts'
import { download, type Received, save } from '../../api/files/download.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { IconFile } from '../../ui/more-icons.tsx'
import { quantity } from '../money/figures.ts'
import classes from './export-button.module.css'

type State = { kind: 'idle' } | ({ kind: 'running' } & Received) | { kind: 'failed'; why: string }

/** Minimum interval between progress updates, in milliseconds: faster ones cannot be read. */
const reportEvery = 200

type Props = {
  type: 'usages' | 'billing-logs' | 'tickets'
  /** The filters of the list. */
  filter: Readonly<Record<string, string | number | undefined>>
  /** The file name, where the server gives none. */
  name: string
}

function pathOf({ type, filter }: Props): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  const query = given.map(([key, value]) => `filter[${key}]=${encodeURIComponent(String(value))}`).join('&')
  return `${base}/${type}/-actions/export${query && `?${query}`}`
}

/** Downloads the file and reports its progress; leaving the page cancels it. */
function useExport(props: Props) {
  const [state, setState] = useState<State>({ kind: 'idle' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start = async () => {
    const controller = new AbortController()
    running.current = controller
    setState({ kind: 'running', rows: 0, total: undefined })
    let reportedAt = 0
    try {
      const { name, file, rows } = await download(
        pathOf(props),
        (received) => {
          if (performance.now() - reportedAt < reportEvery) return
          reportedAt = performance.now()
          setState({ kind: 'running', ...received })
        },
        controller.signal,
      )
      save(file, name ?? `${props.name}.csv`)
      toast(m.export_done({ rows: quantity(rows) }))
      setState({ kind: 'idle' })
    } catch (error) {
      setState(
        controller.signal.aborted ? { kind: 'idle' } : { kind: 'failed', why: asFailure(error).message },
      )
    }
  }
  return { state, start, cancel: () => running.current?.abort() }
}

function progressOf({ rows, total }: Received): string {
  const shown = quantity(rows)
  return total === undefined
    ? m.export_rows({ rows: shown })
    : m.export_rows_of({ rows: shown, total: quantity(total) })
}

/** A button that exports all rows of a list as CSV, and can cancel it. */
export function ExportButton(props: Props) {
  const { state, start, cancel } = useExport(props)
  const isRunning = state.kind === 'running'
  return (
    <div className={classes.export}>
      <span role="status" className={classes.said}>
        {isRunning && progressOf(state)}
        {state.kind === 'failed' && (
          <span className={classes.bad}>{m.export_failed({ why: state.why })}</span>
        )}
      </span>
      <Button
        variant="default"
        className={classes.button ?? ''}
        onClick={isRunning ? cancel : () => void start()}
      >
        <IconFile className={classes.icon} size={18} />
        <span className={classes.label}>{isRunning ? m.export_cancel() : m.export_csv()}</span>
      </Button>
    </div>
  )
}

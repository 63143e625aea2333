import { Button } from '@mantine/core'
import { base } from '@portico/contract/wire.ts'
import { useEffect, useRef, useState } from 'react'
import { download, type Received, save } from '../api/download.ts'
import { asFailure } from '../api/failure.ts'
import { toast } from '../stores/toast.ts'
import { m } from '../texts/compiled/messages.js'
import { quantity } from '../ui/format.ts'
import classes from './export-button.module.css'

type State = { kind: 'idle' } | ({ kind: 'running' } & Received) | { kind: 'failed'; why: string }

/** More often than this, in milliseconds, nobody can read how far it has come. */
const toldEvery = 200

type Props = {
  type: 'usages' | 'billing-logs' | 'tickets'
  /** What the rows are narrowed to, by the filters of their list. */
  filter: Readonly<Record<string, string | number | undefined>>
  /** The file, where the server gives it no name. */
  name: string
}

function pathOf({ type, filter }: Props): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  const query = given.map(([key, value]) => `filter[${key}]=${encodeURIComponent(String(value))}`).join('&')
  return `${base}/${type}/-actions/export${query && `?${query}`}`
}

/** Brings the file, and says how far it has come; leaving the page ends it. */
function useExport(props: Props) {
  const [state, setState] = useState<State>({ kind: 'idle' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start = async () => {
    const controller = new AbortController()
    running.current = controller
    setState({ kind: 'running', rows: 0, total: undefined })
    let told = 0
    try {
      const { name, file, rows } = await download(
        pathOf(props),
        (received) => {
          if (performance.now() - told < toldEvery) return
          told = performance.now()
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

/** All rows of a list as a CSV file, however many they are, and a way to stop it. */
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
      <Button variant="default" onClick={isRunning ? cancel : () => void start()}>
        {isRunning ? m.export_cancel() : m.export_csv()}
      </Button>
    </div>
  )
}

import { Button } from '@mantine/core'
import { useState } from 'react'
import { asFailure } from '../../api/failure.ts'
import { type Arrived, saveArchive } from '../../api/files/documents.ts'
import { inWords as refusalInWords } from '../../api/refusal-words.ts'
import { PeriodFields } from '../../components/dates/date-field.tsx'
import { useAccount } from '../../components/money/account.tsx'
import { quantity } from '../../components/money/figures.ts'
import { m } from '../../texts/compiled/messages.js'
import { addDays } from '../../ui/days.ts'
import classes from './billing.module.css'

const kilobyte = 1024

type State =
  | { kind: 'idle' }
  | { kind: 'asked' }
  | ({ kind: 'running' } & Arrived)
  | { kind: 'done'; total: number; missing: number }
  | { kind: 'failed'; why: string }

function inWords(state: State): string {
  switch (state.kind) {
    case 'idle':
    case 'asked':
      return ''
    case 'running':
      return m.archive_running({
        begun: state.begun,
        total: state.total,
        size: quantity(Math.ceil(state.bytes / kilobyte)),
      })
    case 'done':
      return state.missing === 0
        ? m.archive_done({ count: state.total })
        : `${m.archive_done({ count: state.total })}. ${m.archive_missing({ count: state.missing })}`
    case 'failed':
      return state.why
  }
}

type Props = {
  today: string
  /** The ticked documents, instead of a period. */
  ticked: readonly number[]
  onClear: () => void
}

/** Downloads the ticked documents as one file, or those of a period; without a last day, up to the newest. */
export function Archive({ today, ticked, onClear }: Props) {
  const client_id = useAccount()
  const [range, setRange] = useState<{ from: string; to?: string | undefined }>({
    from: addDays(today, -364),
  })
  const [state, setState] = useState<State>({ kind: 'idle' })
  const bring = async () => {
    setState({ kind: 'asked' })
    const wanted = ticked.length > 0 ? { ids: [...ticked] } : range
    await saveArchive({ client_id, ...wanted }, (arrived) => setState({ kind: 'running', ...arrived })).then(
      (done) => setState({ kind: 'done', ...done }),
      (error: unknown) => setState({ kind: 'failed', why: refusalInWords(asFailure(error)) }),
    )
  }
  return (
    <fieldset className={classes.archive}>
      <legend>{m.archive_title()}</legend>
      {ticked.length === 0 && (
        <PeriodFields
          {...range}
          onChange={(change) => setRange((last) => ({ ...last, ...change, from: change.from ?? last.from }))}
        />
      )}
      <Button
        variant="default"
        loading={state.kind === 'asked' || state.kind === 'running'}
        onClick={() => void bring()}
      >
        {ticked.length === 0 ? m.archive_verb() : m.archive_ticked({ count: ticked.length })}
      </Button>
      {ticked.length > 0 && (
        <Button variant="subtle" onClick={onClear}>
          {m.archive_untick()}
        </Button>
      )}
      <span role="status">{inWords(state)}</span>
    </fieldset>
  )
}

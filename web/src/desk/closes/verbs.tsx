import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ActionOf, Output } from '../../api/actions.ts'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

export type Close = Row<'month-closes'>
export type Waiting = Output<ActionOf<'month-closes', 'preview'>>['clients'][number]

type Of = { close: Close; onClose: () => void }

function CloseDialog({ close: { id, waiting }, onClose }: Of) {
  const action = useAction('month-closes', 'closeMonth')
  const done = () => {
    onClose()
    toast(m.desk_close_queued())
  }
  return (
    <VerbDialog
      title={m.desk_close_month_title({ count: waiting })}
      text={m.desk_close_month_text()}
      verb={m.desk_close_month_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id, payload: {}, headers: because(reason) }, { onSuccess: done })
      }
      onClose={onClose}
    />
  )
}

function RetryDialog({ close: { id }, client, onClose }: Of & { client: Waiting }) {
  const action = useAction('month-closes', 'retryClose')
  const confirm = (reason: string) =>
    action.mutate(
      { id, payload: { client_id: client.client_id }, headers: because(reason) },
      {
        onSuccess: ({ full_number: number }) => {
          onClose()
          toast(number === null ? m.desk_close_nothing() : m.desk_close_issued({ number }))
        },
      },
    )
  return (
    <VerbDialog
      title={m.desk_close_retry_title({ name: client.client_name })}
      text={m.desk_close_retry_text()}
      verb={m.desk_close_retry_verb()}
      action={action}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}

/** Closes the month of everyone who waits, where the reader may. */
export function CloseMonth({ close }: { close: Close }) {
  const [isOpen, setOpen] = useState(false)
  if (!close.may.closeMonth || close.waiting === 0) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>{m.desk_close_month()}</Button>
      {isOpen && <CloseDialog close={close} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Closes the month of one client, where the reader may. */
export function RetryClose({ close, client }: { close: Close; client: Waiting }) {
  const [isOpen, setOpen] = useState(false)
  if (!close.may.retryClose) return null
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {m.desk_close_retry()}
      </Button>
      {isOpen && <RetryDialog close={close} client={client} onClose={() => setOpen(false)} />}
    </>
  )
}

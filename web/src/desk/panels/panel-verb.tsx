import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Client } from '../client/words.tsx'
import { useSecond } from '../second/use-second.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { useStop } from './stop-fields.tsx'

type Of = { client: Client; panel: Row<'panels'>; onClose: () => void }

function Stop({ client, panel: { id, name }, onClose }: Of) {
  const stop = useStop()
  const action = useAction('desk-clients', 'suspendPanel')
  const payload = { panel_id: id, ...stop.input }
  const second = useSecond({ verb: 'suspendPanel', about: client.id, input: () => payload, onClose })
  const done = () => {
    onClose()
    toast(m.desk_panel_stopped())
  }
  return (
    <VerbDialog
      danger
      isRead={stop.isRead}
      title={m.desk_panel_stop_title({ name })}
      text={m.desk_panel_stop_text()}
      verb={m.desk_panel_stop_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id: client.id, payload, headers: because(reason) }, { onSuccess: done })
      }
      second={second}
      onClose={onClose}
    >
      {stop.fields}
    </VerbDialog>
  )
}

function Resume({ client, panel: { id, name }, onClose }: Of) {
  const action = useAction('desk-clients', 'resumePanel')
  const done = () => {
    onClose()
    toast(m.desk_panel_resumed())
  }
  return (
    <VerbDialog
      title={m.desk_panel_resume_title({ name })}
      text={m.desk_panel_resume_text()}
      verb={m.desk_panel_resume_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate(
          { id: client.id, payload: { panel_id: id }, headers: because(reason) },
          { onSuccess: done },
        )
      }
      onClose={onClose}
    />
  )
}

/** Stops a panel, or lets one run again that staff stopped. */
export function PanelVerb({ client, panel }: Omit<Of, 'onClose'>) {
  const [isOpen, setOpen] = useState(false)
  const isStopped = panel.status_reason?.code === 'operator'
  if (!client.may.suspendPanel || panel.status === 'deleting') return null
  // A panel that was stopped by a block runs again when the block ends.
  if (isStopped && client.status === 0) return null
  const Dialog = isStopped ? Resume : Stop
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        {isStopped ? m.desk_panel_resume() : m.desk_panel_stop()}
      </Button>
      {isOpen && <Dialog client={client} panel={panel} onClose={() => setOpen(false)} />}
    </>
  )
}

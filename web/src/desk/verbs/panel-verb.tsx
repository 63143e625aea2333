import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { stopKind } from '@portico/contract/resources/desk-clients.ts'
import { useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/checkbox.ts'
import type { Client } from '../client/words.tsx'
import { useSecond } from '../second/use-second.ts'
import { because, VerbDialog } from './verb-dialog.tsx'

type Kind = (typeof stopKind)['options'][number]
type Of = { client: Client; panel: Row<'panels'>; onClose: () => void }

const kinds: Record<Kind, () => string> = {
  abuse: m.desk_stop_abuse,
  fraud: m.desk_stop_fraud,
  order: m.desk_stop_order,
  request: m.desk_stop_request,
}

function Stop({ client, panel: { id, name }, onClose }: Of) {
  const [kind, setKind] = useState<Kind>('abuse')
  const [letter, setLetter] = useState(false)
  const action = useAction('desk-clients', 'suspendPanel')
  const isOrder = kind === 'order'
  const payload = { panel_id: id, kind, ...(isOrder && { letter }) }
  const second = useSecond({ verb: 'suspendPanel', about: client.id, input: () => payload, onClose })
  const done = () => {
    onClose()
    toast(m.desk_panel_stopped())
  }
  return (
    <VerbDialog
      danger
      isRead={!isOrder || letter}
      title={m.desk_panel_stop_title({ name })}
      text={m.desk_panel_stop_text()}
      verb={m.desk_panel_stop_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate(
          {
            id: client.id,
            payload,
            headers: because(reason),
          },
          { onSuccess: done },
        )
      }
      second={second}
      onClose={onClose}
    >
      <NativeSelect
        label={m.desk_stop_kind()}
        value={kind}
        data={stopKind.options.map((value) => ({ value, label: kinds[value]() }))}
        onChange={({ currentTarget }) =>
          setKind(stopKind.options.find((one) => one === currentTarget.value) ?? kind)
        }
      />
      {isOrder && (
        <Checkbox
          label={m.desk_stop_letter()}
          checked={letter}
          onChange={(event) => setLetter(event.currentTarget.checked)}
        />
      )}
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

function Terminate({ client, panel: { id, name }, onClose }: Of) {
  const [typed, setTyped] = useState('')
  const input = () => ({ panel_id: id, name: typed })
  const second = useSecond({ verb: 'terminatePanel', about: client.id, input, onClose })
  return (
    <VerbDialog
      danger
      isRead
      title={m.desk_panel_terminate_title({ name })}
      text={m.desk_panel_terminate_text()}
      verb={m.desk_second_ask()}
      action={second}
      onConfirm={second.ask}
      onClose={onClose}
    >
      <TextInput
        label={m.desk_panel_terminate_name({ name })}
        required
        autoComplete="off"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </VerbDialog>
  )
}

/** Asks for the deletion of a suspended panel. */
export function PanelTermination({ client, panel }: Omit<Of, 'onClose'>) {
  const [isOpen, setOpen] = useState(false)
  if (!client.may.terminatePanel || panel.status !== 'suspended') return null
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        {m.desk_panel_terminate()}
      </Button>
      {isOpen && <Terminate client={client} panel={panel} onClose={() => setOpen(false)} />}
    </>
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

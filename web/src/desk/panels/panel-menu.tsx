import { TextInput } from '@mantine/core'
import { type FunctionComponent, useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Client } from '../client/words.tsx'
import { AssignPlan } from '../client-prices/assign-plan.tsx'
import { useSecond } from '../second/use-second.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { VerbMenu } from '../verbs/verb-menu.tsx'

type Panel = Row<'panels'>
type Of = { client: Client; panel: Panel; onClose: () => void }

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

/** The dialog of a verb that takes the panel alone. */
const simple =
  (
    name: 'retryPanel' | 'syncPanel',
    words: {
      readonly title: (of: { name: string }) => string
      readonly text: () => string
      readonly verb: () => string
      readonly done: () => string
    },
  ): FunctionComponent<Of> =>
  ({ client, panel, onClose }) => {
    const action = useAction('desk-clients', name)
    const onSuccess = () => {
      onClose()
      toast(words.done())
    }
    return (
      <VerbDialog
        title={words.title({ name: panel.name })}
        text={words.text()}
        verb={words.verb()}
        action={action}
        onConfirm={(reason) =>
          action.mutate(
            { id: client.id, payload: { panel_id: panel.id }, headers: because(reason) },
            { onSuccess },
          )
        }
        onClose={onClose}
      />
    )
  }

const Retry = simple('retryPanel', {
  title: m.desk_panel_retry_title,
  text: m.desk_panel_retry_text,
  verb: m.desk_panel_retry_verb,
  done: m.desk_panel_retried,
})
const Sync = simple('syncPanel', {
  title: m.desk_panel_sync_title,
  text: m.desk_panel_sync_text,
  verb: m.desk_panel_sync_verb,
  done: m.desk_panel_synced,
})

type Entry = {
  readonly label: () => string
  readonly fits: (panel: Panel) => boolean
  readonly Dialog: FunctionComponent<Of>
}

const entries = {
  retryPanel: {
    label: m.desk_panel_retry,
    fits: ({ failed_step }) => failed_step !== null,
    Dialog: Retry,
  },
  syncPanel: {
    label: m.desk_panel_sync,
    fits: ({ status }) => status !== 'provisioning' && status !== 'deleting',
    Dialog: Sync,
  },
  assignPlan: {
    label: m.desk_assign,
    fits: ({ status }) => status === 'active' || status === 'degraded',
    Dialog: AssignPlan,
  },
  terminatePanel: {
    label: m.desk_panel_terminate,
    fits: ({ status }) => status === 'suspended',
    Dialog: Terminate,
  },
} as const satisfies Record<string, Entry>

type Name = keyof typeof entries
const names: readonly Name[] = ['retryPanel', 'syncPanel', 'assignPlan', 'terminatePanel']

/** The verbs of a panel that are not of every day, where the reader may. */
export function PanelMenu({ client, panel }: Omit<Of, 'onClose'>) {
  return (
    <VerbMenu
      row={panel.name}
      offered={names.filter((name) => client.may[name] && entries[name].fits(panel))}
      label={(name) => entries[name].label()}
      dialog={(name, onClose) => {
        const { Dialog } = entries[name]
        return <Dialog client={client} panel={panel} onClose={onClose} />
      }}
    />
  )
}

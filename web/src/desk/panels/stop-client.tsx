import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { type Client, clientName } from '../client/words.tsx'
import { useSecond } from '../second/use-second.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { useStop } from './stop-fields.tsx'

/** Stops all panels of a client. */
export function StopClient({ client, onClose }: { client: Client; onClose: () => void }) {
  const stop = useStop()
  const action = useAction('desk-clients', 'suspendClient')
  const second = useSecond({ verb: 'suspendClient', about: client.id, input: () => stop.input, onClose })
  const onSuccess = ({ panels: count }: { panels: number }) => {
    onClose()
    toast(m.desk_stop_all_done({ count }))
  }
  return (
    <VerbDialog
      danger
      isRead={stop.isRead}
      title={m.desk_stop_all_title({ name: clientName(client) })}
      text={m.desk_stop_all_text()}
      verb={m.desk_stop_all_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id: client.id, payload: stop.input, headers: because(reason) }, { onSuccess })
      }
      second={second}
      onClose={onClose}
    >
      {stop.fields}
    </VerbDialog>
  )
}

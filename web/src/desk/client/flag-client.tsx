import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/checkbox.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { flagName, flags } from './flags.tsx'
import { type Client, clientName } from './words.tsx'

/** Marks a client for other staff. */
export function FlagClient({ client, onClose }: { client: Client; onClose: () => void }) {
  const action = useAction('desk-clients', 'flag')
  const [chosen, setChosen] = useState<readonly string[]>(client.flags)
  const onSuccess = () => {
    onClose()
    toast(m.desk_flag_done())
  }
  return (
    <VerbDialog
      title={m.desk_flag_title({ name: clientName(client) })}
      text={m.desk_flag_text()}
      verb={m.desk_flag_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate(
          {
            id: client.id,
            payload: { flags: flags.filter((flag) => chosen.includes(flag)) },
            headers: because(reason),
          },
          { onSuccess },
        )
      }
      onClose={onClose}
    >
      {flags.map((flag) => (
        <Checkbox
          key={flag}
          label={flagName(flag)}
          checked={chosen.includes(flag)}
          onChange={({ currentTarget: { checked } }) =>
            setChosen(checked ? [...chosen, flag] : chosen.filter((one) => one !== flag))
          }
        />
      ))}
    </VerbDialog>
  )
}

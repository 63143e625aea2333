import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { type Client, clientName } from '../client/words.tsx'
import { because, VerbDialog } from './verb-dialog.tsx'

/** Sets when the invoices of a client are due, or lets them be due as those of others again. */
export function SetTerms({ client, onClose }: { client: Client; onClose: () => void }) {
  const action = useAction('desk-clients', 'setTerms')
  const [days, setDays] = useState(String(client.due_days ?? ''))
  const done = () => {
    onClose()
    toast(m.desk_terms_done())
  }
  return (
    <VerbDialog
      title={m.desk_terms_title({ name: clientName(client) })}
      text={m.desk_terms_text()}
      verb={m.desk_terms_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate(
          {
            id: client.id,
            payload: { due_days: days.trim() === '' ? null : Number(days) },
            headers: because(reason),
          },
          { onSuccess: done },
        )
      }
      onClose={onClose}
    >
      <TextInput
        label={m.desk_terms_days()}
        description={m.desk_terms_days_hint()}
        inputMode="numeric"
        autoComplete="off"
        pattern="\s*\d{1,3}\s*"
        value={days}
        onChange={({ currentTarget }) => setDays(currentTarget.value)}
      />
    </VerbDialog>
  )
}

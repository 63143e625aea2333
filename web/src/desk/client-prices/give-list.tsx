import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { wholeList } from '../../api/query.ts'
import { useAction } from '../../api/write.ts'
import { DateField } from '../../components/dates/date-field.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { type Client, clientName } from '../client/words.tsx'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'

/** Charges a client by a list of prices of their own, or by the default prices again. */
export function GiveList({ client, onClose }: { client: Client; onClose: () => void }) {
  const action = useAction('desk-clients', 'giveList')
  const { data } = useQuery(wholeList('price-lists', { filter: { currency: client.currency }, sort: 'code' }))
  const [chosen, setChosen] = useState('')
  const [from, setFrom] = useState('')
  const done = () => {
    onClose()
    toast(m.desk_list_done())
  }
  const lists = (data?.items ?? []).filter(({ is_default }) => !is_default)
  return (
    <VerbDialog
      title={m.desk_list_title({ name: clientName(client) })}
      text={m.desk_list_text()}
      verb={m.desk_list_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate(
          { id: client.id, payload: { list: chosen || null, from }, headers: because(reason) },
          { onSuccess: done },
        )
      }
      onClose={onClose}
    >
      <NativeSelect
        label={m.desk_list_label()}
        description={lists.length === 0 ? m.desk_list_none({ currency: client.currency }) : undefined}
        value={chosen}
        data={[
          { value: '', label: m.desk_list_default() },
          ...lists.map(({ code }) => ({ value: code, label: code })),
        ]}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
      <DateField label={m.desk_list_from()} required value={from} onChange={setFrom} />
    </VerbDialog>
  )
}

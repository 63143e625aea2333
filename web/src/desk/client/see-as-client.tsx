import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../api/write.ts'
import { beginView } from '../../stores/view.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { type Client, clientName } from './words.tsx'

function Dialog({ client, onClose }: { client: Client; onClose: () => void }) {
  const action = useAction('desk-clients', 'seeAsClient')
  const confirm = (reason: string) =>
    action.mutate(
      { id: client.id, payload: {}, headers: because(reason) },
      { onSuccess: ({ token }) => beginView(token) },
    )
  return (
    <VerbDialog
      title={m.desk_see_title({ name: clientName(client) })}
      text={m.desk_see_text()}
      verb={m.desk_see_verb()}
      isRead
      action={action}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}

/** Opens the portal as the client sees it, where they or the operator allow it. */
export function SeeAsClient({ client }: { client: Client }) {
  const [isOpen, setIsOpen] = useState(false)
  if (!client.may.seeAsClient) return null
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {m.see_as_client()}
      </Button>
      {isOpen && <Dialog client={client} onClose={() => setIsOpen(false)} />}
    </>
  )
}

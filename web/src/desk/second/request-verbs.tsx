import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { RequestAbout, RequestInput } from './request.tsx'
import type { Request } from './words.ts'

const words = {
  approve: {
    label: m.desk_request_approve,
    title: m.desk_request_approve_title,
    text: m.desk_request_approve_text,
    verb: m.desk_request_approve_verb,
    done: m.desk_request_approve_done,
  },
  decline: {
    label: m.desk_request_decline,
    title: m.desk_request_decline_title,
    text: m.desk_request_decline_text,
    verb: m.desk_request_decline_verb,
    done: m.desk_request_decline_done,
  },
  withdraw: {
    label: m.desk_request_withdraw,
    title: m.desk_request_withdraw_title,
    text: m.desk_request_withdraw_text,
    verb: m.desk_request_withdraw_verb,
    done: m.desk_request_withdraw_done,
  },
} as const

type Name = keyof typeof words
const names: readonly Name[] = ['approve', 'decline', 'withdraw']

type Of = { request: Request; name: Name; onClose: () => void }

function Dialog({ request, name, onClose }: Of) {
  const action = useAction('desk-requests', name)
  const { title, text, verb, done } = words[name]
  const onSuccess = () => {
    onClose()
    toast(done())
  }
  return (
    <VerbDialog
      title={title({ name: request.asked_by_name })}
      text={text()}
      verb={verb()}
      danger={name === 'decline'}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id: request.id, payload: {}, headers: because(reason) }, { onSuccess })
      }
      onClose={onClose}
    >
      <RequestAbout request={request} />
      <RequestInput request={request} />
      <p>{`${request.asked_by_name}: ${request.reason}`}</p>
    </VerbDialog>
  )
}

/** The actions that the reader may use on a request now. */
export function RequestVerbs({ request }: { request: Request }) {
  const [open, setOpen] = useState<Name>()
  if (request.state !== 'open') return null
  return (
    <Group gap={6}>
      {names
        .filter((name) => request.may[name])
        .map((name) => (
          <Button key={name} variant="default" size="xs" onClick={() => setOpen(name)}>
            {words[name].label()}
          </Button>
        ))}
      {open && <Dialog request={request} name={open} onClose={() => setOpen(undefined)} />}
    </Group>
  )
}

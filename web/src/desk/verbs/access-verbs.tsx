import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { type Client, clientName } from '../client/words.tsx'
import { useSecond } from '../second/use-second.ts'
import { VerbDialog } from './verb-dialog.tsx'

type Of = { client: Client; onClose: () => void }

function ResetFactor({ client, onClose }: Of) {
  const second = useSecond({ verb: 'resetSecondFactor', about: client.id, input: () => ({}), onClose })
  return (
    <VerbDialog
      danger
      isRead
      title={m.desk_factor_reset_title({ name: clientName(client) })}
      text={m.desk_factor_reset_text()}
      verb={m.desk_second_ask()}
      action={second}
      onConfirm={second.ask}
      onClose={onClose}
    />
  )
}

function ChangeEmail({ client, onClose }: Of) {
  const [email, setEmail] = useState('')
  const second = useSecond({ verb: 'changeEmail', about: client.id, input: () => ({ email }), onClose })
  return (
    <VerbDialog
      danger
      isRead
      title={m.desk_email_change_title({ name: clientName(client) })}
      text={m.desk_email_change_text({ email: client.email })}
      verb={m.desk_second_ask()}
      action={second}
      onConfirm={second.ask}
      onClose={onClose}
    >
      <TextInput
        label={m.desk_email_change_new()}
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
    </VerbDialog>
  )
}

const verbs = {
  resetSecondFactor: { label: m.desk_factor_reset, Dialog: ResetFactor },
  changeEmail: { label: m.desk_email_change, Dialog: ChangeEmail },
} as const

type Name = keyof typeof verbs
const names: readonly Name[] = ['changeEmail', 'resetSecondFactor']

/** Lets a client in again who lost their address or their second factor: always by two persons. */
export function AccessVerbs({ client }: { client: Client }) {
  const [open, setOpen] = useState<Name>()
  const Dialog = open && verbs[open].Dialog
  return (
    <>
      {names
        .filter((name) => client.may[name])
        .map((name) => (
          <Button key={name} variant="default" onClick={() => setOpen(name)}>
            {verbs[name].label()}
          </Button>
        ))}
      {Dialog && <Dialog client={client} onClose={() => setOpen(undefined)} />}
    </>
  )
}

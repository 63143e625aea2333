import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { type Client, clientName } from '../client/words.tsx'
import { useSecond } from '../second/use-second.ts'
import { VerbDialog } from './verb-dialog.tsx'

type Of = { client: Client; onClose: () => void }

type WithEmail = Of & {
  verb: 'changeEmail' | 'erase' | 'terminateClient'
  title: string
  text: string
  isRead?: true
  /** The field of the address. */
  label: string
}

/** Asks a second person for a verb that takes an address. */
function WithEmail({ client, verb, label, onClose, ...words }: WithEmail): ReactNode {
  const [email, setEmail] = useState('')
  const second = useSecond({ verb, about: client.id, input: () => ({ email }), onClose })
  return (
    <VerbDialog
      danger
      verb={m.desk_second_ask()}
      action={second}
      onConfirm={second.ask}
      onClose={onClose}
      {...words}
    >
      <TextInput
        label={label}
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

/** Begins the change of the address of a client who lost it: by two persons. */
export function ChangeEmail({ client, onClose }: Of) {
  return (
    <WithEmail
      client={client}
      verb="changeEmail"
      isRead
      title={m.desk_email_change_title({ name: clientName(client) })}
      text={m.desk_email_change_text({ email: client.email })}
      label={m.desk_email_change_new()}
      onClose={onClose}
    />
  )
}

/** Erases a closed account before its time: by two persons. */
export function Erase({ client, onClose }: Of) {
  return (
    <WithEmail
      client={client}
      verb="erase"
      title={m.desk_erase_title({ name: clientName(client) })}
      text={m.desk_erase_text()}
      label={m.desk_erase_email({ email: client.email })}
      onClose={onClose}
    />
  )
}

/** Deletes all panels of a client: by two persons. */
export function TerminateClient({ client, onClose }: Of) {
  return (
    <WithEmail
      client={client}
      verb="terminateClient"
      isRead
      title={m.desk_terminate_all_title({ name: clientName(client) })}
      text={m.desk_terminate_all_text()}
      label={m.desk_erase_email({ email: client.email })}
      onClose={onClose}
    />
  )
}

/** Turns off the second factor of a client who lost it: by two persons. */
export function ResetFactor({ client, onClose }: Of) {
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

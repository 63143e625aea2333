import { NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { addressOf, type MailServer, serverIn } from './mail-server.ts'
import classes from './settings.module.css'

const none: MailServer = { host: '', port: '', user: '', password: '', isStartTls: false }

/** How a mail server on the same machine usually takes letters. */
const localServer = { host: 'localhost', port: '25', isStartTls: true }

type Props = {
  /** The address so far; it may have been pasted whole as the server. */
  value: string
  error: ReactNode
  /** Whether an address is kept, of which nothing is shown. */
  isKept: boolean
  onChange: (value: string) => void
}

/** The address of the mail server, in the parts that its provider names. */
export function MailServerFields({ value, error, isKept, onChange }: Props) {
  // An empty address does not say how the connection is encrypted.
  const [isStartTls, setStartTls] = useState(false)
  const server = serverIn(value) ?? { ...none, host: value, isStartTls }
  const change = (part: Partial<MailServer>) => onChange(addressOf({ ...server, ...part }))
  const hostTyped = (host: string) => {
    if (serverIn(host)) return onChange(host)
    if (host.trim().toLowerCase() !== 'localhost' || server.port !== '') return change({ host: host.trim() })
    setStartTls(true)
    change(localServer)
  }
  const kept = isKept && { placeholder: '••••••••' }
  return (
    <fieldset className={classes.server}>
      <legend>{m.desk_settings_smtp_url()}</legend>
      <p className="quiet">{isKept ? m.desk_settings_server_kept() : m.desk_settings_server_local()}</p>
      <div className={classes.parts}>
        <TextInput
          label={m.desk_settings_server_name()}
          description={m.desk_settings_server_name_hint()}
          spellCheck={false}
          value={server.host}
          error={error}
          {...kept}
          onChange={({ currentTarget: { value: host } }) => hostTyped(host)}
        />
        <NativeSelect
          label={m.desk_settings_encryption()}
          value={server.isStartTls ? 'smtp' : 'smtps'}
          data={[
            { value: 'smtps', label: m.desk_settings_tls() },
            { value: 'smtp', label: m.desk_settings_starttls() },
          ]}
          onChange={({ currentTarget }) => {
            const next = currentTarget.value === 'smtp'
            setStartTls(next)
            change({ isStartTls: next })
          }}
        />
        <TextInput
          label={m.desk_settings_port()}
          description={m.desk_settings_port_hint({ port: server.isStartTls ? '587' : '465' })}
          inputMode="numeric"
          maxLength={5}
          value={server.port}
          onChange={({ currentTarget }) => change({ port: currentTarget.value.replaceAll(/\D/g, '') })}
        />
      </div>
      <div className={classes.login}>
        <TextInput
          label={m.desk_settings_user()}
          autoComplete="off"
          spellCheck={false}
          value={server.user}
          {...kept}
          onChange={({ currentTarget }) => change({ user: currentTarget.value })}
        />
        <TextInput
          label={m.password()}
          type="password"
          autoComplete="new-password"
          value={server.password}
          {...kept}
          onChange={({ currentTarget }) => change({ password: currentTarget.value })}
        />
      </div>
    </fieldset>
  )
}

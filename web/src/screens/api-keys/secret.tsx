import { Button, Group } from '@mantine/core'
import { base } from '@portico/contract/wire.ts'
import { useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { useFocusBack } from '../../ui/modal/focus-back.ts'
import { Modal } from '../../ui/modal/modal.tsx'
import classes from './api-keys.module.css'

const example = (secret: string) =>
  `curl -H 'Authorization: Bearer ${secret}' ${location.origin}${base}/panels`

type Props = { name: string; secret: string; onClose: () => void }

/** Shows the key once: Escape or a click outside first asks whether it was saved. */
export function Secret({ name, secret, onClose }: Props) {
  useFocusBack()
  const [asks, setAsks] = useState(false)
  return (
    <Modal
      opened
      onClose={() => setAsks(true)}
      title={m.key_made({ name })}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <p>{m.key_secret_text()}</p>
      <div className={classes.secret}>
        <code>{secret}</code>
        <CopyButton isFirst value={secret} label={m.copy()} done={m.copied()} />
      </div>
      <p className={classes.about}>{m.key_secret_use()}</p>
      <pre className={classes.example}>{example(`${secret.slice(0, 9)}…`)}</pre>
      <CopyButton value={example(secret)} label={m.key_copy_example()} done={m.copied()} />
      <div role="alert" className={classes.warning}>
        {asks && m.key_secret_warning()}
      </div>
      <Group justify="flex-end" mt={24}>
        <Button onClick={onClose}>{m.key_secret_kept()}</Button>
      </Group>
    </Modal>
  )
}

import { Button, Group } from '@mantine/core'
import { m } from '../../texts/compiled/messages.js'
import { Modal } from '../../ui/modal/modal.tsx'
import classes from './engines.module.css'

/** Where engines send their events. */
const eventsUrl = () => `${location.origin}/engine/v1/events`

type Props = { given: { readonly code: string; readonly secret: string }; onClose: () => void }

/** The secret of an engine, which is shown once and closes only by its button. */
export function EngineSecret({ given: { code, secret }, onClose }: Props) {
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title={m.desk_engines_secret_title({ name: code })}
    >
      <div className={classes.secret}>
        <p>{m.desk_engines_secret_text()}</p>
        <code>{secret}</code>
        <p>{m.desk_engines_events({ url: eventsUrl(), code })}</p>
        <Group justify="flex-end">
          <Button onClick={onClose}>{m.desk_engines_secret_kept()}</Button>
        </Group>
      </div>
    </Modal>
  )
}

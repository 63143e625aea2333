import { Button, Group } from '@mantine/core'
import { m } from '../../texts/compiled/messages.js'
import { useFocusBack } from '../../ui/modal/focus-back.ts'
import { Modal } from '../../ui/modal/modal.tsx'

type Props = { title: string; text: string; verb?: string; onClose: () => void }

/** A message that the person must acknowledge. */
export function NoticeDialog({ title, text, verb = m.close(), onClose }: Props) {
  useFocusBack()
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': m.close() }}>
      <p style={{ overflowWrap: 'anywhere' }}>{text}</p>
      <Group justify="flex-end" mt={24}>
        <Button data-autofocus onClick={onClose}>
          {verb}
        </Button>
      </Group>
    </Modal>
  )
}

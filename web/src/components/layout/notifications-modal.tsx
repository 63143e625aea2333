import { Button, Modal } from '@mantine/core'
import { closeOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/dialog-styles.ts'
import { Empty } from '../../ui/empty.tsx'
import { IconBell } from '../../ui/icons.ts'

export function NotificationsModal() {
  return (
    <Modal opened onClose={closeOverlay} title={m.notifications()} withCloseButton={false}>
      <Empty icon={<IconBell size={20} />} title={m.notifications_none()} text={m.notifications_none_text()}>
        <Button variant="default" onClick={closeOverlay}>
          {m.close()}
        </Button>
      </Empty>
    </Modal>
  )
}

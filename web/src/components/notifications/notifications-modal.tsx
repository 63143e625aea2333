import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Notification, notificationsQuery } from '../../api/queries/notifications.ts'
import { useUser } from '../../api/queries/user.ts'
import { useAction } from '../../api/write.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconBell } from '../../ui/icons.tsx'
import { Modal } from '../../ui/modal/modal.tsx'
import { LoadedList } from '../loaded.tsx'
import { NotificationList } from './notification-list.tsx'
import classes from './notifications.module.css'

function Close() {
  return (
    <Button variant="default" onClick={closeOverlay}>
      {m.close()}
    </Button>
  )
}

function List({ items }: { items: readonly Notification[] }) {
  const markAllRead = useAction('notifications', 'markAllRead')
  const { staff } = useUser()
  // Staff mark their notifications as read one by one.
  const canReadAll = staff === null && items.some(({ read }) => !read)
  return (
    <>
      <div className={classes.long}>
        <NotificationList items={items} onFollow={closeOverlay} />
      </div>
      <Group justify="flex-end" mt={16} gap={8}>
        {canReadAll && (
          <Button
            variant="default"
            loading={markAllRead.isPending}
            onClick={() => markAllRead.mutate({ payload: {} })}
          >
            {m.notifications_read_all()}
          </Button>
        )}
        <Close />
      </Group>
    </>
  )
}

/** The latest notifications, with unread ones marked. */
export function NotificationsModal() {
  const query = useQuery(notificationsQuery)
  const empty = (
    <Empty icon={<IconBell size={20} />} title={m.notifications_none()} text={m.notifications_none_text()}>
      <Close />
    </Empty>
  )
  return (
    <Modal opened onClose={closeOverlay} title={m.notifications()} withCloseButton={false}>
      <LoadedList query={query} items={query.data?.items} empty={empty}>
        {(items) => <List items={items} />}
      </LoadedList>
    </Modal>
  )
}

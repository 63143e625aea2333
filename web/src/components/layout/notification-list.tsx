import { Link } from '@tanstack/react-router'
import type { Notification } from '../../api/notifications.ts'
import { useUpdate } from '../../api/write.ts'
import { m } from '../../texts/compiled/messages.js'
import { When } from '../when.tsx'
import { noticeLink, noticeText } from './notification-words.ts'
import classes from './notifications.module.css'

function NotificationItem({ notification, onFollow }: { notification: Notification; onFollow: () => void }) {
  const { read, createdAt } = notification
  return (
    <li className={classes.item} data-unread={!read || undefined}>
      <Link to={noticeLink(notification)} onClick={onFollow}>
        {!read && <span className="unseen">{m.notification_new()}</span>}
        {noticeText(notification)}
      </Link>
      <span className={classes.when}>
        <When moment={createdAt} />
      </span>
    </li>
  )
}

/** What happened, each with the way to it; which of it was not read yet is marked, and following it reads it. */
export function NotificationList({
  items,
  onFollow,
}: {
  items: readonly Notification[]
  onFollow?: () => void
}) {
  const update = useUpdate('notifications')
  const follow = ({ id, read }: Notification) => {
    onFollow?.()
    if (!read) update.mutate({ id, attributes: { read: true } })
  }
  return (
    <ul className={classes.list} aria-label={m.notifications()}>
      {items.map((one) => (
        <NotificationItem key={one.id} notification={one} onFollow={() => follow(one)} />
      ))}
    </ul>
  )
}

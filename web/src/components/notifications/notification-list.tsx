import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Notification } from '../../api/queries/notifications.ts'
import { useUpdate } from '../../api/write.ts'
import { m } from '../../texts/compiled/messages.js'
import { lazily } from '../../ui/loading/lazily.ts'
import { When } from '../when.tsx'
import { noticeLink, noticeText } from './notification-words.ts'
import classes from './notifications.module.css'

// Loaded on demand, because customers have no alerts.
const AlertSentence = lazily(async () => (await import('./alert-sentence.tsx')).AlertSentence)

type ItemProps = { notification: Notification; onFollow: () => void; onRead: () => void }

function NotificationItem({ notification, onFollow, onRead }: ItemProps) {
  const { read, createdAt } = notification
  const to = noticeLink(notification)
  const text = (
    <>
      {!read && <span className="unseen">{m.notification_new()}</span>}
      {noticeText(notification) ?? (
        <Suspense>
          <AlertSentence {...notification} />
        </Suspense>
      )}
    </>
  )
  return (
    <li className={classes.item} data-unread={!read || undefined}>
      {to === undefined ? (
        <span>{text}</span>
      ) : (
        <Link to={to} onClick={onFollow}>
          {text}
        </Link>
      )}
      <span className={classes.when}>
        <When moment={createdAt} />
        {to === undefined && !read && (
          <Button size="compact-xs" variant="subtle" onClick={onRead}>
            {m.notification_read()}
          </Button>
        )}
      </span>
    </li>
  )
}

/** The notifications, each linked to its subject; unread ones are marked, and following the link marks them as read. */
export function NotificationList({
  items,
  onFollow,
}: {
  items: readonly Notification[]
  onFollow?: () => void
}) {
  const update = useUpdate('notifications')
  const read = ({ id }: Notification) => update.mutate({ id, attributes: { read: true } })
  const follow = (one: Notification) => {
    onFollow?.()
    if (!one.read) read(one)
  }
  return (
    <ul className={classes.list} aria-label={m.notifications()}>
      {items.map((one) => (
        <NotificationItem
          key={one.id}
          notification={one}
          onFollow={() => follow(one)}
          onRead={() => read(one)}
        />
      ))}
    </ul>
  )
}

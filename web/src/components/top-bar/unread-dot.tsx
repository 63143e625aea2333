import { useQuery } from '@tanstack/react-query'
import { unreadQuery } from '../../api/queries/notifications.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './waiting-dot.module.css'

/** Marks the bell while there is something that was not read. */
export function UnreadDot() {
  const { data } = useQuery(unreadQuery)
  if (!data || data.page.total === 0) return null
  return (
    <>
      <span className={classes.dot} />
      <span className="unseen">{m.notifications_unread({ count: data.page.total })}</span>
    </>
  )
}

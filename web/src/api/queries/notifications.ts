import { list } from '../query.ts'
import type { Row } from '../rows.ts'

export type Notification = Row<'notifications'>

/** The latest notifications, for the bell and the dashboard. */
export const notificationsQuery = list('notifications', { sort: '-createdAt', page: { size: 25 } })

/** Poll interval for new notifications while the page is visible, in milliseconds. */
const every = 60_000

/**
 * Whether there are unread notifications. The query has no type, because a background poll must fail
 * silently.
 */
export const unreadQuery = {
  ...list('notifications', { filter: { unread: 'true' }, page: { size: 1 } }),
  meta: {},
  refetchInterval: every,
  staleTime: every,
}

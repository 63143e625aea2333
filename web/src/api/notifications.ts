import { list } from './query.ts'
import type { Row } from './rows.ts'

export type Notification = Row<'notifications'>

/** The latest, as the bell and the dashboard show them. */
export const notificationsQuery = list('notifications', { sort: '-createdAt', page: { size: 25 } })

/** How often it is asked whether there is something new, in milliseconds, while the page is seen. */
const every = 60_000

/** Whether there is something unread. Without its type: nobody has asked for this list, so it fails without a word. */
export const unreadQuery = {
  ...list('notifications', { filter: { unread: 'true' }, page: { size: 1 } }),
  meta: {},
  refetchInterval: every,
  staleTime: every,
}

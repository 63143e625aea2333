import { list } from '../query.ts'
import type { Row } from '../rows.ts'

export type Notification = Row<'notifications'>

/** The latest notifications, for the bell and the dashboard. */
export const notificationsQuery = list('notifications', { sort: '-createdAt', page: { size: 25 } })

import { notifications } from '@portico/contract/resources/notifications.ts'
import { sql } from 'kysely'
import { everyone, own } from '../jsonapi/policy.ts'
import { serve } from '../jsonapi/serve.ts'
import { markAllRead, readSince } from '../services/notifications.ts'

export default serve(notifications, {
  table: 'notifications',
  policy: {
    read: own('notifications.client_id'),
    update: own('notifications.client_id'),
    markAllRead: everyone,
  },
  account: 'client_id',
  columns: { read: () => sql`notifications.read_at is not null` },
  spread: { read: readSince },
  filters: { unread: (_, value) => sql`(notifications.read_at is null) = ${value}::boolean` },
  order: '-createdAt',
  actions: { markAllRead },
})

import { notifications } from '@portico/contract/resources/notifications.ts'
import { sql } from 'kysely'
import { everyone, own, type Rule } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { markAllRead, readSince } from './notifications.ts'

/** Staff see notifications of the account that they sign in with. */
const theirs: Rule<'notifications'> = {
  ...own('notifications.client_id'),
  staff: (staff) =>
    sql`notifications.client_id = (select c.id from clients c join admins a on a.auth_id = c.auth_id
      where a.id = ${staff.id})`,
}

export default serve(notifications, {
  table: 'notifications',
  routine: true,
  policy: {
    read: theirs,
    update: theirs,
    markAllRead: everyone,
  },
  account: 'client_id',
  columns: { read: () => sql`notifications.read_at is not null` },
  spread: { read: readSince },
  filters: { unread: (_, value) => sql`(notifications.read_at is null) = ${value}::boolean` },
  order: '-createdAt',
  actions: { markAllRead },
})

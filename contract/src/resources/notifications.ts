import * as z from 'zod/mini'
import { integerId, moment, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { newsKinds } from '../rules/notification-kinds.ts'

const attributes = {
  client_id: integerId,
  kind: z.enum(newsKinds),
  /**
   * The id of the linked item: an invoice, a payment, a ticket, a panel or an invitation, depending on the
   * kind.
   */
  about_id: z.nullable(integerId),
  /** The parameters of its sentence: names and amounts as they were. */
  params: z.record(z.string(), z.string()),
  read: z.boolean(),
  read_at: z.nullable(moment),
  ...stamps,
}

export const notifications = resource('notifications', {
  description: 'A notification to the client, read or unread.',
  attributes,
  update: ['read'],
  filters: { unread: z.enum(['true', 'false']) },
  sorts: ['createdAt'],
  actions: {
    markAllRead: action({
      method: 'POST',
      on: 'type',
      description: 'Marks all unread notifications as read.',
      input: z.object({}),
      output: z.object({ status: z.literal(true) }),
    }),
  },
})

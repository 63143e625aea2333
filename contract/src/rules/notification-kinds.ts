/** What a client can be told of, and whose letters can be left out. */
export const notificationKinds = [
  'invoice_issued',
  'payment_failed',
  'ticket_answered',
  'panel_degraded',
  'invitation_accepted',
] as const

export type NotificationKind = (typeof notificationKinds)[number]

/** All that a client is told of in the portal; the words for it are the browser's. Letters about money that is owed are always sent. */
export const newsKinds = [
  ...notificationKinds,
  'balance_low',
  'balance_negative',
  'account_suspended',
  // Of these staff is told.
  'ticket_due',
  'ticket_overdue',
  'ticket_opened',
  'ticket_replied',
  'staff_alert',
] as const

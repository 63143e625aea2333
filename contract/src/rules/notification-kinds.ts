/** The kinds of news whose letters a client can turn off. */
export const notificationKinds = [
  'invoice_issued',
  'payment_failed',
  'ticket_answered',
  'panel_degraded',
  'invitation_accepted',
] as const

export type NotificationKind = (typeof notificationKinds)[number]

/** The kinds of letters that a client can turn off. */
export const mailKinds = [...notificationKinds, 'newsletter'] as const

export type MailKind = (typeof mailKinds)[number]

/**
 * All kinds of notifications to clients; the browser app has their words. Letters about unpaid amounts are
 * always sent.
 */
export const newsKinds = [
  ...notificationKinds,
  'balance_low',
  'balance_negative',
  'account_suspended',
  'plan_changed',
  'plan_not_changed',
  // The kinds of notifications to staff.
  'ticket_due',
  'ticket_overdue',
  'ticket_opened',
  'ticket_replied',
  'staff_alert',
  'staff_request',
  'staff_request_decided',
  'staff_settings',
] as const

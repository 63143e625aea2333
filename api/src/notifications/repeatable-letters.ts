import type { LetterKind } from '#notifications/letters/letters.ts'

/**
 * The letters whose text stays for a week after they were sent, so that staff can send them again: about money and what
 * staff did, without a link that opens something by itself.
 */
export const repeatable: ReadonlySet<LetterKind> = new Set<LetterKind>([
  'document-sent',
  'invoice-issued',
  'balance-low',
  'balance-negative',
  'balance-warned',
  'account-suspended',
  'account-resumed',
  'payment-declined',
  'refund-returned',
  'card-expiring',
  'card-expired',
  'prices-rise',
  'plan-traffic',
  'plan-assigned',
  'account-closed',
  'account-closed-by-staff',
  'panel-stopped',
  'panel-terminated',
  'panels-stopped',
  'panels-terminated',
  'email-confirmed-by-staff',
  'sessions-ended',
  'account-blocked',
  'account-unblocked',
  'account-viewed',
])

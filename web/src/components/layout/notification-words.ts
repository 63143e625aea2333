import type { Notification } from '../../api/notifications.ts'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'

type Kind = Notification['kind']
type Told = { words: (params: Notification['params']) => string; to: (about: number) => string }

const kinds: Record<Kind, Told> = {
  invoice_issued: {
    words: ({ number = '', total = '' }) => m.told_invoice_issued({ number, total }),
    to: () => href('billing', {}),
  },
  payment_failed: {
    words: ({ amount = '' }) => m.told_payment_failed({ amount }),
    to: () => href('payment'),
  },
  ticket_answered: {
    words: ({ subject = '' }) => m.told_ticket_answered({ subject }),
    to: (id) => href('view-ticket', { id }),
  },
  ticket_due: {
    words: ({ subject = '' }) => m.told_ticket_due({ subject }),
    to: (id) => href('view-ticket', { id }),
  },
  ticket_overdue: {
    words: ({ subject = '' }) => m.told_ticket_overdue({ subject }),
    to: (id) => href('view-ticket', { id }),
  },
  panel_degraded: {
    words: ({ panel = '' }) => m.told_panel_degraded({ panel }),
    to: (panel_id) => href('dashboard', { panel_id }),
  },
  invitation_accepted: {
    words: ({ name = '' }) => m.told_invitation_accepted({ name }),
    to: () => href('team-members'),
  },
  balance_low: { words: () => m.told_balance_low(), to: () => href('billing', {}) },
  balance_negative: { words: () => m.told_balance_negative(), to: () => href('billing', {}) },
  account_suspended: { words: () => m.told_account_suspended(), to: () => href('billing', {}) },
}

/** What happened, as a sentence. */
export const toldInWords = ({ kind, params }: Notification): string => kinds[kind].words(params)

/** Where one sees it. */
export const leadsTo = ({ kind, about_id }: Notification): string => kinds[kind].to(about_id ?? 0)

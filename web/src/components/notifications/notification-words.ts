import type { Notification } from '../../api/queries/notifications.ts'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'

type Kind = Notification['kind']
type Params = Notification['params']
type NoticeWords = { words: (params: Params) => string; to?: (about: number, params: Params) => string }

const ofTicket = (words: (named: { subject: string }) => string): NoticeWords => ({
  words: ({ subject = '' }) => words({ subject }),
  to: (id) => href('view-ticket', { id }),
})

/** Older notifications do not say what kind of document they are about. */
function documentIssued({ what, number = '', total = '' }: Params): string {
  if (what === 'statement') return m.notice_statement_issued({ number })
  return what === 'credit_note'
    ? m.notice_credit_note_issued({ number, total })
    : m.notice_invoice_issued({ number, total })
}

const ofPlan = (words: (named: { panel: string; plan: string }) => string): NoticeWords => ({
  words: ({ panel = '', plan = '' }) => words({ panel, plan }),
  to: (panel_id) => href('dashboard', { panel_id }),
})

/** The kinds that staff alone get, whose words customers do not load. */
type OfStaff = Extract<Kind, `staff_${string}`>
const isOfStaff = (kind: Kind): kind is OfStaff => kind.startsWith('staff_')

const kinds: Record<Exclude<Kind, OfStaff>, NoticeWords> = {
  invoice_issued: {
    words: documentIssued,
    to: (_, { what }) =>
      `${href('billing', {})}?tab=invoices${what === 'statement' ? '&documents=statements' : ''}`,
  },
  payment_failed: {
    words: ({ amount = '' }) => m.notice_payment_failed({ amount }),
    to: () => href('payment'),
  },
  ticket_answered: ofTicket(m.notice_ticket_answered),
  ticket_due: ofTicket(m.notice_ticket_due),
  ticket_overdue: ofTicket(m.notice_ticket_overdue),
  ticket_opened: ofTicket(m.notice_ticket_opened),
  ticket_replied: ofTicket(m.notice_ticket_replied),
  panel_degraded: {
    words: ({ panel = '' }) => m.notice_panel_degraded({ panel }),
    to: (panel_id) => href('dashboard', { panel_id }),
  },
  plan_changed: ofPlan(m.notice_plan_changed),
  plan_not_changed: ofPlan(m.notice_plan_not_changed),
  invitation_accepted: {
    words: ({ name = '' }) => m.notice_invitation_accepted({ name }),
    to: () => href('team-members'),
  },
  balance_low: { words: () => m.notice_balance_low(), to: () => href('billing', {}) },
  balance_negative: { words: () => m.notice_balance_negative(), to: () => href('billing', {}) },
  account_suspended: { words: () => m.notice_account_suspended(), to: () => href('billing', {}) },
}

/** The sentence of a notification; what staff alone get has words of its own. */
export const noticeText = ({ kind, params }: Notification): string | undefined =>
  isOfStaff(kind) ? undefined : kinds[kind].words(params)

/** The page that a notification is about; what staff alone get has none yet. */
export const noticeLink = ({ kind, about_id, params }: Notification): string | undefined =>
  isOfStaff(kind) ? undefined : kinds[kind].to?.(about_id ?? 0, params)

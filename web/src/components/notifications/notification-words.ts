import {
  type AlertNoun,
  type AlertTopic,
  alertNoun,
  alertTopic,
} from '@portico/contract/rules/alert-topics.ts'
import type { Notification } from '../../api/queries/notifications.ts'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'

type Kind = Notification['kind']
type NoticeWords = { words: (params: Notification['params']) => string; to?: (about: number) => string }

const topics: Readonly<Record<AlertTopic, () => string>> = {
  disputed: m.alert_disputed,
  dispute_differs: m.alert_dispute_differs,
  unknown_dispute: m.alert_unknown_dispute,
  unknown_payment: m.alert_unknown_payment,
  amount_differs: m.alert_amount_differs,
  refund_returned: m.alert_refund_returned,
  reconciliation: m.alert_reconciliation,
  ledger_differs: m.alert_ledger_differs,
  billing_log_differs: m.alert_billing_log_differs,
  usage_unpriced: m.alert_usage_unpriced,
  exchange_rate_missing: m.alert_exchange_rate_missing,
  exchange_rate_unusual: m.alert_exchange_rate_unusual,
  bill_not_issued: m.alert_bill_not_issued,
  vat_due_left: m.alert_vat_due_left,
  file_missing: m.alert_file_missing,
  file_damaged: m.alert_file_damaged,
  storage_full: m.alert_storage_full,
  job_failed: m.alert_job_failed,
  engine_plan_differs: m.alert_engine_plan_differs,
  plan_traffic_used: m.alert_plan_traffic_used,
  other: m.alert_other,
}

const nouns: Readonly<Record<AlertNoun, (named: { name: string }) => string>> = {
  payment: m.alert_of_payment,
  client: m.alert_of_client,
  document: m.alert_of_document,
  'ticket file': m.alert_of_ticket_file,
  'data export': m.alert_of_data_export,
  'usage of': m.alert_of_usage_of,
  'billing log': m.alert_of_billing_log,
  files: m.alert_of_files,
  panel: m.alert_of_panel,
}

function aboutInWords(about: string): string {
  const known = alertNoun(about)
  return known ? nouns[known.noun](known) : about
}

const ofTicket = (words: (named: { subject: string }) => string): NoticeWords => ({
  words: ({ subject = '' }) => words({ subject }),
  to: (id) => href('view-ticket', { id }),
})

const ofPlan = (words: (named: { panel: string; plan: string }) => string): NoticeWords => ({
  words: ({ panel = '', plan = '' }) => words({ panel, plan }),
  to: (panel_id) => href('dashboard', { panel_id }),
})

const kinds: Record<Kind, NoticeWords> = {
  invoice_issued: {
    words: ({ number = '', total = '' }) => m.notice_invoice_issued({ number, total }),
    to: () => `${href('billing', {})}?tab=invoices`,
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
  staff_alert: {
    words: ({ topic = '', about = '' }) => `${topics[alertTopic(topic)]()}: ${aboutInWords(about)}`,
  },
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

/** The sentence of a notification. */
export const noticeText = ({ kind, params }: Notification): string => kinds[kind].words(params)

/** The page that a notification is about; alerts have none yet. */
export const noticeLink = ({ kind, about_id }: Notification): string | undefined =>
  kinds[kind].to?.(about_id ?? 0)

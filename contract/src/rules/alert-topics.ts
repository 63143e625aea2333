/** The topics of staff alerts; the kinds of alerts begin with these. */
export const alertTopics = [
  'disputed',
  'dispute_debt',
  'dispute_differs',
  'unknown_dispute',
  'unknown_payment',
  'amount_differs',
  'payment_currency',
  'charge_after_backup',
  'charges_unknown',
  'refund_returned',
  'transfer_due',
  'bank_money_unknown',
  'transfer_unseen',
  'einvoice_access',
  'einvoice_broken',
  'einvoice_due_now',
  'einvoice_due_soon',
  'einvoice_missing',
  'einvoice_refused',
  'einvoice_rejected',
  'einvoice_unknown',
  'reconciliation',
  'ledger_differs',
  'billing_log_differs',
  'usage_unpriced',
  'exchange_rate_missing',
  'exchange_rate_unusual',
  'bill_not_issued',
  'vat_due_left',
  'vat_number_invalid',
  'file_missing',
  'file_damaged',
  'storage_full',
  'files_without_rows',
  'archive_failed',
  'job_failed',
  'check_failed',
  'engine_plan_differs',
  'plan_traffic_used',
  'staff_looks',
] as const

export type AlertTopic = (typeof alertTopics)[number] | 'other'

/** The topic of a kind: the kind itself, or its beginning. `other` for a kind without a topic. */
export const alertTopic = (kind: string): AlertTopic =>
  alertTopics.find((topic) => kind === topic || kind.startsWith(`${topic}_`)) ?? 'other'

const nouns = [
  'payment',
  'client',
  'document',
  'ticket file',
  'data export',
  'usage of',
  'billing log',
  'files',
  'database',
  'panel',
  'bank lines',
  'e-invoices',
  'check',
] as const

export type AlertNoun = (typeof nouns)[number]

/** The label for an alert's `about`, so that each language has its own; undefined where it is only a name. */
export function alertNoun(about: string): { readonly noun: AlertNoun; readonly name: string } | undefined {
  const noun = nouns.find((one) => about === one || about.startsWith(`${one} `))
  return noun && { noun, name: about.slice(noun.length + 1) }
}

import {
  type AlertNoun,
  type AlertTopic,
  alertNoun,
  alertTopic,
} from '@portico/contract/rules/alert-topics.ts'
import { m } from '../../texts/compiled/messages.js'

const topics: Readonly<Record<AlertTopic, () => string>> = {
  disputed: m.alert_disputed,
  dispute_debt: m.alert_dispute_debt,
  dispute_differs: m.alert_dispute_differs,
  unknown_dispute: m.alert_unknown_dispute,
  unknown_payment: m.alert_unknown_payment,
  amount_differs: m.alert_amount_differs,
  payment_currency: m.alert_payment_currency,
  charge_after_backup: m.alert_charge_after_backup,
  charges_unknown: m.alert_charges_unknown,
  refund_returned: m.alert_refund_returned,
  staff_looks: m.alert_staff_looks,
  transfer_due: m.alert_transfer_due,
  bank_money_unknown: m.alert_bank_money_unknown,
  transfer_unseen: m.alert_transfer_unseen,
  einvoice_access: m.alert_einvoice_access,
  einvoice_broken: m.alert_einvoice_broken,
  einvoice_due_now: m.alert_einvoice_due_now,
  einvoice_due_soon: m.alert_einvoice_due_soon,
  einvoice_missing: m.alert_einvoice_missing,
  einvoice_refused: m.alert_einvoice_refused,
  einvoice_rejected: m.alert_einvoice_rejected,
  einvoice_unknown: m.alert_einvoice_unknown,
  reconciliation: m.alert_reconciliation,
  ledger_differs: m.alert_ledger_differs,
  billing_log_differs: m.alert_billing_log_differs,
  usage_unpriced: m.alert_usage_unpriced,
  exchange_rate_missing: m.alert_exchange_rate_missing,
  exchange_rate_unusual: m.alert_exchange_rate_unusual,
  bill_not_issued: m.alert_bill_not_issued,
  vat_due_left: m.alert_vat_due_left,
  vat_number_invalid: m.alert_vat_number_invalid,
  file_missing: m.alert_file_missing,
  file_damaged: m.alert_file_damaged,
  storage_full: m.alert_storage_full,
  files_without_rows: m.alert_files_without_rows,
  archive_failed: m.alert_archive_failed,
  job_failed: m.alert_job_failed,
  check_failed: m.alert_check_failed,
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
  'e-invoices': m.alert_of_e_invoices,
  'bank lines': m.alert_of_bank_lines,
  files: m.alert_of_files,
  database: m.alert_of_database,
  panel: m.alert_of_panel,
  check: m.alert_of_check,
}

/** The subject of an alert. */
export function aboutInWords(about: string): string {
  const known = alertNoun(about)
  return known ? nouns[known.noun](known) : about
}

/** The sentences of alerts, by kind. */
export const alertInWords = (kind: string): string => topics[alertTopic(kind)]()

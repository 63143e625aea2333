import path from 'node:path'
import { type RefusalCode, refusals } from '@portico/contract/refusals/index.ts'

/** One file for each process of a run: the codes of the refusals that its tests met. */
export const metFolder = path.join(import.meta.dirname, '../../../.cache/refusals-met')

/** Said by commands alone, whose own tests read them. */
const ofCommands: readonly RefusalCode[] = [
  'exchange_currency_unknown',
  'exchange_currency_own',
  'exchange_day_ahead',
  'exchange_rate_stated',
  'documents_need_operator',
  'staff_account_missing',
  'staff_account_unfit',
  'staff_account_has_panels',
  'staff_account_has_money',
  'staff_account_in_use',
  'staff_email_taken',
  'staff_last_admin',
  'prices_missing',
]

/** Said to engines about single events, in English, inside an answer that is no refusal as a whole. */
const ofEvents: readonly RefusalCode[] = [
  'usage_resource_invalid',
  'usage_quantity_invalid',
  'usage_id_invalid',
  'usage_subject_invalid',
  'moment_too_early',
]

/** Of documents and the ledger, whose callers check the same before; their own tests cause them. */
const ofDeskVerbs: readonly RefusalCode[] = [
  'advance_used',
  'invoice_without_lines',
  'invoice_several_rates',
  'amount_invalid',
  'amount_decimals_most',
  'amount_not_positive',
  'account_currency_differs',
  'write_off_negative',
  'write_off_most',
  'credit_insufficient',
  'ledger_key_reused',
  'already_reversed',
]

/** No test causes these over HTTP yet. A code may leave this list, and none may join it. */
const notYetCaused: readonly RefusalCode[] = [
  'ticket_not_open',
  'file_attached',
  'entries_least',
  'number_below',
  'url_invalid',
  'parameter_surrogate',
  'parameter_invalid',
  'body_length',
  'nobody_may',
  'value_unstorable',
  'idempotency_key_invalid',
  'busy',
  'sign_in_busy',
  'password_changed_meanwhile',
  'account_not_found',
  'panel_owner_fixed',
  'panel_rights_changed',
  'usage_rows_most',
  'bill_overpaid',
  'provider_out_of_use',
  'setup_unanswered',
  'billing_sector_invalid',
  'documents_need_vat_rate',
]

/** Declared refusals that no test of a run has caused, a line for each. */
export function unmetRefusals(met: ReadonlySet<string>): string[] {
  const known = new Set<string>([...ofCommands, ...ofEvents, ...ofDeskVerbs, ...notYetCaused])
  return Object.keys(refusals)
    .filter((code) => !met.has(code) && !known.has(code))
    .map((code) => `${code}: no test causes this refusal over HTTP. Write one.`)
}

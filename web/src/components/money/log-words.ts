import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'

export type Entry = Row<'billing-logs'>

const sentences: Partial<Record<string, () => string>> = {
  opening: m.log_opening,
  deposit: m.log_deposit,
  refund: m.log_refund,
  dispute: m.log_dispute,
  promo: m.log_promo,
  promo_expiry: m.log_promo_expiry,
  goodwill: m.log_goodwill,
  service_bill: m.log_service_bill,
  bill_payment: m.log_bill_payment,
  write_off: m.log_write_off,
  reversal: m.log_reversal,
  correction: m.log_correction,
  adjustment: m.log_adjustment,
}

/** The description of a row in the reader's language; an unknown type keeps the server's English. */
export function descriptionOf({ description_key, description, params }: Entry): string {
  if (description_key === 'usage') return m.log_usage({ workspace: params.workspace ?? '' })
  return sentences[description_key]?.() ?? description
}

/** The type of a row, in a word. */
export const kindNames: Record<Entry['kind'], () => string> = {
  deposit: m.log_kind_deposit,
  usage: m.log_kind_usage,
  promo: m.log_kind_promo,
  refund: m.log_kind_refund,
  adjustment: m.log_kind_adjustment,
  service_bill: m.log_kind_service_bill,
  write_off: m.log_kind_write_off,
}

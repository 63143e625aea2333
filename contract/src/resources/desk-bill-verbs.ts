import * as z from 'zod/mini'
import { day, integerId, money, noInput } from '../fields.ts'
import { action } from '../jsonapi.ts'

/** The bill of an open month as it would be now. */
export const openBill = z.object({
  from_day: day,
  /** The last day whose use it has. */
  to_day: day,
  currency: z.string(),
  /** Before credit, advances and VAT. */
  use: money,
  from_credit: money,
  /** What advances and the balance paid of it before. */
  from_advances: money,
  net: money,
  vat: money,
  /** What it asks for; below zero what it gives back. */
  total: money,
  /** What the reader may bill alone, in the operator’s currency. */
  limit_left: money,
  limit_currency: z.string(),
})

/** The verbs of staff about the bill of a month that has not ended. */
export const billVerbs = {
  previewOpenBill: action({
    method: 'GET',
    on: 'one',
    description:
      'What `chargeOpenBill` would issue now, and what is left of the limits of the reader. Refused like it.',
    input: noInput,
    output: openBill,
  }),
  chargeOpenBill: action({
    method: 'POST',
    on: 'one',
    keyed: true,
    description:
      'Bills the use of the month to the end of yesterday now; the close of the month bills the rest. What it asks for counts against limits as for `goodwill`. `open_bill_nothing`, `open_bill_uncharged` while a day is still being charged, `open_bill_last_month` while the month before has no bill, and what the close of a month lacks, as `billing_info_incomplete`.',
    input: noInput,
    output: z.object({ invoice_id: integerId, full_number: z.string(), total: money }),
  }),
}

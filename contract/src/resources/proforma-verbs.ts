import * as z from 'zod/mini'
import { accountMoney, integerId, money, noInput } from '../fields.ts'
import { action } from '../jsonapi.ts'

/** The verbs of `invoices` about proformas. */
export const proformaVerbs = {
  requestProforma: action({
    method: 'POST',
    on: 'type',
    keyed: true,
    description:
      'Issues a proforma for an amount to add to the balance, without VAT, or, without an amount, for all that is owed. It is paid by transfer with its number as reference, or by card as a deposit with its `invoice_id`, until it expires or is cancelled; a later transfer is accepted too. Clients are bound by the limits of deposits, and to 20 unpaid proformas (`proformas_most`); a cancelled one counts for a day from its issue. `transfer_not_offered` where the operator accepts no transfers.',
    input: z.strictObject({ client_id: z.optional(integerId), net: z.optional(accountMoney) }),
    output: z.object({
      invoice_id: integerId,
      full_number: z.string(),
      total: money,
      currency: z.string(),
    }),
  }),
  cancelProforma: action({
    method: 'POST',
    on: 'one',
    description:
      'Cancels a proforma that nothing was paid of, also an expired one; its PDF says so. It can no longer be paid by card, and a transfer that quotes it later is on the balance all the same. `proforma_not_unpaid` for other documents, `proforma_payment_pending` while a card pays it.',
    input: noInput,
    output: z.object({ status: z.literal('cancelled') }),
  }),
}

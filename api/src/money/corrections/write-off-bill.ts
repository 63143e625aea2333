import Big from 'big.js'
import { sql } from 'kysely'
import { requestEvaluation } from '#money/balance/balances.ts'
import { recordPayment } from '#money/invoices/invoices.ts'
import { writeOff } from '#money/ledger/bills.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { allocate, openBills } from '#money/payments/payment-price.ts'
import { openPaymentStates } from '#money/payments/payment-rows.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { staffAction } from '#platform/db/settings.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertWithinLimit } from './limits.ts'

type Given = {
  readonly row: RowOf<'invoices'>
  readonly input: { readonly amount?: number | undefined }
}

/** Throws `bill_payment_pending` while a payment of the client is pending: it pays open bills first, also when it names none. */
async function assertNoPayment(tx: Database, { id, client_id: clientId }: Given['row']): Promise<void> {
  const found = await tx
    .selectFrom('payments')
    .select('id')
    .where('client_id', '=', clientId)
    .where('status', 'in', openPaymentStates)
    .where(({ eb, or }) => or([eb('invoice_id', '=', id), eb('invoice_id', 'is', null)]))
    .executeTakeFirst()
  if (found) throw refuse('bill_payment_pending')
}

/**
 * The staff action that gives up an open bill as a loss. It counts as settled, so that nothing asks for it any more. Throws
 * `bill_not_open`, `bill_overpaid`, `bill_payment_pending`, and like `assertWithinLimit`.
 */
export async function writeOffBill(context: Context, { row, input }: Given) {
  const { tx } = context
  const { id, client_id: clientId, currency } = row
  await holdAccounts(tx, clientId)
  const bills = await openBills(tx, clientId, { only: id, held: true })
  const [bill] = bills
  if (bill === undefined) throw refuse('bill_not_open')
  await assertNoPayment(tx, row)
  const gross = input.amount === undefined ? bill.due : input.amount.toFixed(2)
  await assertWithinLimit(context, { verb: 'writeOff', clientId, currency, amount: new Big(gross) })
  await recordPayment(tx, id, gross)
  const [part] = allocate(gross, bills, { rate: bill.rate, currency, invoiceId: id })
  if (part === undefined) throw new Error(`Nothing of bill ${id} is open.`)
  const { rows } = await sql<{
    written_off: string
    action: number
  }>`update invoices set written_off = written_off + ${gross}::numeric
    where id = ${id} returning written_off, ${staffAction} as action`.execute(tx)
  // The sum of what was written off may come again: a credit note takes it back.
  await writeOff(tx, {
    key: `write-off:${id}:staff:${rows[0]?.action}`,
    clientId,
    currency,
    net: part.net,
    vat: part.vat,
    source: { type: 'invoice', id },
  })
  await requestEvaluation(tx, clientId)
  return { written_off: Number(rows[0]?.written_off), open: Number(new Big(bill.due).minus(gross)) }
}

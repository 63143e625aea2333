import Big from 'big.js'
import { requestEvaluation } from '#money/balance/balances.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { openDebts, writeOffDebts } from '#money/payments/disputes/debts.ts'
import { lockPayment } from '#money/payments/payment-rows.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertWithinLimit } from './limits.ts'

/**
 * The staff action that gives up, as a loss, what a client owes for a payment that went back twice. Throws `debt_not_open`, and
 * like `assertWithinLimit`.
 */
export async function writeOffDebt(context: Context, { row }: { readonly row: RowOf<'payments'> }) {
  const { tx } = context
  // The payment is locked first, in the order of a dispute, which avoids deadlocks.
  const payment = await lockPayment(tx, row.id)
  const { client_id: clientId, currency } = payment
  await holdAccounts(tx, clientId)
  const debts = await openDebts(tx, clientId, row.id)
  if (debts.length === 0) throw refuse('debt_not_open')
  const amount = debts.reduce((all, { open }) => all.plus(open), new Big(0))
  await assertWithinLimit(context, { verb: 'writeOffDebt', clientId, currency, amount })
  await writeOffDebts(tx, payment, debts)
  await requestEvaluation(tx, clientId)
  return { written_off: Number(amount) }
}

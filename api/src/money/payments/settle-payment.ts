import Big from 'big.js'
import { sql } from 'kysely'
import { requestEvaluation } from '#money/balance/balances.ts'
import { issueInvoice, recordPayment } from '#money/invoices/invoices.ts'
import { serviceBillPaid } from '#money/ledger/bills.ts'
import { deposit } from '#money/ledger/deposits.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { autoSettled } from '#money/payments/automatic/outcome.ts'
import type { ProviderPayment } from '#money/payments/providers/payment-provider.ts'
import { alertStaff } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'
import { type Allocation, allocate, openBills } from './payment-price.ts'
import { lockPayment, type Payment } from './payment-rows.ts'
import type { PaymentScope } from './payment-scope.ts'

type Received = Pick<ProviderPayment, 'ref' | 'amountReceived' | 'currency'>

const meansOf = ({ provider }: Payment) =>
  provider === 'bank' ? ('bank' as const) : (`psp:${provider}` as const)

/** A part of a payment pays a bill: the books (P5), and what the bill says of being paid. */
async function payBill(
  tx: Database,
  payment: Payment,
  part: Allocation & { invoiceId: number },
): Promise<number> {
  const { id, client_id: clientId, currency } = payment
  await recordPayment(tx, part.invoiceId, part.gross)
  const posted = await serviceBillPaid(tx, {
    key: `pay:${id}:bill:${part.invoiceId}`,
    clientId,
    currency,
    net: part.net,
    vat: part.vat,
    means: meansOf(payment),
    source: { type: 'payment', id },
  })
  return posted.id
}

/** Whether an invoice names the proforma already; ask while the client's accounts are held. */
async function isInvoiced(tx: Database, proformaId: number | null): Promise<boolean> {
  if (proformaId === null) return false
  const found = await tx
    .selectFrom('invoices')
    .select('id')
    .where('proforma_id', '=', proformaId)
    .executeTakeFirst()
  return found !== undefined
}

/** What is left is money paid in: its fiscal invoice, and the books (P1) as that says. */
async function payIn(tx: Database, payment: Payment, part: Allocation): Promise<number> {
  const { id, client_id: clientId, currency, proforma_id: proformaId } = payment
  const issued = await issueInvoice(tx, {
    clientId,
    sum: { gross: part.gross },
    proformaId: proformaId ?? undefined,
    isFurther: await isInvoiced(tx, proformaId),
    on: payment.received_on ?? undefined,
  })
  const [group] = issued.groups
  await tx.updateTable('payments').set({ advance_invoice_id: issued.id }).where('id', '=', id).execute()
  const posted = await deposit(tx, {
    key: `pay:${id}`,
    clientId,
    currency,
    net: issued.net,
    ...(group &&
      new Big(issued.vat).gt(0) && { vat: { amount: issued.vat, country: group.country, rate: group.rate } }),
    means: meansOf(payment),
    source: { type: 'payment', id },
  })
  return posted.id
}

/** Whether what arrived is what was asked for; if not, nothing is settled and staff is told. */
async function isAsAsked(tx: Database, payment: Payment, seen: Received): Promise<boolean> {
  if (seen.currency === payment.currency && new Big(seen.amountReceived).eq(payment.gross)) return true
  const detail = {
    asked: `${payment.gross} ${payment.currency}`,
    received: `${seen.amountReceived} ${seen.currency}`,
  }
  await alertStaff(tx, payment.id, 'amount_differs', detail)
  await tx
    .updateTable('payments')
    .set({ provider_ref: seen.ref, failure_code: 'amount_differs', next_look_at: null })
    .where('id', '=', payment.id)
    .execute()
  return false
}

/**
 * The one place where a payment becomes money: whoever learns that it succeeded comes here, the answer to the call, a
 * message of the provider, the poller, a person who returns, or staff with a bank statement. In one transaction: open bills
 * are paid, what is left goes to the balance, its invoice is issued, and jobs follow. Whoever comes later changes nothing.
 * Returns whether it was settled now.
 */
export async function settlePayment(
  paymentScope: PaymentScope,
  paymentId: number,
  seen: Received,
): Promise<boolean> {
  return paymentScope.within((tx) => settleWithin(tx, paymentId, seen))
}

/** As `settlePayment`, in the transaction of the caller. */
export async function settleWithin(tx: Database, paymentId: number, seen: Received): Promise<boolean> {
  const payment = await lockPayment(tx, paymentId)
  if (payment.settled_at !== null || !(await isAsAsked(tx, payment, seen))) return false
  // As everybody does who moves this client's money, so that nobody waits in a circle.
  await holdAccounts(tx, payment.client_id)
  const bills = await openBills(tx, payment.client_id, { held: true })
  const parts = allocate(payment.gross, bills, { rate: payment.vat_rate, invoiceId: payment.invoice_id })
  const ledger: number[] = []
  for (const part of parts)
    ledger.push(
      part.invoiceId === null
        ? await payIn(tx, payment, part)
        : await payBill(tx, payment, { ...part, invoiceId: part.invoiceId }),
    )
  await sql`update payments set status = 'succeeded', provider_ref = ${seen.ref}, settled_at = clock_now(),
      failure_code = null, failure_message = null, next_look_at = null, ledger_transaction_id = ${ledger.at(-1) ?? null}
    where id = ${payment.id}`.execute(tx)
  // Somebody may have paid it by a transfer meanwhile: what is too much is on the balance all the same.
  if (payment.proforma_id !== null)
    await recordPayment(tx, payment.proforma_id, payment.gross, { upTo: true })
  if (payment.purpose === 'auto_recharge') await autoSettled(tx, payment)
  await requestEvaluation(tx, payment.client_id)
  return true
}

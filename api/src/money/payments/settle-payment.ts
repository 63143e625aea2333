import Big from 'big.js'
import { sql } from 'kysely'
import { requestEvaluation } from '#money/balance/balances.ts'
import { issueInvoice, recordPayment } from '#money/invoices/invoices.ts'
import { serviceBillPaid } from '#money/ledger/bills.ts'
import { deposit } from '#money/ledger/deposits.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { chargeAfterBackup } from '#money/payments/automatic/held.ts'
import { recordSettled } from '#money/payments/automatic/outcome.ts'
import { nothingHeld, type ProviderPayment } from '#money/payments/providers/payment-provider.ts'
import { alertStaff, resolveAlert } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'
import { isEnded, lateMoney, noteBooked } from './late/late-payment.ts'
import { type Allocation, allocate } from './payment-price.ts'
import { lockPayment, type Payment } from './payment-rows.ts'
import type { PaymentScope } from './payment-scope.ts'
import { billsToPay } from './recover-written-off.ts'

type Received = Pick<ProviderPayment, 'ref' | 'amountReceived' | 'currency'> &
  Partial<Pick<ProviderPayment, 'holding'>>

const meansOf = ({ provider, bank_line_id: line }: Payment) => {
  if (line !== null) return 'suspense' as const
  return provider === 'bank' ? ('bank' as const) : (`psp:${provider}` as const)
}

/** Pays a bill with a part of a payment: the ledger, and the bill's status. */
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

/** Whether an invoice already references the proforma; the caller holds the client's accounts. */
async function isInvoiced(tx: Database, proformaId: number | null): Promise<boolean> {
  if (proformaId === null) return false
  const found = await tx
    .selectFrom('invoices')
    .select('id')
    .where('proforma_id', '=', proformaId)
    .executeTakeFirst()
  return found !== undefined
}

/** Books the rest as a deposit: its fiscal invoice, and the ledger posting by it. */
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

/**
 * Whether the received amount and currency match the request; if not, nothing is settled and staff are
 * alerted.
 */
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
 * The only place where a payment is settled, for every source of its success: the response to the call, a
 * provider message, the poller, a returning person, or staff with a bank statement. In one transaction: open
 * bills are paid, the rest goes to the balance, its invoice is issued, and jobs follow. Idempotent. Returns
 * whether it was settled now.
 */
export async function settlePayment(
  paymentScope: PaymentScope,
  paymentId: number,
  seen: Received,
): Promise<boolean> {
  return paymentScope.within((tx) => settleWithin(tx, paymentId, seen))
}

/** Like `settlePayment`, in the caller's transaction. */
export async function settleWithin(tx: Database, paymentId: number, seen: Received): Promise<boolean> {
  const asked = await lockPayment(tx, paymentId)
  if (asked.settled_at !== null || !(await isAsAsked(tx, asked, seen))) return false
  // The common lock of all postings for this client, which avoids deadlocks.
  await holdAccounts(tx, asked.client_id)
  const { ref, holding = nothingHeld } = seen
  const payment = isEnded(asked) ? await lateMoney(tx, asked, { ref, holding }) : asked
  if (payment === undefined) return false
  const bills = await billsToPay(tx, {
    key: `pay:${paymentId}`,
    clientId: payment.client_id,
    currency: payment.currency,
    arrived: { invoiceId: payment.invoice_id, gross: payment.gross },
    source: { type: 'payment', id: paymentId },
  })
  const parts = allocate(payment.gross, bills, {
    rate: payment.vat_rate,
    currency: payment.currency,
    invoiceId: payment.invoice_id,
  })
  if (payment !== asked) await noteBooked(tx, payment, parts)
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
  await resolveAlert(tx, `${payment.provider} ${seen.ref}`, chargeAfterBackup)
  // A transfer may have paid it meanwhile: the excess is on the balance all the same.
  if (payment.proforma_id !== null)
    await recordPayment(tx, payment.proforma_id, payment.gross, { upTo: true })
  if (payment.purpose === 'auto_recharge') await recordSettled(tx, payment)
  await requestEvaluation(tx, payment.client_id)
  return true
}

import Big from 'big.js'
import { sql } from 'kysely'
import { restore } from '#money/invoices/credit-notes.ts'
import { issueInvoice, recordPayment, treatmentOf } from '#money/invoices/invoices.ts'
import { serviceBillPaid } from '#money/ledger/bills.ts'
import { deposit } from '#money/ledger/deposits.ts'
import { reverse } from '#money/ledger/reverse.ts'
import { type Allocation, allocate } from '#money/payments/payment-price.ts'
import type { Dispute, Payment } from '#money/payments/payment-rows.ts'
import { billsToPay } from '#money/payments/recover-written-off.ts'
import { alertStaff } from '#platform/alerts.ts'
import type { RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { endDebt, setOffDebts } from './debts.ts'
import { followed } from './parts.ts'

type Part = RowOf<'dispute_parts'>

const cameBack = (number: string | null) => ({
  en: `the payment credited by ${number} came back`,
  ro: `plata stornată prin ${number} a revenit`,
})

/**
 * Lets a payment be refunded from the new invoice, once its former one has no rest, as a refund that has begun is. What took the place of another invoice
 * than the payment's own, such as a bill's, does not take the place of its own too.
 */
async function follow(
  tx: Database,
  payment: Payment,
  { id, insteadOf }: { readonly id: number; readonly insteadOf?: number },
): Promise<void> {
  await sql`update payments p set ${followed(id)} where p.id = ${payment.id}
    and not exists (select from invoices i where i.id = p.advance_invoice_id and i.credited < i.total)
    and coalesce(p.advance_invoice_id = ${insteadOf ?? null}::int8, true)`.execute(tx)
  await sql`update payment_refunds r set advance_invoice_id = ${id} from invoices i
    where r.payment_id = ${payment.id} and r.status = 'pending' and r.advance_invoice_id = ${insteadOf ?? null}::int8
      and i.id = r.advance_invoice_id and i.credited >= i.total`.execute(tx)
}

/** Reverses a part that no bill asks for; a credited one gets an invoice again. */
async function undo(tx: Database, payment: Payment, part: Part): Promise<void> {
  if (part.ledger_transaction_id === null) throw new Error(`Part ${part.id} of a dispute has no posting.`)
  await reverse(tx, part.ledger_transaction_id, `dispute-part:${part.id}:won`)
  if (part.kind === 'debt') await endDebt(tx, { dispute_part_id: part.id })
  if (part.credit_note_id === null) return
  const restored = await restore(tx, part.credit_note_id, cameBack)
  await follow(tx, payment, { id: restored.id, insteadOf: part.invoice_id })
}

/**
 * Makes a deposit of what no bill asks for, by the rule of the bill that it paid. It is the payment's own: only that payment can be
 * refunded from it, or lose it again.
 */
async function payIn(tx: Database, payment: Payment, part: Part, { gross }: Allocation): Promise<void> {
  const { client_id: clientId, currency, provider } = payment
  const { vat_treatment } = await tx
    .selectFrom('invoices')
    .select('vat_treatment')
    .where('id', '=', part.bill_id ?? part.invoice_id)
    .executeTakeFirstOrThrow()
  const sale = { gross, quoted: treatmentOf(vat_treatment) }
  const issued = await issueInvoice(tx, { clientId, sum: { gross }, sale })
  const [group] = issued.groups
  await follow(tx, payment, { id: issued.id })
  await sql`update dispute_parts set deposit_id = ${issued.id} where id = ${part.id}`.execute(tx)
  await deposit(tx, {
    key: `dispute-part:${part.id}:won`,
    clientId,
    currency,
    net: issued.net,
    ...(group &&
      new Big(issued.vat).gt(0) && { vat: { amount: issued.vat, country: group.country, rate: group.rate } }),
    means: `psp:${provider}`,
    source: { type: 'dispute_part', id: part.id },
  })
}

/** Uses money that came back: for the bill that asks for it, then for other open bills; the rest is a deposit. */
async function settleAgain(tx: Database, payment: Payment, part: Part): Promise<void> {
  const { client_id: clientId, currency, provider, vat_rate: rate } = payment
  const invoiceId = part.bill_id ?? part.invoice_id
  const gross = new Big(part.net).plus(part.vat).toFixed(2)
  const bills = await billsToPay(tx, {
    key: `dispute-part:${part.id}:won`,
    clientId,
    currency,
    arrived: { invoiceId, gross },
    source: { type: 'dispute_part', id: part.id },
  })
  for (const one of allocate(gross, bills, { rate, currency, invoiceId })) {
    if (one.invoiceId === null) {
      await payIn(tx, payment, part, one)
      continue
    }
    await recordPayment(tx, one.invoiceId, one.gross)
    await serviceBillPaid(tx, {
      key: `dispute-part:${part.id}:won:bill:${one.invoiceId}`,
      clientId,
      currency,
      net: one.net,
      vat: one.vat,
      means: `psp:${provider}`,
      source: { type: 'dispute_part', id: part.id },
    })
  }
}

/**
 * Gives back all that a lost dispute took, once. One that took nothing from the books, as it was lost before its payment was booked,
 * is alerted to staff. The caller holds the client's accounts.
 */
export async function winDispute(tx: Database, payment: Payment, dispute: Dispute): Promise<void> {
  const { id, provider_ref: ref, amount } = dispute
  const parts = await tx
    .selectFrom('dispute_parts')
    .select(columns.dispute_parts)
    .where('dispute_id', '=', id)
    .where('returned_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (parts.length === 0)
    await alertStaff(tx, payment.id, 'dispute_differs', { ref, amount, currency: payment.currency })
  for (const part of parts) {
    const isAsked = part.kind === 'bill' || part.bill_id !== null
    await (isAsked ? settleAgain : undo)(tx, payment, part)
    await sql`update dispute_parts set returned_at = clock_now() where id = ${part.id}`.execute(tx)
  }
  await setOffDebts(tx, payment.client_id)
}

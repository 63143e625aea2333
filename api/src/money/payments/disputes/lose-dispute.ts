import Big from 'big.js'
import { creditNote } from '#money/invoices/credit-notes.ts'
import { reopenBill } from '#money/invoices/invoices.ts'
import { depositDisputed, disputeLost } from '#money/ledger/deposits.ts'
import type { Dispute, Payment } from '#money/payments/payment-rows.ts'
import type { ProviderDispute } from '#money/payments/providers/payment-provider.ts'
import { alertStaff } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'
import { addDebt } from './debts.ts'
import { grossOf, type Part, shares } from './parts.ts'
import { partsOf } from './payment-parts.ts'

/** The parts that an amount takes, in this order: all of them when they hold less. */
function taken(parts: readonly Part[], amount: string, currency: string): Part[] {
  const order = ['unused', 'bill', 'used', 'debt'] as const
  return shares(
    order.flatMap((kind) => parts.filter((part) => part.kind === kind)),
    new Big(amount),
    currency,
  )
}

const why = { en: 'payment taken back by the bank', ro: 'plată retrasă de bancă' }

type Lost = { readonly payment: Payment; readonly part: Part; readonly id: number }
type Done = { readonly credit_note_id: number | null; readonly ledger_transaction_id: number }

/** Credits the unused part of a deposit, whose VAT is not owed. */
async function loseUnused(tx: Database, { payment, part, id }: Lost): Promise<Done> {
  const [net, vat] = [part.net.toFixed(2), part.vat.toFixed(2)]
  const note = await creditNote(tx, { invoiceId: part.invoiceId, net, vat, reason: why })
  const [group] = note.groups
  const posted = await depositDisputed(tx, {
    ...movement(payment, id),
    net,
    ...(group && part.vat.gt(0) && { vat: { amount: vat, country: group.country, rate: group.rate } }),
  })
  return { credit_note_id: note.id, ledger_transaction_id: posted.id }
}

/** Makes a debt of what was used, or of a bill that was paid by it. */
async function loseUsed(tx: Database, { payment, part, id }: Lost): Promise<Done> {
  const [net, vat] = [part.net.toFixed(2), part.vat.toFixed(2)]
  if (part.kind === 'bill') await reopenBill(tx, part.invoiceId, part.net.plus(part.vat).toFixed(2))
  const posted = await disputeLost(tx, { ...movement(payment, id), net, vat })
  return { credit_note_id: null, ledger_transaction_id: posted.id }
}

/** Makes a debt of what has left already: no document has its VAT any more. */
async function loseLeft(tx: Database, { payment, part, id }: Lost): Promise<Done> {
  const amount = part.net.toFixed(2)
  const posted = await disputeLost(tx, { ...movement(payment, id), net: amount, vat: '0' })
  await addDebt(tx, payment, { dispute_part_id: id }, amount)
  return { credit_note_id: null, ledger_transaction_id: posted.id }
}

const lose = { unused: loseUnused, used: loseUsed, bill: loseUsed, debt: loseLeft }

const movement = ({ client_id: clientId, currency, provider }: Payment, id: number) => ({
  key: `dispute-part:${id}`,
  clientId,
  currency,
  means: `psp:${provider}` as const,
  source: { type: 'dispute_part', id },
})

/**
 * Takes back a payment that its bank took back: the unused part of a deposit is credited, a bill that it paid is open
 * again, what was used of the deposit is a debt on the next bill, and what was given back before is one on the balance. An
 * amount in another currency, and what is above the rest of the payment, is not posted but alerted to staff. The caller holds
 * the client's accounts.
 */
export async function loseDispute(
  tx: Database,
  payment: Payment,
  { id: disputeId }: Dispute,
  { ref, amount, currency }: ProviderDispute,
): Promise<void> {
  const lost = currency === payment.currency ? taken(await partsOf(tx, payment), amount, currency) : []
  const above = new Big(amount).minus(grossOf(lost))
  if (above.gt(0))
    await alertStaff(tx, payment.id, 'dispute_differs', { ref, amount, currency, above: above.toFixed(2) })
  for (const part of lost) {
    const { id } = await tx
      .insertInto('dispute_parts')
      .values({
        dispute_id: disputeId,
        client_id: payment.client_id,
        kind: part.kind,
        invoice_id: part.invoiceId,
        net: part.net.toFixed(2),
        vat: part.vat.toFixed(2),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const done = await lose[part.kind](tx, { payment, part, id })
    await tx.updateTable('dispute_parts').set(done).where('id', '=', id).execute()
  }
}

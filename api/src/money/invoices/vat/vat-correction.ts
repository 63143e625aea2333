import Big from 'big.js'
import { sql } from 'kysely'
import { requestEvaluation } from '#money/balance/balances.ts'
import { assertWithinLimit } from '#money/corrections/limits.ts'
import { creditNote, leftOf } from '#money/invoices/credit-notes.ts'
import { issueInvoice } from '#money/invoices/invoices.ts'
import { vatGivenBack } from '#money/ledger/deposits.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { withReplacements } from '#money/payments/disputes/parts.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'

type Invoice = RowOf<'invoices'>

/**
 * Moves the refundable rest of a payment to the new invoice, which has no VAT to reclaim in a dispute either.
 */
async function followPayment(tx: Database, from: number, to: number, vat: string): Promise<void> {
  await sql`update payments p set advance_invoice_id = ${to}, net = p.net + ${vat}::numeric, vat = p.vat - ${vat}::numeric,
      vat_rate = case when p.vat = ${vat}::numeric then 0 else p.vat_rate end,
      vat_treatment = case when p.vat = ${vat}::numeric then i.vat_treatment else p.vat_treatment end
    from invoices i where i.id = ${to} and p.advance_invoice_id = ${from}`.execute(tx)
}

/**
 * Locks the payments whose money a deposit is: their own, or what a credit note took off a bill that they paid. They are locked
 * first, in the order of a refund request, which avoids deadlocks. Throws `storno_disputed`.
 */
async function assertNotDisputed(tx: Database, id: number, clientId: number): Promise<void> {
  const { rows } = await sql<{ disputed: boolean }>`
    select p.status = 'disputed' or exists (select from payment_disputes d where d.payment_id = p.id and d.status = 'open')
      as disputed
    from payments p where p.client_id = ${clientId} and exists (
      select from jsonb_array_elements_text(${withReplacements(sql`${id}::int8`)}) as c (id)
      where p.advance_invoice_id = c.id::int8 or exists (
        select from ledger_transactions t where t.idempotency_key = 'pay:' || p.id || ':bill:' || c.id))
    order by p.id for update of p`.execute(tx)
  if (rows.some(({ disputed }) => disputed)) throw refuse('storno_disputed')
}

/**
 * Corrects an invoice with VAT whose buyer's VAT number turned valid later: a credit note for the unused
 * deposit, a new invoice for the same money under the current VAT ruling, and the VAT credited to the
 * balance. The payment itself does not move. Throws like `assertWithinLimit`, `storno_not_deposit`, `storno_disputed`,
 * `storno_nothing_left`, `storno_same_vat`, and `refund_pending`.
 */
export async function storno(
  context: Context,
  { row, input }: { readonly row: Invoice; readonly input: { readonly reason: string } },
) {
  const { tx } = context
  if (row.kind !== 'fiscal' || row.reason !== 'advance') throw refuse('storno_not_deposit')
  const { id, client_id: clientId, currency } = row
  await assertNotDisputed(tx, id, clientId)
  await holdAccounts(tx, clientId)
  const { rows } = await sql`select from payment_refunds r join payments p on p.id = r.payment_id
    where coalesce(r.advance_invoice_id, p.advance_invoice_id) = ${id} and r.status = 'pending'`.execute(tx)
  if (rows.length > 0) throw refuse('refund_pending')
  const left = await leftOf(tx, id)
  const net = new Big(left.net).minus(left.used)
  if (net.lte(0)) throw refuse('storno_nothing_left')
  const { reason } = input
  const note = await creditNote(tx, {
    invoiceId: id,
    net: net.toFixed(2),
    reason: { en: reason, ro: reason },
  })
  await assertWithinLimit(context, { verb: 'storno', clientId, currency, amount: new Big(note.total).abs() })
  const reissued = await issueInvoice(tx, {
    clientId,
    sum: { gross: new Big(note.total).abs().toFixed(2) },
    creditNoteId: note.id,
  })
  const [group] = note.groups
  if (!group || !new Big(reissued.vat).eq(0) || new Big(note.vat).eq(0)) throw refuse('storno_same_vat')
  const vat = new Big(note.vat).abs().toFixed(2)
  await vatGivenBack(tx, {
    key: `vat:${note.id}`,
    clientId,
    currency,
    vat: { amount: vat, country: group.country, rate: group.rate },
    source: { type: 'invoice', id: note.id },
  })
  await followPayment(tx, id, reissued.id, vat)
  await requestEvaluation(tx, clientId)
  return { credit_note_id: note.id, invoice_id: reissued.id, vat: Number(vat) }
}

import Big from 'big.js'
import { sql } from 'kysely'
import { requestEvaluation } from '#money/balance/balances.ts'
import { assertWithinLimit } from '#money/corrections/limits.ts'
import { creditNote, leftOf } from '#money/invoices/credit-notes.ts'
import { issueInvoice } from '#money/invoices/invoices.ts'
import type { Issued } from '#money/invoices/issue-document.ts'
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

/** Whether the tax office has rejected a document, or it has no electronic invoice because it violates a rule. */
async function isRefused(tx: Database, id: number): Promise<boolean> {
  const { rows } = await sql<{ refused: boolean }>`select i.pdf_key is not null and i.xml_key is null
      or exists (select from e_invoices e join tax_offices o on o.environment = e.environment and o.in_use
        where e.invoice_id = i.id and e.state = 'rejected') as refused
    from invoices i where i.id = ${id}`.execute(tx)
  return rows[0]?.refused ?? false
}

/** The VAT that is not owed after all. Throws `storno_same_vat` where a document that counts would have the same again. */
async function vatFreed(tx: Database, id: number, note: Issued, reissued: Issued) {
  const [group] = note.groups
  const [again] = reissued.groups
  if (!group || !again) throw refuse('storno_same_vat')
  const isWithout = new Big(reissued.vat).eq(0) && !new Big(note.vat).eq(0)
  const isAlike = group.country === again.country && new Big(group.rate).eq(again.rate)
  if (!isWithout && !(isAlike && (await isRefused(tx, id)))) throw refuse('storno_same_vat')
  const amount = new Big(note.vat).abs().minus(reissued.vat)
  return { amount: amount.toFixed(2), country: group.country, rate: group.rate }
}

/**
 * Corrects the invoice of a deposit: one with VAT whose buyer's VAT number turned valid later, or one that the tax office
 * refuses. A credit note takes back the unused part, a new invoice has the same money with the buyer and the VAT of today, and VAT that
 * is not owed goes to the balance. The payment itself does not move. Throws like `assertWithinLimit`, `storno_not_deposit`, `storno_disputed`,
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
  const vat = await vatFreed(tx, id, note, reissued)
  if (!new Big(vat.amount).eq(0))
    await vatGivenBack(tx, {
      key: `vat:${note.id}`,
      clientId,
      currency,
      vat,
      source: { type: 'invoice', id: note.id },
    })
  await followPayment(tx, id, reissued.id, vat.amount)
  await requestEvaluation(tx, clientId)
  return { credit_note_id: note.id, invoice_id: reissued.id, vat: Number(vat.amount) }
}

import Big from 'big.js'
import { sql } from 'kysely'
import { requestEvaluation } from '#money/balance/balances.ts'
import { assertWithinLimit } from '#money/corrections/limits.ts'
import { creditNote, leftOf } from '#money/invoices/credit-notes.ts'
import { isRefused } from '#money/invoices/documents/refused.ts'
import { issueInvoice } from '#money/invoices/invoices.ts'
import type { Issued } from '#money/invoices/issue-document.ts'
import { vatReplaced } from '#money/ledger/deposits.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import type { Vat } from '#money/ledger/movement.ts'
import { withReplacements } from '#money/payments/disputes/parts.ts'
import { hasPaidBill } from '#money/payments/paid-bills.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'

type Invoice = RowOf<'invoices'>

type Change = { readonly from: Vat; readonly to: Vat }

/**
 * Moves the refundable rest of a payment to the new invoice, whose VAT is that which a dispute reclaims where the payment has no
 * other.
 */
async function followPayment(tx: Database, from: number, to: number, vat: Change): Promise<void> {
  const [before, after] = [sql`${vat.from.amount}::numeric`, sql`${vat.to.amount}::numeric`]
  await sql`update payments p set advance_invoice_id = ${to}, net = p.net + ${before} - ${after}, vat = p.vat - ${before} + ${after},
      vat_rate = case when p.vat = ${before} then ${vat.to.rate}::numeric else p.vat_rate end,
      vat_country = case when p.vat = ${before} then ${vat.to.country} else p.vat_country end,
      vat_treatment = case when p.vat = ${before} then i.vat_treatment else p.vat_treatment end
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
      where p.advance_invoice_id = c.id::int8 or ${hasPaidBill(sql`p`, sql`c.id`)})
    order by p.id for update of p`.execute(tx)
  if (rows.some(({ disputed }) => disputed)) throw refuse('storno_disputed')
}

async function isRefusedBy(tx: Database, id: number): Promise<boolean> {
  const { rows } = await sql<{
    refused: boolean
  }>`select ${isRefused} as refused from invoices where id = ${id}`.execute(tx)
  return rows[0]?.refused ?? false
}

const vatOf = ({ vat, groups: [group] }: Issued): Vat => {
  if (!group) throw refuse('invoice_without_lines')
  return { amount: new Big(vat).abs().toFixed(2), country: group.country, rate: group.rate }
}

/**
 * The VAT that is not owed after all, and that which is. Throws `storno_same_vat` where a document that counts would have some
 * again.
 */
function vatChange(refused: boolean, note: Issued, reissued: Issued): Change {
  const change = { from: vatOf(note), to: vatOf(reissued) }
  const isFreed = Number(change.from.amount) > 0 && Number(change.to.amount) === 0
  if (!isFreed && !refused) throw refuse('storno_same_vat')
  return change
}

/**
 * Corrects the invoice of a deposit: one with VAT whose buyer's VAT number turned valid later, or one that the tax office
 * refuses. A credit note takes back the unused part, and a new invoice has the same money with the buyer and the VAT of today;
 * after a refusal with the rates of VAT and exchange of the day of receipt (articles 290 and 291 (4) of the Fiscal Code). The
 * difference of VAT goes to the balance, or is taken from it. The payment itself does not move. Throws like `assertWithinLimit`,
 * `storno_not_deposit`, `storno_disputed`, `storno_nothing_left`, `storno_same_vat`, and `refund_pending`.
 */
export async function storno(
  context: Context,
  { row, input }: { readonly row: Invoice; readonly input: { readonly reason: string } },
) {
  const { tx } = context
  if (row.kind !== 'fiscal' || row.reason !== 'advance') throw refuse('storno_not_deposit')
  const { id, client_id: clientId, currency, tax_point_date } = row
  await assertNotDisputed(tx, id, clientId)
  await holdAccounts(tx, clientId)
  const { rows } = await sql`select from payment_refunds r join payments p on p.id = r.payment_id
    where coalesce(r.advance_invoice_id, p.advance_invoice_id) = ${id} and r.status = 'pending'`.execute(tx)
  if (rows.length > 0) throw refuse('refund_pending')
  const left = await leftOf(tx, id)
  const net = new Big(left.net).minus(left.used)
  if (net.lte(0)) throw refuse('storno_nothing_left')
  const { reason } = input
  const refused = await isRefusedBy(tx, id)
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
    on: refused ? (tax_point_date ?? undefined) : undefined,
  })
  const vat = vatChange(refused, note, reissued)
  await vatReplaced(tx, {
    key: `vat:${note.id}`,
    clientId,
    currency,
    ...vat,
    source: { type: 'invoice', id: note.id },
  })
  await followPayment(tx, id, reissued.id, vat)
  await requestEvaluation(tx, clientId)
  return {
    credit_note_id: note.id,
    invoice_id: reissued.id,
    vat: new Big(vat.from.amount).minus(vat.to.amount).toNumber(),
  }
}

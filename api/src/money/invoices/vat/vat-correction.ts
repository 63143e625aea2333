import Big from 'big.js'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { requestEvaluation } from '#money/balance/balances.ts'
import { assertWithinLimit } from '#money/corrections/limits.ts'
import { creditNote, fxOf, leftOf, restore } from '#money/invoices/credit-notes.ts'
import { buyer } from '#money/invoices/documents/document.ts'
import { isRefused as refusedSql } from '#money/invoices/documents/refused.ts'
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
import { type Again, againBy, isSamePlace, sellerThen } from './deposit-again.ts'

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
  }>`select ${refusedSql} as refused from invoices where id = ${id}`.execute(tx)
  return rows[0]?.refused ?? false
}

const vatOf = ({ vat, groups: [group] }: Issued): Vat => {
  if (!group) throw refuse('invoice_without_lines')
  return { amount: new Big(vat).abs().toFixed(2), country: group.country, rate: group.rate }
}

const instead = (number: string | null) => ({
  en: `in place of the one credited by ${number}`,
  ro: `în locul celui stornat prin ${number}`,
})

type Way = { readonly again: Again; readonly isRefused: boolean }

/**
 * Throws `storno_moved` and `storno_other_vat` where a document would have less VAT by other details than a proven number, which a
 * refusal by the tax office does not allow either, and `storno_same_vat` where a proven number does not end it today.
 */
function assertOwedNoMore(
  { vat_rate, buyer: stated }: Invoice,
  issued: Issued,
  { kind, billed }: Again,
): void {
  const isFree = issued.groups.every(({ category }) => category === 'AE')
  if (kind === 'freed') {
    if (!isFree) throw refuse('storno_same_vat')
    return
  }
  const { rate } = vatOf(issued)
  if (new Big(rate).gte(vat_rate)) return
  if (!isSamePlace(z.parse(buyer, stated), billed.buyer)) throw refuse('storno_moved')
  if (new Big(rate).eq(0)) throw refuse('storno_other_vat')
}

/** Issues the invoice that takes the place of a credited one, and checks what it does to the VAT. */
async function reissue(tx: Database, row: Invoice, note: Issued, { again, isRefused }: Way): Promise<Issued> {
  const { kind, billed } = again
  const taxPoint = row.tax_point_date ?? undefined
  // What the tax office refuses may be the seller's details, too.
  if (kind === 'details') return restore(tx, note.id, instead, { billed, taxPoint, isSellerNow: isRefused })
  const issued = await issueInvoice(tx, {
    clientId: row.client_id,
    sum: { gross: new Big(note.total).abs().toFixed(2) },
    creditNoteId: note.id,
    ...(kind === 'reissued' && { on: taxPoint, seller: await sellerThen(tx, row), fx: fxOf(row) }),
  })
  assertOwedNoMore(row, issued, again)
  return issued
}

/** Throws `refund_pending` while a refund of a deposit is on its way. */
async function assertNotRefunding(tx: Database, id: number): Promise<void> {
  const { rows } = await sql`select from payment_refunds r join payments p on p.id = r.payment_id
    where coalesce(r.advance_invoice_id, p.advance_invoice_id) = ${id} and r.status = 'pending'`.execute(tx)
  if (rows.length > 0) throw refuse('refund_pending')
}

/**
 * Corrects the invoice of a deposit: one with VAT whose buyer's VAT number is proven later, one that the tax office refuses, or one
 * with wrong details of its buyer. A credit note takes back the unused part, and a new invoice has the same money with the buyer of
 * today. Both are of one tax point, so that no correction is divided between two periods of VAT: that of the original, with its rates
 * of VAT and exchange (articles 290 and 291 (4) of the Fiscal Code), or today where the VAT is not owed after all. The difference of
 * VAT goes to the balance, or is taken from it. The payment itself does not move. Throws like `assertWithinLimit` and `againBy`,
 * `storno_not_deposit`, `storno_disputed`, `storno_nothing_left`, and `refund_pending`.
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
  await assertNotRefunding(tx, id)
  const left = await leftOf(tx, id)
  const net = new Big(left.net).minus(left.used)
  if (net.lte(0)) throw refuse('storno_nothing_left')
  const { reason } = input
  const isRefused = await isRefusedBy(tx, id)
  const again = await againBy(tx, row, { isRefused })
  const note = await creditNote(tx, {
    invoiceId: id,
    net: net.toFixed(2),
    reason: { en: reason, ro: reason },
    taxPoint: again.kind === 'freed' ? undefined : (tax_point_date ?? undefined),
  })
  await assertWithinLimit(context, { verb: 'storno', clientId, currency, amount: new Big(note.total).abs() })
  const reissued = await reissue(tx, row, note, { again, isRefused })
  const vat = { from: vatOf(note), to: vatOf(reissued) }
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

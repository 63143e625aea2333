import Big from 'big.js'
import { sql } from 'kysely'
import { requestEvaluation } from '#money/balance/balances.ts'
import { assertNoOtherLine, isByHand } from '#money/bank/by-hand.ts'
import { freedPaymentName } from '#money/bank/free-names.ts'
import { proposeMatches } from '#money/bank/propose-matches.ts'
import { alertUnseen } from '#money/bank/unseen.ts'
import { creditNote, leftOf } from '#money/invoices/credit-notes.ts'
import { refund } from '#money/ledger/deposits.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { lockPayment, type Payment } from '#money/payments/payment-rows.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { claimedOf } from './refunds.ts'

/** The deposit of a transfer while all of it is unused, and none is on its way back; throws `bank_match_used` otherwise. */
export async function unusedTransfer(tx: Database, paymentId: number) {
  const payment = await lockPayment(tx, paymentId)
  const { client_id, advance_invoice_id: invoiceId, status, gross } = payment
  const { balance } = await holdAccounts(tx, client_id)
  if (invoiceId === null || status !== 'succeeded') throw refuse('bank_match_used')
  const left = await leftOf(tx, invoiceId)
  const { claimed, own } = await claimedOf(tx, payment)
  const isWhole = new Big(left.net).plus(left.vat).eq(gross) && new Big(left.used).eq(0)
  if (!isWhole || own || balance.minus(claimed).lt(left.net)) throw refuse('bank_match_used')
  return { payment, invoiceId, net: left.net }
}

type Unused = Awaited<ReturnType<typeof unusedTransfer>>

/** Where the money of a transfer goes that was no client's: to the suspense account of its line, or out of the bank account. */
type Posting = {
  readonly key: string
  readonly means: 'suspense' | 'bank'
  readonly source: { readonly type: string; readonly id: number }
}

/** Credits the deposit, and takes its money from the balance. */
async function takeBack(tx: Database, { payment, invoiceId, net }: Unused, { key, means, source }: Posting) {
  const reason = { en: 'transfer assigned by mistake', ro: 'transfer atribuit din greșeală' }
  const note = await creditNote(tx, { invoiceId, net, reason })
  const [group] = note.groups
  const vat = new Big(note.vat).abs()
  const posted = await refund(tx, {
    key,
    clientId: payment.client_id,
    currency: payment.currency,
    net,
    ...(group && vat.gt(0) && { vat: { amount: vat.toFixed(2), country: group.country, rate: group.rate } }),
    means,
    source,
  })
  return { noteId: note.id, net, vat: vat.toFixed(2), postedId: posted.id }
}

/** The proforma is paid by its other transfers alone. One that was cancelled stays so. */
async function reopenProforma(tx: Database, proformaId: number): Promise<void> {
  await sql`update invoices i set paid = x.paid, invoice_status_id = case
      when i.invoice_status_id = invoice_status('cancelled') then i.invoice_status_id
      else invoice_status(case when x.paid >= i.total - i.credited then 'paid' when x.paid > 0 then 'partially_paid' else 'unpaid' end) end
    from (select least(max(d.total - d.credited), coalesce(sum(p.gross - p.refunded), 0)) as paid
      from invoices d left join payments p on p.proforma_id = d.id and p.settled_at is not null
      where d.id = ${proformaId}) x
    where i.id = ${proformaId}`.execute(tx)
}

/** Marks the payment as taken back. Its reference is free for the next decision about the money. */
export async function releaseTransfer(tx: Database, { id, proforma_id: proformaId }: Payment): Promise<void> {
  await sql`update payments p set status = 'refunded', refunded = gross, provider_ref = ${freedPaymentName}
    where id = ${id}`.execute(tx)
  if (proformaId !== null) await reopenProforma(tx, proformaId)
}

/** Issues what follows from a transfer that was taken back; its refund has no account, as no money leaves. */
export async function creditTransfer(
  { tx, actor }: Context,
  unused: Unused,
  posting: Posting,
): Promise<void> {
  const { payment } = unused
  const { noteId, net, vat, postedId } = await takeBack(tx, unused, posting)
  await tx
    .insertInto('payment_refunds')
    .values({
      payment_id: payment.id,
      client_id: payment.client_id,
      net,
      vat,
      gross: payment.gross,
      reason: 'transfer assigned by mistake',
      status: 'succeeded',
      credit_note_id: noteId,
      ledger_transaction_id: postedId,
      requested_by_admin: actor.staff?.id ?? null,
    })
    .execute()
  await requestEvaluation(tx, payment.client_id)
}

/** Locks a transfer. Throws `transfer_not_by_hand`, `transfer_of_colleague` unless the actor recorded it or is an administrator. */
async function holdOwn({ tx, actor }: Context, { id, recorded_by }: RowOf<'payments'>): Promise<void> {
  // A match of the transfer, or another who takes it back, waits here.
  await lockPayment(tx, id)
  const { rows } = await sql`select from payments p where p.id = ${id} and ${isByHand}`.execute(tx)
  if (rows.length === 0) throw refuse('transfer_not_by_hand')
  if (recorded_by !== actor.staff?.id && actor.staff?.role !== 'admin') throw refuse('transfer_of_colleague')
}

/**
 * The staff action that takes back a transfer which was recorded by hand by mistake, while no line of a statement shows it and none of
 * it was used. Throws `recent_sign_in_required`, `transfer_not_by_hand`, `transfer_of_colleague`, `bank_payment_matched`,
 * `bank_match_used`.
 */
export async function undoTransfer(context: Context, { row }: { readonly row: RowOf<'payments'> }) {
  const { tx } = context
  assertRecentSignIn(context)
  await holdOwn(context, row)
  await assertNoOtherLine(tx, row.id)
  const unused = await unusedTransfer(tx, row.id)
  await releaseTransfer(tx, unused.payment)
  await proposeMatches(tx)
  await alertUnseen(tx)
  // Last: every other document of the series of credit notes waits from its number until the commit.
  await creditTransfer(context, unused, {
    key: `transfer-undone:${row.id}`,
    means: 'bank',
    source: { type: 'payment', id: row.id },
  })
  return { status: 'refunded' as const }
}

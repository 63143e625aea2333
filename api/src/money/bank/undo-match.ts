import Big from 'big.js'
import { sql } from 'kysely'
import { requestEvaluation } from '#money/balance/balances.ts'
import { creditNote, leftOf } from '#money/invoices/credit-notes.ts'
import { refund } from '#money/ledger/deposits.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { receiveUnclaimed } from '#money/ledger/suspense.ts'
import { lockPayment, type Payment } from '#money/payments/payment-rows.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { freedPaymentName } from './free-names.ts'
import { holdLine, type Line, postingOf } from './match-line.ts'
import { proposeMatches } from './propose-matches.ts'
import { alertUnclaimed } from './unclaimed.ts'
import { alertUnseen } from './unseen.ts'

/** The deposit of a payment while all of it is unused, and none is on its way back; throws `bank_match_used` otherwise. */
async function unusedDeposit(tx: Database, paymentId: number) {
  const payment = await lockPayment(tx, paymentId)
  const { id, client_id, advance_invoice_id: invoiceId, status, gross } = payment
  const { balance } = await holdAccounts(tx, client_id)
  if (invoiceId === null || status !== 'succeeded') throw refuse('bank_match_used')
  const left = await leftOf(tx, invoiceId)
  const { rows } = await sql<{
    claimed: string
    same: boolean
  }>`select coalesce(sum(net), 0) as claimed, coalesce(bool_or(payment_id = ${id}), false) as same
    from payment_refunds where client_id = ${client_id} and status = 'pending'`.execute(tx)
  const isWhole = new Big(left.net).plus(left.vat).eq(gross) && new Big(left.used).eq(0)
  if (!isWhole || rows[0]?.same || balance.minus(rows[0]?.claimed ?? 0).lt(left.net))
    throw refuse('bank_match_used')
  return { payment, invoiceId, net: left.net }
}

type Unused = Awaited<ReturnType<typeof unusedDeposit>>

/** Credits the deposit, and takes its money from the balance into the suspense account. */
async function takeBack({ tx }: Context, line: Line, { payment, invoiceId, net }: Unused) {
  const reason = { en: 'transfer assigned by mistake', ro: 'transfer atribuit din greșeală' }
  const note = await creditNote(tx, { invoiceId, net, reason })
  const [group] = note.groups
  const vat = new Big(note.vat).abs()
  const { key, source } = await postingOf(tx, line)
  const posted = await refund(tx, {
    key,
    clientId: payment.client_id,
    currency: line.currency,
    net,
    ...(group && vat.gt(0) && { vat: { amount: vat.toFixed(2), country: group.country, rate: group.rate } }),
    means: 'suspense',
    source,
  })
  return { noteId: note.id, net, vat: vat.toFixed(2), postedId: posted.id }
}

/** The proforma is paid by its other transfers alone. */
async function reopenProforma(tx: Database, proformaId: number): Promise<void> {
  await sql`update invoices i set paid = x.paid, invoice_status_id = invoice_status(case when x.paid >= i.total - i.credited
      then 'paid' when x.paid > 0 then 'partially_paid' else 'unpaid' end)
    from (select least(max(d.total - d.credited), coalesce(sum(p.gross - p.refunded), 0)) as paid
      from invoices d left join payments p on p.proforma_id = d.id and p.settled_at is not null
      where d.id = ${proformaId}) x
    where i.id = ${proformaId}`.execute(tx)
}

/** Marks the payment as taken back. Its reference is free for the next decision about the line. */
async function releasePayment(tx: Database, { id, proforma_id: proformaId }: Payment): Promise<void> {
  await sql`update payments p set status = 'refunded', refunded = gross, provider_ref = ${freedPaymentName}
    where id = ${id}`.execute(tx)
  if (proformaId !== null) await reopenProforma(tx, proformaId)
}

/** Issues what follows from a payment that was taken back. */
async function creditPayment(context: Context, line: Line, unused: Unused): Promise<void> {
  const { tx, actor } = context
  const { payment } = unused
  const { noteId, net, vat, postedId } = await takeBack(context, line, unused)
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

/** The line is open again. Whoever corrects a decision of their own decides as before; nobody overrules a colleague alone. */
async function reopenLine(tx: Database, { id, payment_id }: Line, by: number | null): Promise<void> {
  await tx
    .updateTable('bank_lines')
    .set({
      state: 'open',
      client_id: null,
      payment_id: null,
      undone_by: sql<
        number | null
      >`case when exists (select from payments p where p.id = ${payment_id} and p.recorded_by = ${by})
        then undone_by else ${by}::bigint end`,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * The staff action that takes a decision about a line back. Throws `recent_sign_in_required`, `bank_line_open`,
 * `bank_line_taken_back`, `bank_match_used`.
 */
export async function undoMatch(context: Context, { row }: { readonly row: Line }) {
  const { tx, actor } = context
  assertRecentSignIn(context)
  const line = await holdLine(tx, row.id)
  if (line.state === 'open') throw refuse('bank_line_open')
  if (line.state === 'taken_back') throw refuse('bank_line_taken_back')
  const unused = line.payment_id === null ? undefined : await unusedDeposit(tx, line.payment_id)
  if (unused) await releasePayment(tx, unused.payment)
  else await receiveUnclaimed(tx, await postingOf(tx, line))
  await reopenLine(tx, line, actor.staff?.id ?? null)
  await proposeMatches(tx)
  await alertUnclaimed(tx)
  await alertUnseen(tx)
  // Last: every other document of the series of credit notes waits from its number until the commit.
  if (unused) await creditPayment(context, line, unused)
  return { state: 'open' as const }
}

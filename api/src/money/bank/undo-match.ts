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
import { holdLine, type Line, postingOf } from './match-line.ts'
import { proposeMatches } from './propose-matches.ts'
import { alertUnclaimed } from './unclaimed.ts'

/** The deposit of a payment while all of it is unused, and none is on its way back; throws `bank_match_used` otherwise. */
async function unusedDeposit(
  tx: Database,
  { id, client_id, advance_invoice_id: invoiceId, status, gross }: Payment,
) {
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
  return { invoiceId, net: left.net }
}

/** Credits the deposit, and takes its money from the balance into the suspense account. */
async function takeBack({ tx }: Context, line: Line, payment: Payment) {
  const { invoiceId, net } = await unusedDeposit(tx, payment)
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

/** Takes a payment back. Its reference is free for the next decision about the line. */
async function undoPayment(context: Context, line: Line, paymentId: number): Promise<void> {
  const { tx, actor } = context
  const payment = await lockPayment(tx, paymentId)
  const { noteId, net, vat, postedId } = await takeBack(context, line, payment)
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
  await sql`update payments set status = 'refunded', refunded = gross, provider_ref = provider_ref || ' / ' || id
    where id = ${payment.id}`.execute(tx)
  if (payment.proforma_id !== null) await reopenProforma(tx, payment.proforma_id)
  await requestEvaluation(tx, payment.client_id)
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
  const by = actor.staff?.id ?? null
  if (line.payment_id !== null) await undoPayment(context, line, line.payment_id)
  else await receiveUnclaimed(tx, await postingOf(tx, line))
  await tx
    .updateTable('bank_lines')
    .set({
      state: 'open',
      client_id: null,
      payment_id: null,
      // Whoever corrects a decision of their own decides as before; nobody overrules a colleague alone.
      undone_by: sql<
        number | null
      >`case when exists (select from payments p where p.id = ${line.payment_id} and p.recorded_by = ${by})
        then undone_by else ${by}::bigint end`,
    })
    .where('id', '=', line.id)
    .execute()
  await proposeMatches(tx)
  await alertUnclaimed(tx)
  return { state: 'open' as const }
}

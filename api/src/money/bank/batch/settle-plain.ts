import Big from 'big.js'
import { sql } from 'kysely'
import { requestEvaluations } from '#money/balance/balances.ts'
import { deposits } from '#money/ledger/deposits.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { enqueueEach } from '#platform/jobs/enqueue.ts'
import { draftAdvances, type IssuedAdvance, numberAdvances } from './issue-advances.ts'
import { lockPlainLines } from './plain-lines.ts'

type Paid = IssuedAdvance & { readonly paymentId: number }

/** Writes the payments, which are settled at once: their money is at the bank. */
async function insertPayments(
  tx: Database,
  issued: readonly IssuedAdvance[],
  recordedBy: number | null,
): Promise<Paid[]> {
  const rows = issued.map(({ line, advance, invoiceId }) => ({
    client_id: line.client_id,
    purpose: 'bank_transfer',
    provider: 'bank',
    method: 'bank_transfer',
    provider_ref: line.reference,
    currency: line.currency,
    net: advance.net.toFixed(2),
    vat: advance.vat.toFixed(2),
    gross: line.amount,
    vat_treatment: advance.ruling.decision.treatment,
    vat_country: advance.ruling.decision.country,
    vat_rate: advance.ruling.decision.rate,
    proforma_id: line.proforma_id,
    advance_invoice_id: invoiceId,
    received_on: line.booked_on,
    recorded_by: recordedBy,
    bank_line_id: line.id,
    status: 'succeeded',
    settled_at: sql<string>`clock_now()`,
    next_look_at: null,
  }))
  const made = await tx.insertInto('payments').values(rows).returning(['id', 'bank_line_id']).execute()
  const ids = new Map(made.map(({ id, bank_line_id }) => [bank_line_id, id]))
  return issued.map((one) => ({ ...one, paymentId: ids.get(one.line.id) ?? 0 }))
}

/** Posts the deposits, from the suspense account to the balances. */
async function postDeposits(tx: Database, paid: readonly Paid[]): Promise<void> {
  const posted = await deposits(
    tx,
    paid.map(({ paymentId: id, line, advance }) => ({
      key: `pay:${id}`,
      clientId: line.client_id,
      currency: line.currency,
      net: advance.net.toFixed(2),
      ...(new Big(advance.vat).gt(0) && {
        vat: { ...advance.ruling.decision, amount: advance.vat.toFixed(2) },
      }),
      means: 'suspense' as const,
      source: { type: 'payment', id },
    })),
  )
  const pairs = paid.map(({ paymentId }, at) => ({ payment: paymentId, ledger: posted[at]?.id ?? 0 }))
  await sql`update payments p set ledger_transaction_id = x.ledger
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) x (payment bigint, ledger bigint)
    where p.id = x.payment`.execute(tx)
}

/** Marks proformas as paid and lines as matched, and queues what follows: files of the invoices, and the balances. */
async function follow(tx: Database, paid: readonly Paid[]): Promise<void> {
  await sql`update invoices set paid = total, invoice_status_id = invoice_status('paid')
    where id = any(${paid.map(({ line }) => line.proforma_id)}::bigint[])`.execute(tx)
  const pairs = paid.map(({ line, paymentId }) => ({
    line: line.id,
    client: line.client_id,
    payment: paymentId,
  }))
  await sql`update bank_lines l set state = 'matched', client_id = x.client, payment_id = x.payment, problem = null
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) x (line bigint, client bigint, payment bigint)
    where l.id = x.line`.execute(tx)
  await enqueueEach(
    tx,
    'invoice.documents',
    paid.map(({ invoiceId }) => ({ payload: { invoiceId }, key: `invoice.documents:${invoiceId}` })),
  )
  await requestEvaluations(
    tx,
    paid.map(({ line }) => line.client_id),
  )
}

/**
 * Confirms the next plain lines in one transaction, with the effects that `settleLine` has for each: a settled payment, an
 * invoice, a posting, a paid proforma. Returns how many; a failure takes all of them back. Throws `documents_need_…`.
 */
export async function settlePlainLines(
  { tx, actor }: Context,
  asked: { readonly statementId: number | undefined; readonly most: number },
): Promise<number> {
  const lines = await lockPlainLines(tx, asked)
  if (lines.length === 0) return 0
  const issued = await draftAdvances(tx, lines)
  const paid = await insertPayments(tx, issued, actor.staff?.id ?? null)
  await postDeposits(tx, paid)
  await follow(tx, paid)
  await numberAdvances(tx, issued)
  return paid.length
}

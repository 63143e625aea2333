import Big from 'big.js'
import { sql } from 'kysely'
import { requestEvaluations } from '#money/balance/balances.ts'
import { countOwnImports } from '#money/bank/own-imports.ts'
import { deposits } from '#money/ledger/deposits.ts'
import type { Database } from '#platform/db/pool.ts'
import { enqueueEach } from '#platform/jobs/enqueue.ts'
import { draftAdvances, type IssuedAdvance, numberAdvances } from './issue-advances.ts'
import { type Asked, lockPlainLines } from './plain-lines.ts'

type Paid = IssuedAdvance & { readonly paymentId: number }
type Posted = Paid & { readonly ledgerId: number }

/** Reserves the ids of the payments, which the postings name. */
async function named(tx: Database, issued: readonly IssuedAdvance[]): Promise<Paid[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('payments', 'id'))::bigint as id from generate_series(1, ${issued.length}::int)`.execute(
    tx,
  )
  return issued.map((one, at) => ({ ...one, paymentId: rows[at]?.id ?? 0 }))
}

/** Posts the deposits, from the suspense account to the balances. */
async function postDeposits(tx: Database, paid: readonly Paid[]): Promise<Posted[]> {
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
  return paid.map((one, at) => ({ ...one, ledgerId: posted[at]?.id ?? 0 }))
}

/** Writes the payments, which are settled at once: their money is at the bank. */
async function insertPayments(tx: Database, paid: readonly Posted[], recordedBy: number | null) {
  const rows = paid.map(({ line, advance, invoiceId, paymentId, ledgerId }) => ({
    id: paymentId,
    client_id: line.client_id,
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
    ledger_transaction_id: ledgerId,
    received_on: line.booked_on,
    bank_line_id: line.id,
  }))
  await sql`
    insert into payments (id, client_id, provider_ref, currency, net, vat, gross, vat_treatment, vat_country, vat_rate,
        proforma_id, advance_invoice_id, ledger_transaction_id, received_on, bank_line_id, purpose, provider, method,
        recorded_by, status, settled_at, next_look_at) overriding system value
      select id, client_id, provider_ref, currency, net, vat, gross, vat_treatment, vat_country, vat_rate,
        proforma_id, advance_invoice_id, ledger_transaction_id, received_on, bank_line_id, 'bank_transfer', 'bank',
        'bank_transfer', ${recordedBy}::bigint, 'succeeded', clock_now(), null
      from jsonb_populate_recordset(null::payments, ${JSON.stringify(rows)}::jsonb)`.execute(tx)
}

// Files take ten times the work of a line, and would slow down the lines that a person waits for.
const pauseMs = 60_000

/**
 * Marks proformas as paid and lines as matched, and queues what follows: files of the invoices, and the balances; both a
 * little later when more lines follow.
 */
async function follow(tx: Database, paid: readonly Paid[], more: boolean): Promise<void> {
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
  const later = { afterMs: more ? pauseMs : 0 }
  const files = paid.map(({ invoiceId }) => ({
    payload: { invoiceId },
    key: `invoice.documents:${invoiceId}`,
  }))
  await enqueueEach(tx, 'invoice.documents', files, later)
  const clients = paid.map(({ line }) => line.client_id)
  await requestEvaluations(tx, clients, later)
}

/**
 * Confirms the plain ones of the next lines in one transaction, with the effects that `settleLine` has for each: a settled
 * payment, an invoice, a posting, a paid proforma. Returns how many, and the last line that was looked at, if any; a
 * failure takes all of them back. Throws `documents_need_…`, `bank_line_own_import`.
 */
export async function settlePlainLines(
  tx: Database,
  asked: Asked,
): Promise<{ settled: number; last: number | undefined }> {
  const { plain, last, more } = await lockPlainLines(tx, asked)
  if (plain.length === 0) return { settled: 0, last }
  const issued = await draftAdvances(tx, plain)
  const paid = await postDeposits(tx, await named(tx, issued))
  await insertPayments(tx, paid, asked.adminId)
  await follow(tx, paid, more)
  await countOwnImports(
    tx,
    asked.adminId,
    paid.map(({ line }) => line.id),
  )
  await numberAdvances(tx, issued)
  return { settled: paid.length, last }
}

import Big from 'big.js'
import { sql } from 'kysely'
import { roundedIn } from '#money/minor-units.ts'
import type { Payment } from '#money/payments/payment-rows.ts'
import type { Database } from '#platform/db/pool.ts'
import { depositParts, grossOf, least, ownDepositsOf, type Part, shares, withReplacements } from './parts.ts'

type PaidBill = {
  readonly invoice: number
  readonly net: string
  readonly vat: string
  readonly counted: string
  /** The bill, and the invoices of what credit notes took off it. */
  readonly ids: readonly number[]
}

/**
 * The parts of a payment that went to bills, found among the client's postings, less the disputed amounts that are not theirs again, and the amount of each bill that was paid, not given up.
 * Its deposits are the invoices of what credit notes took off it, and those that took the place of such an invoice later.
 */
async function paidBills(tx: Database, { id, client_id }: Payment): Promise<PaidBill[]> {
  const { rows } = await sql<PaidBill>`
    select b.invoice, b.net - coalesce(sum(away.net), 0) as net, b.vat - coalesce(sum(away.gross - away.net), 0) as vat,
      greatest(least(i.paid, i.total - i.credited) - i.written_off, 0) as counted, c.ids
    from (
      select substring(t.idempotency_key from ':bill:([0-9]+)$')::bigint as invoice,
        coalesce(sum(e.amount) filter (where a.kind = 'client_balance'), 0) as net,
        coalesce(sum(e.amount) filter (where a.kind = 'client_vat_due'), 0) as vat
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
        join ledger_accounts a on a.id = e.account_id
      where t.client_id = ${client_id} and t.kind = 'bill_payment' and t.source_type = 'payment' and t.source_id = ${id}
      group by t.id
    ) b
    join invoices i on i.id = b.invoice
    cross join lateral (select ${withReplacements(sql`b.invoice`)} as ids) c
    left join dispute_parts d on c.ids @> to_jsonb(d.invoice_id) and (d.returned_at is null or d.deposit_id is not null)
      and d.kind <> 'debt' and d.dispute_id in (select id from payment_disputes where payment_id = ${id})
    left join invoices o on o.id = d.deposit_id
    left join lateral (select g.gross, ${roundedIn(sql`d.net * g.gross / (d.net + d.vat)`, sql`i.currency`)} as net
      from (select coalesce(o.total, d.net + d.vat) as gross) g) away on true
    group by b.invoice, b.net, b.vat, i.id, c.ids order by b.invoice desc`.execute(tx)
  return rows
}

/**
 * The parts of a payment that bills got. What a credit note took off a paid bill is a deposit, which counts before the
 * bill is open again; the bill by no more than what counts as paid.
 */
async function billParts(tx: Database, bills: readonly PaidBill[], currency: string): Promise<Part[]> {
  const parts: Part[] = []
  for (const { invoice, net, vat, counted, ids } of bills) {
    const whole: Part = { kind: 'bill', invoiceId: invoice, net: new Big(net), vat: new Big(vat) }
    const gross = whole.net.plus(whole.vat)
    const returned: Part[] = []
    for (const id of ids) if (id !== invoice) returned.push(...(await depositParts(tx, id, currency)))
    const ofDeposits = shares(returned, gross.minus(least(gross, new Big(counted))), currency)
    const rest = least(gross.minus(grossOf(ofDeposits)), new Big(counted))
    parts.push(...ofDeposits, ...shares([whole], rest, currency))
  }
  return parts
}

/**
 * The own deposits of a payment, newest first. What a credit note took off a bill may have become the payment's deposit since, and
 * counts as the bill's.
 */
async function ownDeposits(tx: Database, { id }: Payment, bills: readonly PaidBill[]): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`select o.id from payments p cross join lateral ${ownDepositsOf(sql`p`)} o
    where p.id = ${id} and o.id is not null order by o.id desc`.execute(tx)
  const ofBills = new Set(bills.flatMap(({ ids }) => ids))
  return rows.map((own) => own.id).filter((own) => !ofBills.has(own))
}

/**
 * The part of a settled payment that has left again, by a refund or a set-off: what neither its documents nor its lost disputes
 * have.
 */
async function leftAgain(
  tx: Database,
  { id, gross }: Payment,
  parts: readonly Part[],
  invoiceId: number,
): Promise<Part> {
  const { rows } = await sql<{ lost: string }>`
    select coalesce(sum(case when d.ledger_transaction_id is null then p.gross else d.amount end), 0) as lost
    from payment_disputes d cross join lateral (select coalesce(sum(net + vat), 0) as gross from dispute_parts
      where dispute_id = d.id and returned_at is null) p
    where d.payment_id = ${id}`.execute(tx)
  const net = new Big(gross).minus(rows[0]?.lost ?? 0).minus(grossOf(parts))
  return { kind: 'debt', invoiceId, net, vat: new Big(0) }
}

/** The parts that a payment consists of. */
export async function partsOf(tx: Database, payment: Payment): Promise<Part[]> {
  const bills = await paidBills(tx, payment)
  const parts: Part[] = []
  for (const id of await ownDeposits(tx, payment, bills))
    parts.push(...(await depositParts(tx, id, payment.currency)))
  parts.push(...(await billParts(tx, bills, payment.currency)))
  const invoiceId = payment.advance_invoice_id ?? bills[0]?.invoice
  return invoiceId === undefined ? [] : [...parts, await leftAgain(tx, payment, parts, invoiceId)]
}

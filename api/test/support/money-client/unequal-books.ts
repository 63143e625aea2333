import { sql } from 'kysely'
import { withReplacements } from '#money/payments/disputes/parts.ts'
import { refundableDeposits } from '#money/payments/refunds/refundable-deposits.ts'
import type { Database } from '#platform/db/pool.ts'

/** SQL of each figure of a client: what the ledger, the documents, and the rows of payments say, each by itself. */
const figures = {
  balance: sql`select balance from ledger_accounts, client where client_id = client.id and kind = 'client_balance'`,
  vatDue: sql`select balance from ledger_accounts, client where client_id = client.id and kind = 'client_vat_due'`,
  vat: sql`select amount from posted where kind = 'vat_payable'`,
  lost: sql`select -amount from posted where kind = 'writeoff'`,
  provider: sql`select -amount from posted where kind = 'psp_clearing'`,
  documents: sql`select sum(vat) from documents where kind <> 'proforma'`,
  advances: sql`select sum(d.net - coalesce(c.used, 0)) from documents d
    left join (select advance_id, sum(amount) as used from advance_consumptions group by 1) c on c.advance_id = d.id
    where d.kind = 'fiscal' and d.reason = 'advance'`,
  openNet: sql`select sum(round(open * net / total, 2)) from bills`,
  openVat: sql`select sum(round(open * vat / total, 2)) from bills`,
  writtenOff: sql`select sum(written_off) from (select written_off from documents
    union all select written_off from payment_debts, client where client_id = client.id) l`,
  debts: sql`select sum(amount - set_off - written_off) from payment_debts, client where client_id = client.id and ended_at is null`,
  waitingNet: sql`select sum(net) from waiting`,
  waitingVat: sql`select sum(vat) from waiting`,
  unbilled: sql`select sum(amount - from_credit) from usage_charges, client where client_id = client.id and service_bill_id is null`,
  taken: sql`select sum(gross) from payments, client
    where client_id = client.id and provider = 'stripe' and settled_at is not null`,
  stranded: sql`select sum(d.net - coalesce(c.used, 0)) from documents d
    left join (select advance_id, sum(amount) as used from advance_consumptions group by 1) c on c.advance_id = d.id
    where d.kind = 'fiscal' and d.reason = 'advance' and d.net > coalesce(c.used, 0) and d.id not in (select id from of_months)
      and not exists (select from payments p cross join lateral ${refundableDeposits(sql`p`)} f
        where p.client_id = d.client_id and f.id = d.id)`,
  refunded: sql`select sum(r.gross) from client, payment_refunds r join payments p on p.id = r.payment_id
    where r.client_id = client.id and r.iban is null and r.status = 'succeeded' and p.provider = 'stripe'`,
}

type Figures = Record<keyof typeof figures, number>

async function figuresOf(db: Database, clientId: number): Promise<Figures> {
  const all = Object.entries(figures).map(
    ([name, query]) => sql`coalesce((${query}), 0)::float as ${sql.id(name)}`,
  )
  const { rows } = await sql<Figures>`
    with client as (select ${clientId}::bigint as id), documents as (
      select i.* from invoices i, client where i.client_id = client.id
    ), bills as (
      select net, vat, total, greatest(total - paid - credited, 0) as open from documents
      where kind = 'fiscal' and reason in ('service_bill', 'manual') and total > 0
    ), waiting as (
      select net, vat from dispute_parts, client
      where client_id = client.id and kind = 'used' and bill_id is null and returned_at is null
    ), of_months as (
      -- What a month gave back came from no payment by itself.
      select r.id::bigint as id from documents d join ledger_transactions t on t.created_at = d.created_at and t.client_id = d.client_id
        cross join lateral jsonb_array_elements_text(${withReplacements(sql`d.id`)}) r (id)
      where d.kind = 'fiscal' and d.reason = 'advance' and t.idempotency_key like 'bill:%:given-back'
    ), posted as (
      select a.kind, sum(e.amount) as amount from client, ledger_entries e
        join ledger_transactions t on t.id = e.transaction_id join ledger_accounts a on a.id = e.account_id
      where t.client_id = client.id group by 1
    ) select ${sql.join(all)}`.execute(db)
  const [found] = rows
  if (!found) throw new Error('No figures of a client.')
  return found
}

/** Each open bill, and each part that was paid, lost and paid again, may round by a cent. */
const cents = 0.06
const exact = 0.001

/**
 * What the ledger, the documents and the provider do not agree on for a client of whose payments the banks have taken back so much.
 */
export async function unequalBooks(db: Database, clientId: number, takenBack: number): Promise<string[]> {
  const found = await figuresOf(db, clientId)
  const { advances, openNet, debts, waitingNet, unbilled } = found
  const equations: readonly [what: string, ledger: number, others: number, within: number][] = [
    ['VAT', found.vat, found.documents, exact],
    ['loss', found.lost, found.writtenOff, exact],
    ['balance', found.balance, advances - openNet - debts - waitingNet - unbilled, cents],
    ['VAT due', found.vatDue, -found.openVat - found.waitingVat, cents],
    ['provider', found.provider, found.taken - found.refunded - takenBack, exact],
    ['deposits that no payment can give back', 0, found.stranded, exact],
  ]
  return equations
    .filter(([, ledger, others, within]) => Math.abs(ledger - others) > within)
    .map(([what, ledger, others]) => `${what}: the ledger has ${ledger}, the rest says ${others.toFixed(2)}`)
}

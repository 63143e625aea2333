import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'
import { creditNote } from './credit-notes.ts'
import { demoData } from './demo-data.ts'
import { issueInvoice, issueProforma } from './invoices.ts'
import { closeMonth } from './month-close.ts'
import type { Month } from './month-lines.ts'
import { checkedByRecord } from './vat-checks.ts'

/** `twice`: paid once too often, and given back. */
type Deposit = { readonly client: number; readonly net: string; readonly twice: boolean }

/** What was to be documented on a UTC day: a month that was over by then, and money that was paid in. */
type Event = { readonly day: string; readonly month: Month | null; readonly deposits: readonly Deposit[] }

async function eventsOf(tx: Database): Promise<readonly Event[]> {
  const { rows } = await sql<Event>`
    with paid as (
      select t.effective_on as day, jsonb_agg(jsonb_build_object('client', t.client_id, 'net', e.amount::text,
        'twice', t.idempotency_key like '%:twice') order by t.id) as deposits
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
      join ledger_accounts a on a.id = e.account_id and a.kind = 'client_balance'
      where t.kind = 'deposit' and t.idempotency_key like 'demo:%' group by t.effective_on
    ), months as (
      select day::date from generate_series(date_trunc('month', (select min(usage_on) from usage_charges))
        + interval '1 month', clock_today(), '1 month') day
    )
    select coalesce(p.day, m.day)::text as day, coalesce(p.deposits, '[]') as deposits, case when m.day is not null then
      jsonb_build_object('from', (m.day - interval '1 month')::date, 'until', m.day) end as month
    from paid p full join months m on m.day = p.day order by 1`.execute(tx)
  return rows
}

const setClock = (tx: Database, day: string, time: string) =>
  sql`update clock set ahead = ((${day}::date + ${time}::time) at time zone 'utc') - now()`.execute(tx)

async function closeAll(tx: Database, month: Month): Promise<void> {
  const { rows } = await sql<{ client_id: number }>`
    select distinct client_id from usage_charges where usage_on < ${month.until} and service_bill_id is null order by 1`.execute(
    tx,
  )
  // Somebody on trial has no address yet, and so no bill.
  for (const { client_id } of rows) await closeMonth(tx, client_id, month).catch(() => null)
}

async function documentDeposit(tx: Database, { client, net, twice }: Deposit): Promise<void> {
  const { id } = await issueInvoice(tx, { clientId: client, sum: { net } })
  if (twice) await creditNote(tx, { invoiceId: id, reason: { en: 'paid twice', ro: 'plătit de două ori' } })
}

/**
 * Gives the demo's past its documents, in the order of its days, by the services of any other day: the invoice of each deposit,
 * and the bill of each month. Business is moved back for it, which nobody sees before this is committed.
 */
export async function documentPast(tx: Database, vatNumbers: readonly string[]): Promise<void> {
  const { rows } = await sql<{ ahead: string }>`select ahead::text as ahead from clock for update`.execute(tx)
  for (const { day, month, deposits } of await eventsOf(tx)) {
    await setClock(tx, day, '02:00')
    await checkedByRecord(tx, vatNumbers)
    if (month) await closeAll(tx, month)
    await setClock(tx, day, '10:00')
    for (const deposit of deposits) await documentDeposit(tx, deposit)
  }
  // What the past told was read then.
  await sql`update notifications n set created_at = i.issued_at, read_at = i.issued_at
    from invoices i where n.kind = 'invoice_issued' and n.about_id = i.id`.execute(tx)
  await sql`update clock set ahead = ${rows[0]?.ahead ?? '0'}::interval`.execute(tx)
  await checkedByRecord(tx, vatNumbers)
  for (const { email, proforma } of demoData) {
    if (proforma === undefined) continue
    const { id } = await tx
      .selectFrom('clients')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await issueProforma(tx, { clientId: id, sum: { net: proforma } })
  }
}

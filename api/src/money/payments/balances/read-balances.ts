import { hourMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import { type PaymentScope, realNow } from '#money/payments/payment-scope.ts'
import type { ProviderSum, ProviderTransfer } from '#money/payments/providers/payment-provider.ts'
import type { Database } from '#platform/db/pool.ts'

const secondMs = 1000
// A transfer may be listed a little later than it was made.
const overlapMs = 48 * hourMs

/** The moment from which transfers may be missing; those before the first reading do not count. */
async function transfersFrom({ within }: PaymentScope, provider: string, now: number): Promise<Date> {
  const { rows } = await within((tx) =>
    sql<{
      at: string | null
    }>`select max(read_at) as at from provider_balances where provider = ${provider}`.execute(tx),
  )
  const last = rows[0]?.at
  return new Date((last ? Date.parse(last) : now) - overlapMs)
}

/** The provider and the moment of a reading. */
type Reading = { readonly provider: string; readonly at: string }

/** Keeps transfers, each once however often it is listed. */
async function keepTransfers(tx: Database, { provider, at }: Reading, all: readonly ProviderTransfer[]) {
  await sql`insert into provider_transfers (provider, ref, kind, currency, amount, moved_at, read_at)
    select ${provider}, t.ref, t.kind, t.currency, t.amount, t.at, ${at}
    from jsonb_to_recordset(${JSON.stringify(all)}::jsonb)
      t (ref text, kind text, currency text, amount numeric, at timestamptz) on conflict do nothing`.execute(
    tx,
  )
}

/**
 * Stores, for each currency, what the provider holds, the ledger's balance of its account, and the open disputes. A currency that the
 * provider no longer names has zero.
 */
async function keepHeld(tx: Database, { provider, at }: Reading, held: readonly ProviderSum[]) {
  await sql`
    with held as (
      select currency, amount from jsonb_to_recordset(${JSON.stringify(held)}::jsonb) h (currency text, amount numeric)
    ), booked as (
      select a.currency::text, -sum(e.amount) as amount from ledger_accounts a join ledger_entries e on e.account_id = a.id
      where a.kind = 'psp_clearing' and starts_with(a.code, ${`psp:${provider}:`}) group by a.currency
    ), disputed as (
      select p.currency::text, sum(d.amount) as amount from payment_disputes d join payments p on p.id = d.payment_id
      where d.provider = ${provider} and d.status = 'open' group by p.currency
    )
    insert into provider_balances (provider, currency, day, held, booked, disputed, read_at)
    select ${provider}, c.currency, clock_today(), coalesce(h.amount, 0), coalesce(b.amount, 0), coalesce(d.amount, 0), ${at}
    from (select currency from held union select currency from booked
      union select currency::text from provider_balances where provider = ${provider}) c
      left join held h using (currency) left join booked b using (currency) left join disputed d using (currency)
    on conflict (provider, currency, day) do update set held = excluded.held, booked = excluded.booked,
      disputed = excluded.disputed, read_at = excluded.read_at`.execute(tx)
}

/**
 * Keeps what the payment provider holds now, and what it paid out since the last reading; once a day, the newest. Rejects when the provider does not
 * answer.
 */
export async function readBalances(paymentScope: PaymentScope): Promise<void> {
  const { current } = paymentScope.payments
  const now = await realNow(paymentScope)
  const since = await transfersFrom(paymentScope, current.id, now)
  const held = await current.holds()
  const transfers: ProviderTransfer[] = []
  // Providers count in seconds: one of this second is in the balance.
  for await (const one of current.transfers(since, new Date(now + secondMs))) transfers.push(one)
  const reading = { provider: current.id, at: new Date(now).toISOString() }
  await paymentScope.within(async (tx) => {
    await keepTransfers(tx, reading, transfers)
    await keepHeld(tx, reading, held)
  })
}

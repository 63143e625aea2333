import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { verifyLedger } from '../../api/src/money/ledger/verify.ts'
import type { Pool } from '../../api/src/platform/db/pool.ts'
import type { People } from './people.ts'
import { type Acknowledged, nameOf } from './traffic.ts'

/** The acknowledged writes that the database lacks. */
export async function lostOf(pool: Pool, acknowledged: readonly Acknowledged[]): Promise<Acknowledged[]> {
  const of = (kind: Acknowledged['kind']) => acknowledged.filter((one) => one.kind === kind)
  const idsOf = (kind: Acknowledged['kind']) => of(kind).map(({ id }) => id)
  const { rows } = await sql<{ kind: string; id: number }>`
    select 'project' as kind, id from projects where id = any(${idsOf('project')})
    union all select 'deposit', id from payments where id = any(${idsOf('deposit')})`.execute(pool.kysely)
  const there = new Set(rows.map(({ kind, id }) => `${kind} ${id}`))
  return acknowledged.filter(({ kind, id }) => !there.has(`${kind} ${id}`))
}

/** Waits until no payment is open; returns how many still are. */
async function openPayments(pool: Pool): Promise<number> {
  const deadline = performance.now() + 180_000
  for (;;) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from payments where status in ('created', 'processing')`.execute(pool.kysely)
    const open = rows[0]?.n ?? 0
    if (open === 0 || performance.now() > deadline) return open
    await sleep(500)
  }
}

/**
 * Compares the database with what was acknowledged, once all writes were: each is there once, each deposit is
 * on the balance, and the ledger has no differences. Returns a line for each fault.
 */
export async function faultsOfBooks(
  pool: Pool,
  { payers: paying }: People,
  acknowledged: readonly Acknowledged[],
): Promise<string[]> {
  const ids = paying.map(({ id }) => id)
  const open = await openPayments(pool)
  const lost = await lostOf(pool, acknowledged)
  const deposits = acknowledged.filter(({ kind }) => kind === 'deposit').length
  const twice =
    await sql`select name from projects where name in (select unnest(${acknowledged.map(({ key }) => nameOf(key))}::text[]))
    group by name, client_id having count(*) > 1`.execute(pool.kysely)
  const { rows } = await sql<{ payments: number; settled: number; balance: number }>`
    select count(*)::int as payments, (count(*) filter (where status = 'succeeded'))::int as settled,
      (select sum(account_balance)::float8 from account_balances where client_id = any(${ids})) as balance
    from payments where client_id = any(${ids})`.execute(pool.kysely)
  const [found] = rows
  const differences = await verifyLedger(pool.kysely)
  return [
    ...(open > 0 ? [`${open} payments are still open`] : []),
    ...lost.map(({ kind, key, id }) => `lost: ${kind} ${id} of key ${key}`),
    ...(twice.rows.length > 0 ? [`${twice.rows.length} workspaces were created twice`] : []),
    ...(found?.payments === deposits ? [] : [`${deposits} deposits became ${found?.payments} payments`]),
    ...(found?.settled === deposits ? [] : [`${found?.settled} of ${deposits} deposits are settled`]),
    ...(found?.balance === 10 * deposits
      ? []
      : [`${deposits} deposits of 10 are a balance of ${found?.balance}`]),
    ...differences.map(({ what, place, found: is, expected }) => `${what}, ${place}: ${is}, not ${expected}`),
  ]
}

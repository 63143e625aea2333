import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

type Differing = {
  /** The row that differs. */
  readonly place: string
  /** The stored and the computed value. */
  readonly found: string | null
  readonly expected: string | null
}

type Check = RawBuilder<Differing>

/** Each query returns the rows with differences; none when the books are correct. */
const checks = {
  'sum of a transaction': sql`
    select 'transaction ' || t.id as place, sum(e.amount) || ' in ' || count(e.id) || ' entries' as found,
      '0 in 2 or more' as expected
    from ledger_transactions t left join ledger_entries e on e.transaction_id = t.id
    group by t.id having coalesce(sum(e.amount), 1) <> 0 or count(e.id) < 2`,
  'balance of an account': sql`
    select a.code as place, a.balance || ' of ' || a.version as found,
      coalesce(sum(e.amount), 0) || ' of ' || count(e.id) as expected
    from ledger_accounts a left join ledger_entries e on e.account_id = a.id
    where a.live_balance
    group by a.id having a.balance <> coalesce(sum(e.amount), 0) or a.version <> count(e.id)`,
  'balance after an entry': sql`
    select 'entry ' || id as place, balance_after::text as found, runs::text as expected
    from (
      select e.id, e.balance_after,
        case when a.live_balance then sum(e.amount) over (partition by e.account_id order by e.id) end as runs
      from ledger_entries e join ledger_accounts a on a.id = e.account_id
    ) x where balance_after is distinct from runs`,
  'what a client holds': sql`
    select 'client ' || c.id as place, b.account_balance || ' and ' || b.credit_balance as found,
      h.balance || ' and ' || h.credit as expected
    from clients c
    left join account_balances b on b.client_id = c.id
    cross join lateral (
      select coalesce(sum(e.amount) filter (where a.kind = 'client_balance'), 0::numeric(20, 6)) as balance,
        coalesce(sum(e.amount) filter (where a.kind = 'client_credit'), 0::numeric(20, 6)) as credit
      from ledger_accounts a join ledger_entries e on e.account_id = a.id
      where a.client_id = c.id
    ) h
    where (b.account_balance, b.credit_balance) is distinct from (h.balance, h.credit)`,
  'since when a client is below zero': sql`
    with held as (
      select t.client_id, t.id, ledger_owed_since(t.kind, t.effective_on, t.created_at) as owed_since,
        sum(sum(e.amount)) over (partition by t.client_id order by t.id) as total
      from ledger_entries e
      join ledger_accounts a on a.id = e.account_id and a.kind in ('client_balance', 'client_credit')
      join ledger_transactions t on t.id = e.transaction_id
      group by t.id
    ), dips as (
      select client_id, owed_since, total, lag(total, 1, 0) over (partition by client_id order by id) as before, id
      from held
    ), last as (
      select client_id, (array_agg(total order by id desc))[1] as total,
        (array_agg(owed_since order by id desc) filter (where total < 0 and before >= 0))[1] as began
      from dips group by client_id
    )
    select 'client ' || b.client_id as place, b.negative_since::text as found,
      case when l.total < 0 then l.began end::text as expected
    from account_balances b left join last l on l.client_id = b.client_id
    where b.negative_since is distinct from case when l.total < 0 then l.began end`,
  'charges of a day': sql`
    select 'client ' || coalesce(u.client_id, c.client_id) || ', ' || coalesce(u.usage_on, c.usage_on) as place,
      coalesce(u.charged, 0)::text as found, coalesce(c.charged, 0)::text as expected
    from (select client_id, usage_on, sum(charged_amount) as charged from usages group by 1, 2) u
    full join (select client_id, usage_on, sum(amount) as charged from usage_charges group by 1, 2) c
      on c.client_id = u.client_id and c.usage_on = u.usage_on
    where coalesce(u.charged, 0) <> coalesce(c.charged, 0)`,
  'posting of a charge': sql`
    select 'charge ' || coalesce(c.client_id || ', ' || c.usage_on || ', ' || c.seq, 'of transaction ' || t.id) as place,
      c.amount || ', ' || c.from_credit || ' of credit' as found,
      t.amount || ', ' || t.from_credit || ' of credit' as expected
    from usage_charges c
    full join (
      select t.id, coalesce(sum(e.amount) filter (where a.client_id is null), 0) as amount,
        coalesce(-sum(e.amount) filter (where a.kind = 'client_credit'), 0) as from_credit
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
      join ledger_accounts a on a.id = e.account_id
      where t.kind = 'usage' group by t.id
    ) t on t.id = c.transaction_id
    where (c.amount, c.from_credit) is distinct from (t.amount, t.from_credit)`,
  'billing log': sql`
    select 'client ' || client_id || ', ' || date || ', ' || kind as place,
      case what when 'extra' then net::text end as found, case what when 'missing' then net::text end as expected
    from billing_log_differences`,
} as const satisfies Readonly<Record<string, Check>>

type Comparison = keyof typeof checks

/** A stored value that differs from the ledger entries, with the name of the comparison. */
export type Difference = Differing & { readonly what: Comparison }

const mostDifferences = 100
const comparisons = Object.keys(checks) as Comparison[]

/**
 * Recomputes all data derived from the ledger entries and compares it with the stored values, in one
 * snapshot, while postings continue. Returns the differences, up to a hundred of each kind.
 */
export async function verifyLedger(db: Database): Promise<Difference[]> {
  const reading = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return reading.execute(async (tx) => {
    // All entries are read, possibly millions, which takes longer than a request may.
    await sql`set local statement_timeout = 0`.execute(tx)
    const found: Difference[] = []
    for (const what of comparisons) {
      const { rows } =
        await sql<Differing>`select place, found, expected from (${checks[what]}) d limit ${mostDifferences}`.execute(
          tx,
        )
      found.push(...rows.map((row) => ({ what, ...row })))
    }
    return found
  })
}

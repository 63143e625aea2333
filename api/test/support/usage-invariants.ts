import { type RawBuilder, sql } from 'kysely'
import { verifyLedger } from '#money/ledger/verify.ts'
import type { Database } from '#platform/db/pool.ts'

const byUsage = (table: string, key: readonly string[]): RawBuilder<{ place: string }> => {
  const keys = sql.raw(key.join())
  return sql`select concat_ws(' ', ${keys}) as place from (
      select ${keys}, sum(usages) as usages, sum(unpriced) as unpriced, sum(rated_amount) as rated, sum(charged_amount) as charged
      from ${sql.table(table)} group by ${keys}) k
    full join (select ${keys}, count(*) as usages, sum(unpriced::int) as unpriced, sum(rated_amount) as rated,
      sum(charged_amount) as charged from usages group by ${keys}) u using (${keys})
    where (k.usages, k.unpriced, k.rated, k.charged) is distinct from (u.usages, u.unpriced, u.rated, u.charged)`
}

/** Invariants that hold while no job runs; each query returns the places where it is violated. */
const checks: Readonly<Record<string, RawBuilder<{ place: string }>>> = {
  'what a day comes to is the sum of its events': sql`
    select concat_ws(' ', usage_on, panel_id, resource_ref, meter_id) as place from usage_meter_days d
    full join (select occurred_on as usage_on, panel_id, resource_ref, meter_id, sum(quantity) as quantity, count(*) as events
      from keyed_usage_events group by 1, 2, 3, 4) e using (usage_on, panel_id, resource_ref, meter_id)
    where (d.quantity, d.events) is distinct from (e.quantity, e.events) and d.slots is null`,
  'a line of a panel without a plan costs what its price says': sql`
    select concat_ws(' ', u.id, l.meter_id) as place from usage_meter_days d
    join usages u using (panel_id, usage_on, resource_ref)
    left join usage_lines l on l.usage_id = u.id and l.meter_id = d.meter_id
    left join lateral usage_price(u.client_id, u.currency, d.meter_id, split_part(d.resource_ref, '/', 1), d.usage_on) p on true
    where not d.dirty and d.slots is null and not exists (select from panel_plans h where h.panel_id = d.panel_id) and (l.quantity, l.amount) is distinct from
      (d.quantity, usage_amount(d.quantity, p.included_per_day, p.unit_price, p.tiers))`,
  'a usage costs what its lines cost': sql`
    select u.id::text as place from usages u
    join (select usage_id, coalesce(sum(amount), 0) as amount from usage_lines group by usage_id) l on l.usage_id = u.id
    where u.rated_amount <> l.amount`,
  'panels sum their usages': byUsage('usage_panel_days', ['client_id', 'usage_on', 'panel_id', 'project_id']),
  'days sum their usages': byUsage('usage_client_days', ['client_id', 'usage_on']),
  'the fees of a day are those of its plans': sql`
    select concat_ws(' ', client_id, usage_on) as place from usage_client_days d
    left join (select client_id, usage_on, sum(rated_amount) as fees from usages where resource_ref like 'plan/%' group by 1, 2) u
      using (client_id, usage_on)
    where d.fee_amount <> coalesce(u.fees, 0)`,
  'what is not due is charged': sql`
    select concat_ws(' ', client_id, usage_on) as place from usage_client_days
    where not due and rated_amount <> charged_amount`,
  'what is charged was posted, each time once': sql`
    select concat_ws(' ', client_id, usage_on) as place from usage_client_days d
    full join (select client_id, usage_on, sum(amount) as amount, max(seq) = count(*) as whole
      from usage_charges group by 1, 2) c using (client_id, usage_on)
    where coalesce(d.charged_amount, 0) <> coalesce(c.amount, 0) or not coalesce(c.whole, true)`,
  'what was posted moved the balance by as much': sql`
    select concat_ws(' ', c.client_id, c.usage_on, c.seq) as place from usage_charges c
    where c.amount <> -(select sum(e.amount) from ledger_entries e join ledger_accounts a on a.id = e.account_id
      where e.transaction_id = c.transaction_id and a.client_id = c.client_id)
      or c.from_credit <> -(select coalesce(sum(e.amount), 0) from ledger_entries e join ledger_accounts a on a.id = e.account_id
        where e.transaction_id = c.transaction_id and a.kind = 'client_credit')
      or c.amount <> (select sum(p.amount) from usage_charge_projects p
        where (p.client_id, p.usage_on, p.seq) = (c.client_id, c.usage_on, c.seq))`,
  'every posting of usage is a charge': sql`
    select t.idempotency_key as place from ledger_transactions t
    left join usage_charges c on c.transaction_id = t.id where t.kind = 'usage' and c.transaction_id is null`,
  'the billing log is what the books say': sql`
    select concat_ws(' ', what, client_id, period, kind, net) as place from billing_log_differences`,
}

/** Everything about usage, charges and the books that does not hold, in words; empty when all is well. */
export async function usageFaults(db: Database): Promise<string[]> {
  const faults: string[] = []
  for (const [what, check] of Object.entries(checks)) {
    const rows = await db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx)
      // Read as a whole, which one plan for any values does not foresee.
      await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
      return (await check.execute(tx)).rows
    })
    faults.push(...rows.slice(0, 10).map(({ place }) => `${what}: not so at ${place}`))
  }
  const differences = await verifyLedger(db)
  faults.push(...differences.slice(0, 10).map(({ what, place }) => `${what}: not so at ${place}`))
  return faults
}

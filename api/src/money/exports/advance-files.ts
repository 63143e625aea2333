import { sql } from 'kysely'
import { type AccountingFile, clientName, inUnits } from './accounting-file.ts'

/** Invoices of advances that no bill had deducted whole, at the end of the last day. */
export const openAdvances: AccountingFile = {
  columns: {
    number: sql`v.full_number`,
    issue_date: sql`v.issue_date`,
    client_id: sql`v.client_id`,
    client: clientName,
    vat_country: sql`v.vat_country`,
    vat_rate: sql`trim_scale(v.vat_rate)`,
    currency: sql`v.currency`,
    net: inUnits(sql`v.net`),
    used: inUnits(sql`v.used`),
    not_used: inUnits(sql`v.net - v.used`),
  },
  source: ({ to }) => sql`from (
      select i.id, i.full_number, i.issue_date, i.client_id, i.vat_country, i.vat_rate, i.currency, i.net,
        coalesce((select sum(a.amount) from advance_consumptions a join invoices u on u.id = a.invoice_id
          where a.advance_id = i.id and u.issue_date <= ${to}::date), 0) as used
      from invoices i where i.kind = 'fiscal' and i.reason = 'advance' and i.issue_date <= ${to}::date
    ) v
    join clients c on c.id = v.client_id left join client_entities e on e.client_id = c.id
    left join currencies m on m.code = v.currency
    where v.net > v.used
    order by v.issue_date, v.id`,
}

/**
 * The amount that each client had paid ahead or owed at the end of the last UTC day, by the ledger. Usage lowers it day by
 * day, bills deduct advances by the month: the invoices of advances are in `openAdvances`. The line without a client is the
 * rest that rounding leaves of the ledger's sum.
 */
export const deferredRevenue: AccountingFile = {
  columns: {
    client_id: sql`v.client_id`,
    client: clientName,
    currency: sql`v.currency`,
    paid_ahead: inUnits(sql`greatest(v.balance, 0)`),
    owed: inUnits(sql`greatest(-v.balance, 0)`),
    balance: inUnits(sql`v.balance`),
  },
  source: ({ to }) => sql`from (
      with exact as (
        select a.client_id, a.currency, a.balance - coalesce(later.sum, 0) as balance
        from ledger_accounts a left join (
          select e.account_id, sum(e.amount) as sum from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
          where t.effective_on > ${to}::date group by 1
        ) later on later.account_id = a.id
        where a.kind = 'client_balance'
      ), rounded as (
        select client_id, exact.currency, round(balance, n.decimals) as balance,
          round(sum(balance) over (partition by exact.currency), n.decimals) as whole
        from exact cross join lateral (
          select coalesce((select decimals from currencies where code = exact.currency), 2) as decimals) n
      )
      select client_id, currency, balance from rounded where balance <> 0
      union all
      select null, currency, max(whole) - sum(balance) from rounded group by currency having max(whole) <> sum(balance)
    ) v
    left join clients c on c.id = v.client_id left join client_entities e on e.client_id = c.id
    left join currencies m on m.code = v.currency
    order by v.currency, v.client_id nulls last`,
}

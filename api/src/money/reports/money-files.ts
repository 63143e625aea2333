import { type RawBuilder, sql } from 'kysely'
import { type AccountingFile, clientName, type Period } from '#money/exports/accounting-file.ts'

// Reports that are read from balances, logs and documents as they are now.

const currency = sql`v.currency`
const client = { client_id: sql`v.client_id`, client: clientName, currency }
const named = sql`join clients c on c.id = v.client_id left join client_entities e on e.client_id = c.id`

/** SQL: what was charged in the months of a period, a row for each month and workspace. */
const charged = ({ from, to }: Period) => sql`billing_logs b
  where b.kind = 'usage' and b.period between ${from.slice(0, 7)}::char(7) and ${to.slice(0, 7)}::char(7)`

/** SQL: the currency of a client's ledger. */
const ofLedger = sql`join ledger_accounts a on a.client_id = x.client_id and a.kind = 'client_balance'`

/** Clients by what they were charged. */
const topClients: AccountingFile = {
  columns: { ...client, revenue: sql`v.revenue` },
  source: (period) => sql`from (
      select x.client_id, a.currency, x.revenue
      from (select b.client_id, -sum(b.net) as revenue from ${charged(period)} group by 1) x ${ofLedger}
      where x.revenue <> 0
    ) v ${named} order by v.revenue desc, v.client_id`,
}

/** Workspaces by what they were charged. */
const topWorkspaces: AccountingFile = {
  columns: { ...client, workspace: sql`w.name`, revenue: sql`v.revenue` },
  source: (period) => sql`from (
      select x.client_id, x.project_id, a.currency, x.revenue
      from (select b.client_id, b.project_id, -sum(b.net) as revenue from ${charged(period)} group by 1, 2) x ${ofLedger}
      where x.revenue <> 0
    ) v join projects w on w.id = v.project_id ${named} order by v.revenue desc, v.project_id`,
}

/** SQL: a debt where its age in days is between two others. */
const aged = (least: number, most: number) =>
  sql`case when v.age between ${sql.lit(least)} and ${sql.lit(most)} then v.owed else 0 end`

/** Balances below zero by the time since they went there, whole. `vat_due` is the VAT of open bills beside. */
const agedDebt: AccountingFile = {
  columns: {
    ...client,
    owed_since: sql`v.since`,
    to_30: aged(0, 30),
    to_60: aged(31, 60),
    to_90: aged(61, 90),
    over_90: aged(91, 1_000_000),
    owed: sql`v.owed`,
    vat_due: sql`v.vat_due`,
  },
  source: () => sql`from (
      select b.client_id, a.currency, coalesce(b.negative_since, clock_today()) as since,
        greatest(0, clock_today() - coalesce(b.negative_since, clock_today())) as age,
        -(b.account_balance + b.credit_balance) as owed, greatest(0, -a.balance) as vat_due
      from account_balances b join ledger_accounts a on a.client_id = b.client_id and a.kind = 'client_vat_due'
      where b.account_balance + b.credit_balance < 0
        and not is_staff(b.client_id)
    ) v ${named} order by v.owed desc, v.client_id`,
}

/** Invoices and credit notes by month. */
export const salesOf = (months: (period: Period) => RawBuilder<unknown>): AccountingFile => ({
  columns: {
    month: sql`v.month`,
    currency,
    invoices: sql`v.invoices`,
    credit_notes: sql`v.credit_notes`,
    net: sql`v.net`,
    vat: sql`v.vat`,
    total: sql`v.total`,
  },
  source: (period) => sql`from (${months(period)}) v order by month, currency`,
})

export const moneyFiles = { top_clients: topClients, top_workspaces: topWorkspaces, aged_debt: agedDebt }

import { type RawBuilder, sql } from 'kysely'
import type { AccountingFile, Period } from '#money/exports/accounting-file.ts'
import { balanceOf } from '#money/exports/ledger-files.ts'

// Reports that are read from the figures of each day. Their amounts are exact, as the ledger holds them, so that they add up.

const month = sql`v.month`
const currency = sql`v.currency`
const monthOf = (table: 'p' | 's') => sql`to_char(${sql.ref(`${table}.day`)}, 'YYYY-MM')`

const postings = ({ from, to }: Period) =>
  sql`report_postings p where p.day between ${from}::date and ${to}::date`

const planDays = ({ from, to }: Period) =>
  sql`report_plans p where p.day between ${from}::date and ${to}::date`

/** SQL: that a posting is the charge of a day's usage. */
const usageRevenue = sql`p.account like 'revenue:usage:%' and p.movement = 'usage'`

/** SQL: what the postings of some accounts add up to; above zero where they are credits. */
const credits = (accounts: RawBuilder<unknown>) =>
  sql`coalesce(sum(p.credit - p.debit) filter (where ${accounts}), 0)`

/** Revenue of each month by the ledger, and what was given away as credit. */
const revenue: AccountingFile = {
  columns: {
    month,
    currency,
    used: sql`v.used`,
    other: sql`v.other`,
    corrections: sql`v.revenue - v.used - v.other`,
    revenue: sql`v.revenue`,
    credit_given: sql`v.given`,
  },
  source: (period) => sql`from (
      select ${monthOf('p')} as month, p.currency,
        ${credits(usageRevenue)} as used,
        ${credits(sql`p.account like 'revenue:other:%' and p.movement = 'service_bill'`)} as other,
        ${credits(sql`p.account like 'revenue:%'`)} as revenue,
        -${credits(sql`p.account like 'promo:%' or p.account like 'goodwill:%'`)} as given
      from ${postings(period)} and p.account like any ('{revenue:%,promo:%,goodwill:%}') group by 1, 2
    ) v order by month, currency`,
}

/**
 * The usage charges of each month, by the plan that the panel had on the day. What was charged late is in the books of a later
 * month than that of its use, which is not known by plan: so much more or less is said beside those without a plan, so that
 * each month adds up to the ledger.
 */
const revenueByPlan: AccountingFile = {
  columns: {
    month,
    plan: sql`n.name_en`,
    plan_ro: sql`n.name_ro`,
    currency,
    fees: sql`v.fees`,
    metered: sql`v.metered`,
    other_months: sql`v.booked - v.rated`,
    revenue: sql`v.fees + v.metered + v.booked - v.rated`,
  },
  source: (period) => sql`from (
      select month, plan_id, currency, sum(fees) as fees, sum(metered) as metered, sum(rated) as rated, sum(booked) as booked
      from (
        select ${monthOf('p')} as month, p.plan_id, p.currency, p.fees, p.metered, 0 as rated, 0 as booked
        from ${planDays(period)}
        union all select ${monthOf('p')}, null, p.currency, 0, 0, p.fees + p.metered, 0 from ${planDays(period)}
        union all select ${monthOf('p')}, null, p.currency, 0, 0, 0, p.credit - p.debit
        from ${postings(period)} and ${usageRevenue}
      ) every group by 1, 2, 3
    ) v left join plans n on n.id = v.plan_id where (v.fees, v.metered, v.rated) <> (0, 0, v.booked)
    order by month, currency, n.position, n.id nulls last`,
}

/** Money at each provider and the bank by the UTC day of its posting; + came in. */
const cash: AccountingFile = {
  columns: {
    month,
    provider: sql`v.provider`,
    currency,
    payments: sql`v.payments`,
    refunds: sql`v.refunds`,
    disputes: sql`v.disputes`,
    provider_fees: sql`v.fees`,
    other: sql`v.received - v.payments - v.refunds - v.disputes - v.fees`,
    received: sql`v.received`,
  },
  source: (period) => sql`from (
      select ${monthOf('p')} as month, case when p.account like 'psp:%' then split_part(p.account, ':', 2)
          else split_part(p.account, ':', 1) end as provider, p.currency,
        -${credits(sql`p.movement in ('payment', 'statement')`)} as payments,
        -${credits(sql`p.movement in ('refund', 'refund_returned')`)} as refunds,
        -${credits(sql`p.movement in ('dispute_lost', 'dispute_won')`)} as disputes,
        -${credits(sql`p.movement = 'fee'`)} as fees, -${credits(sql`true`)} as received
      from ${postings(period)} and p.account like any ('{psp:%,bank:%,suspense:%}') group by 1, 2, 3
    ) v order by month, provider, currency`,
}

/** SQL: the last figures of each month of a period, `s` of `report_stocks`. */
const stocks = ({ from, to }: Period) => sql`(
    select distinct on (s.currency, ${monthOf('s')}) ${monthOf('s')} as month, s.currency, s.mrr, s.panels, s.paid_ahead, s.owed,
      s.payers, s.payers_before, s.lost, s.joined, s.departed
    from report_stocks s where s.day between ${from}::date and ${to}::date
    order by s.currency, ${monthOf('s')}, s.day desc
  )`

/** Fees of running panels, and who paid, came and left, by month. */
const recurring: AccountingFile = {
  columns: {
    month,
    currency,
    mrr: sql`v.mrr`,
    metered: sql`coalesce(u.metered, 0)`,
    panels: sql`v.panels`,
    payers: sql`v.payers`,
    arpu: sql`round(coalesce(r.used, 0) / nullif(v.payers, 0), 6)`,
    joined: sql`v.joined`,
    departed: sql`v.departed`,
    lost: sql`v.lost`,
    churn: sql`round(100.0 * v.lost / nullif(v.payers_before, 0), 1)`,
  },
  source: (period) => sql`from ${stocks(period)} v
    left join (select ${monthOf('p')} as month, p.currency, sum(p.metered) as metered from ${planDays(period)}
      group by 1, 2) u using (month, currency)
    left join (select ${monthOf('p')} as month, p.currency, ${credits(sql`p.movement = 'usage'`)} as used
      from ${postings(period)} and p.account like 'revenue:usage:%' group by 1, 2) r using (month, currency)
    order by month, currency`,
}

/** The amounts that clients had paid ahead and owed at the end of each month. */
export const paidAhead: AccountingFile = {
  columns: { month, currency, paid_ahead: sql`v.paid_ahead`, owed: sql`v.owed` },
  source: (period) => sql`from ${stocks(period)} v order by month, currency`,
}

/** The trial balance by the figures of days, which do not read every posting since the beginning. */
export const trialBalanceByDays = balanceOf(
  ({ from, to }) => sql`select p.account, p.currency,
      coalesce(sum(p.credit - p.debit) filter (where p.day < ${from}::date), 0) as opening,
      coalesce(sum(p.debit) filter (where p.day >= ${from}::date), 0) as debit, sum(p.credit - p.debit) as closing
    from report_postings p where p.day <= ${to}::date group by 1, 2`,
)

export const dayFiles = { revenue, revenue_by_plan: revenueByPlan, recurring, cash }

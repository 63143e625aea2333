import { type RawBuilder, sql } from 'kysely'
import { paymentNameBefore } from '#money/bank/free-names.ts'
import { accountName } from './account-names.ts'
import { type AccountingFile, clientName, inUnits, type Period } from './accounting-file.ts'

/** SQL: the reference of a payment as it was posted: a match that was undone later made that of its transfer free for another one. */
const reference = sql`case when p.provider = 'bank' and p.status = 'refunded' then ${paymentNameBefore} else p.provider_ref end`

/** Money at the providers and the bank by the UTC day of its posting; fees of the providers are a column of their own. */
export const paymentsByProvider: AccountingFile = {
  columns: {
    date: sql`v.effective_on`,
    provider: sql`v.provider`,
    movement: sql`v.movement`,
    payment_id: sql`p.id`,
    reference,
    client_id: sql`v.client_id`,
    client: clientName,
    currency: sql`v.currency`,
    amount: inUnits(sql`v.amount`),
    fee: inUnits(sql`v.fee`),
  },
  source: ({ from, to }) => sql`from (
      select t.effective_on, min(t.id) as first, t.client_id, a.currency, x.source_type, x.source_id,
        case a.kind when 'psp_clearing' then split_part(a.code, ':', 2) else a.kind end as provider,
        ledger_movement(t.kind, x.kind, x.source_type) as movement,
        coalesce(-sum(e.amount) filter (where t.kind <> 'provider_fee'), 0) as amount,
        coalesce(sum(e.amount) filter (where t.kind = 'provider_fee'), 0) as fee
      from ledger_transactions t
        join ledger_transactions x on x.id = coalesce(t.reverses_id, t.id)
        join ledger_entries e on e.transaction_id = t.id
        join ledger_accounts a on a.id = e.account_id and a.kind in ('psp_clearing', 'bank', 'suspense')
      where t.effective_on between ${from}::date and ${to}::date
      group by t.effective_on, t.client_id, a.currency, x.source_type, x.source_id, 7, 8
    ) v
    left join payment_refunds r on v.source_type = 'refund' and r.id = v.source_id
    left join dispute_parts d on v.source_type = 'dispute_part' and d.id = v.source_id
    left join payment_disputes s on s.id = coalesce(d.dispute_id, case when v.source_type = 'dispute' then v.source_id end)
    left join payments p on p.id = coalesce(r.payment_id, s.payment_id, case when v.source_type = 'payment' then v.source_id end)
    left join clients c on c.id = v.client_id left join client_entities e on e.client_id = c.id
    left join currencies m on m.code = v.currency
    order by v.effective_on, v.first, v.provider`,
}

/** SQL: one side of a balance, which is a credit when it is positive. */
const side = (which: 'debit' | 'credit', amount: 'opening' | 'closing') =>
  inUnits(sql`greatest(${sql.lit(which === 'debit' ? -1 : 1)} * ${sql.ref(amount)}, 0)`)

/**
 * Every account of the ledger, those of the clients by kind. The ledger holds fractions of cents; what rounding them
 * leaves is a line of its own, so that both sides are equal. `exact` answers the accounts with their currency and exact sums.
 */
export const balanceOf = (exact: (period: Period) => RawBuilder<unknown>): AccountingFile => ({
  columns: {
    account: sql`account`,
    name: accountName(sql`account`, 'en'),
    name_ro: accountName(sql`account`, 'ro'),
    currency: sql`v.currency`,
    opening_debit: side('debit', 'opening'),
    opening_credit: side('credit', 'opening'),
    debit: inUnits(sql`debit`),
    credit: inUnits(sql`credit`),
    closing_debit: side('debit', 'closing'),
    closing_credit: side('credit', 'closing'),
  },
  source: (period) => sql`from (
      with exact as (${exact(period)}), rounded as (
        select account, exact.currency, round(opening, n.decimals) as opening, round(debit, n.decimals) as debit,
          round(closing, n.decimals) as closing
        from exact cross join lateral (
          select coalesce((select decimals from currencies where code = exact.currency), 2) as decimals) n
      )
      select account, currency, opening, debit, closing - opening + debit as credit, closing from rounded
      union all
      select 'rounding:' || currency, currency, -sum(opening), greatest(sum(closing - opening), 0),
        greatest(sum(opening - closing), 0), -sum(closing)
      from rounded group by currency having sum(opening) <> 0 or sum(closing) <> 0
    ) v left join currencies m on m.code = v.currency
    order by v.currency, account`,
})

export const trialBalance = balanceOf(
  ({
    from,
    to,
  }) => sql`select case when a.client_id is null then a.code else a.kind || ':' || a.currency end as account, a.currency,
      coalesce(sum(e.amount) filter (where t.effective_on < ${from}::date), 0) as opening,
      coalesce(-sum(e.amount) filter (where e.amount < 0 and t.effective_on >= ${from}::date), 0) as debit,
      sum(e.amount) as closing
    from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
      join ledger_accounts a on a.id = e.account_id
    where t.effective_on <= ${to}::date group by 1, 2`,
)

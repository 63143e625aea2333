import { deskDebts } from '@portico/contract/resources/desk-debts.ts'
import { billingStatus } from '@portico/contract/rules/billing-status.ts'
import { sql } from 'kysely'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff, moneyWriters } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { clientName } from './client-name.ts'

const writers = staffAlone(...moneyWriters.roles)

const ofClient = (column: 'email' | 'billing_status' | 'dunning_hold_until') => () =>
  sql`(select c.${sql.ref(column)} from clients c where c.id = account_balances.client_id)`

/** The first step that is still to come. */
const next = (member: 'step' | 'on') =>
  sql`(select s.at ->> ${sql.lit(member)} from billing_profiles b,
      jsonb_array_elements(b.policy_timeline) with ordinality s (at, n)
    where b.id = account_balances.client_id and not (s.at ->> 'reached')::boolean
      and s.at ->> 'step' in ('negative', 'warned', 'suspended', 'terminated') order by s.n limit 1)`

const held = sql`account_balances.client_id in (select c.id from clients c where c.dunning_hold_until >= (select clock_today()))`

export default serve(deskDebts, {
  table: 'account_balances',
  ofStaff: true,
  pageFirst: true,
  // The indexes account_balances_owing and account_balances_owed have the same condition.
  present: () => sql`(account_balances.account_balance + account_balances.credit_balance < 0
    and account_balances.client_id not in (select c.id from clients c where c.kind = 'staff'))`,
  policy: {
    read: staffAlone(...moneyStaff.roles),
    holdDunning: writers,
    endHold: writers,
    remind: writers,
  },
  columns: {
    client_name: () => clientName(sql`account_balances.client_id`),
    email: ofClient('email'),
    currency: () => sql`(select u.code from clients c join currencies u on u.id = c.currency_id
      where c.id = account_balances.client_id)`,
    owed: () => sql`-(account_balances.account_balance + account_balances.credit_balance)`,
    owed_since: 'negative_since',
    billing_status: ofClient('billing_status'),
    next_step: () => next('step'),
    next_on: () => next('on'),
    dunning_hold_until: ofClient('dunning_hold_until'),
    last_letter_on: () => sql`(select max(d.done_on) from dunning_steps d
      where d.client_id = account_balances.client_id and d.began_on >= account_balances.negative_since)`,
  },
  filters: {
    client_id: 'client_id',
    currency: (_, value) => sql`account_balances.client_id in (select c.id from clients c
      join currencies u on u.id = c.currency_id where u.code = ${value})`,
    step: (_, value) => sql`account_balances.client_id in (select c.id from clients c
      where c.billing_status = case ${value} when 'negative' then ${sql.lit(billingStatus.negative)}
        when 'warned' then ${sql.lit(billingStatus.warned)} else ${sql.lit(billingStatus.suspended)} end)`,
    held: (_, value) => sql`(${held}) = ${value}::boolean`,
  },
  sorts: { negative_since: 'negative_since', account_balance: 'account_balance' },
  order: 'negative_since',
})

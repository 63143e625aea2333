import { automatedBillingRules } from '@portico/contract/resources/automated-billing-rules.ts'
import { sql } from 'kysely'
import { reason } from '#platform/errors/problem.ts'
import { everyone } from '#platform/jsonapi/declare/policy.ts'
import { outside, serve } from '#platform/jsonapi/declare/serve.ts'
import { account, accountOrStaff, moneyStaff } from '#sharing/reach.ts'
import { disableRule, enableRule, newRule, retryNow, ruleUpdated } from './rule-verbs.ts'

const billing = account('automated_billing_rules.client_id', 'billing')

const at = (column: string) =>
  sql`to_char(d.${sql.ref(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export default serve(automatedBillingRules, {
  table: 'automated_billing_rules',
  policy: {
    read: accountOrStaff('automated_billing_rules.client_id', 'billing', moneyStaff),
    create: everyone,
    update: billing,
    enable: billing,
    disable: billing,
    retryNow: billing,
  },
  account: 'client_id',
  columns: {
    charged_this_month: () => sql`charged_this_month(automated_billing_rules.client_id)`,
    decisions: () => sql`(
      select coalesce(jsonb_agg(jsonb_build_object('at', ${at('decided_at')}, 'last_at', ${at('last_at')},
        'times', d.times, 'outcome', d.outcome, 'reason', d.reason, 'available', d.available, 'amount', d.amount,
        'transaction_id', d.payment_id) order by d.id desc), '[]')
      from (select * from automated_billing_decisions x where x.rule_id = automated_billing_rules.id
        order by x.id desc limit 20) d)`,
  },
  fill: newRule,
  relationships: { client: 'client_id', card: 'card_id', fallbackCard: 'fallback_card_id' },
  filters: { client_id: 'client_id' },
  constraints: {
    automated_billing_rules_client_id_key: { field: 'client_id', refusal: reason('automatic_rule_exists') },
    rules_card_of_client: { field: 'card', refusal: reason('automatic_card_foreign') },
    rules_fallback_of_client: { field: 'fallbackCard', refusal: reason('automatic_card_foreign') },
    rules_two_cards: { field: 'fallbackCard', refusal: reason('automatic_cards_same') },
    rules_consent: { field: 'card', refusal: reason('automatic_keeps_card') },
    rules_cap: { field: 'monthly_cap', refusal: reason('automatic_cap_small') },
  },
  updated: ruleUpdated,
  actions: { enable: enableRule, disable: disableRule, retryNow: outside(retryNow) },
})

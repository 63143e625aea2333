-- expand
-- The changes of rules, which are few among all that staff change (api/src/money/operator/policy-changes.resource.ts).
create index concurrently staff_action_changes_of_policies on staff_action_changes (action_id, table_name)
  where table_name in ('billing_policies', 'currency_policies', 'access_policies');

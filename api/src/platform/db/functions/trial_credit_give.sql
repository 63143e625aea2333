-- Posts the credit of a running trial in the account's currency, once: the key is what makes it so.
create or replace function trial_credit_give(p_client bigint) returns void language plpgsql as $$
declare
  v_amount numeric;
  v_currency text;
  v_expires_on date;
  v_transaction bigint;
begin
  if not exists (select from clients where id = p_client and trial_credit_due) then return; end if;
  -- In the order of postings, so that an evaluation of the balance waits instead of meeting this half way.
  perform 1 from ledger_accounts where client_id = p_client order by id for no key update;
  update clients c set trial_credit_due = false from currency_policies q join currencies u on u.id = q.currency_id
    where c.id = p_client and c.trial_credit_due and q.currency_id = c.currency_id
      and c.trial_ended_on is null and c.trial_ends_at > clock_now()
    returning q.trial_credit, u.code, (c.trial_ends_at at time zone 'utc')::date + 1 into v_amount, v_currency, v_expires_on;
  if v_amount is null or v_amount = 0 then return; end if;
  select id into v_transaction from ledger_post('trial:' || p_client, 'promo', p_client, v_currency, clock_today(),
    jsonb_build_array(
      jsonb_build_object('account', 'promo:' || v_currency, 'amount', (-v_amount)::text),
      jsonb_build_object('account', 'client:' || p_client || ':credit', 'amount', v_amount::text)));
  insert into promo_grants (client_id, transaction_id, amount, expires_on)
    values (p_client, v_transaction, v_amount, v_expires_on);
end $$;

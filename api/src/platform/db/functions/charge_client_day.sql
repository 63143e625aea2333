-- Charges what a client's day costs and has not been charged for; idempotent and safe under concurrency.
-- Returns the amount. Credit is spent first; a negative amount restores credit first, up to what that day
-- took. Late usage is a separate posting on the day that it is booked. Plans are cached per connection: one
-- made while a table is empty would scan the whole table once it is full.
create or replace function charge_client_day(p_client bigint, p_day date) returns numeric language plpgsql
set enable_seqscan = off as $$
declare
  v_day usage_client_days;
  v_currency char(3);
  v_held numeric;
  v_taken numeric;
  v_seq int;
  v_on date;
  v_amount numeric;
  v_projects jsonb;
  v_from_credit numeric;
  v_transaction bigint;
begin
  select * into v_day from usage_client_days where client_id = p_client and usage_on = p_day for update;
  if not found or not v_day.due then return 0; end if;
  -- The same order as in ledger_post, which avoids deadlocks.
  perform 1 from ledger_accounts where client_id = p_client order by id for no key update;
  select currency, balance into strict v_currency, v_held from ledger_accounts
    where client_id = p_client and kind = 'client_credit';
  select coalesce(max(seq), 0) + 1, coalesce(sum(from_credit), 0) into v_seq, v_taken from usage_charges
    where client_id = p_client and usage_on = p_day;

  with changed as (
    update usages u set charged_amount = u.rated_amount, status = case u.status when 'open' then 'charged' else u.status end
    from usages o
    where o.id = u.id and u.client_id = p_client and u.usage_on = p_day
      and (u.rated_amount <> u.charged_amount or u.status = 'open')
    returning u.id, u.panel_id, u.project_id, u.rated_amount - o.charged_amount as more
  ), by_panel as (
    update usage_panel_days d set charged_amount = d.charged_amount + c.more
    from (select panel_id, project_id, sum(more) as more from changed group by panel_id, project_id) c
    where d.client_id = p_client and d.usage_on = p_day and d.panel_id = c.panel_id and d.project_id = c.project_id
  ), noted as (
    insert into usage_notes (usage_id, client_id, usage_on, kind, code, params)
    select id, p_client, p_day, case when more > 0 then 'late_data' else 'correction' end,
      case when more > 0 then 'charged_more' else 'charged_less' end,
      jsonb_build_object('amount', abs(more)::text, 'currency', v_currency)
    from changed where v_seq > 1 and more <> 0
  )
  select sum(c.more), jsonb_object_agg(c.project_id, c.more) filter (where c.more <> 0) into v_amount, v_projects
    from (select project_id, sum(more) as more from changed group by project_id) c;
  update usage_client_days set charged_amount = charged_amount + coalesce(v_amount, 0), due = false
    where client_id = p_client and usage_on = p_day;
  if coalesce(v_amount, 0) = 0 then return 0; end if;

  v_on := case when v_seq = 1 then p_day else clock_today() end;
  v_from_credit := case when v_amount > 0 then least(v_held, v_amount) else greatest(v_amount, -v_taken) end;
  select p.id into strict v_transaction from ledger_post(format('usage:%s:%s:%s', p_client, p_day, v_seq), 'usage', p_client,
    v_currency, v_on, (
      select jsonb_agg(jsonb_build_object('account', e.account, 'amount', e.amount::text))
      from (values (format('client:%s:credit', p_client), -v_from_credit),
        (format('client:%s:balance', p_client), v_from_credit - v_amount),
        ('revenue:usage:' || v_currency, v_amount)) e (account, amount)
      where e.amount <> 0
    ), 'usage') p;
  insert into usage_charges (client_id, usage_on, seq, transaction_id, amount, from_credit)
    values (p_client, p_day, v_seq, v_transaction, v_amount, v_from_credit);
  insert into usage_charge_projects (client_id, usage_on, seq, project_id, amount)
    select p_client, p_day, v_seq, key::bigint, value::numeric from jsonb_each_text(v_projects);
  insert into billing_logs as b (client_id, period, description_key, date, kind, net, project_id)
    select p_client, to_char(v_on, 'YYYY-MM'), 'usage', v_on, 'usage', -value::numeric, key::bigint
    from jsonb_each_text(v_projects) order by key
  on conflict (client_id, period, project_id) where kind = 'usage' do update set net = b.net + excluded.net,
    date = greatest(b.date, excluded.date);
  return v_amount;
end $$;

-- Days that come late: nobody is older in debt by what could not have been known.

-- Since when a posting may count as a debt. Usage counts for its day, but no earlier than the day before the one on which it
-- came to the books, which is when a day is charged that comes in time.
create function ledger_owed_since(p_kind text, p_effective_on date, p_created_at timestamptz) returns date
language sql immutable as $$
  select case when p_kind = 'usage' then greatest(p_effective_on, (p_created_at at time zone 'utc')::date - 1)
    else p_effective_on end
$$;

create or replace function ledger_project() returns trigger language plpgsql as $$
begin
  update account_balances b set
    account_balance = b.account_balance + s.balance,
    credit_balance = b.credit_balance + s.credit,
    negative_since = case when b.account_balance + b.credit_balance + s.balance + s.credit < 0
      then coalesce(b.negative_since, s.owed_since) end
  from (
    select a.client_id, min(ledger_owed_since(t.kind, t.effective_on, t.created_at)) as owed_since,
      coalesce(sum(e.amount) filter (where a.kind = 'client_balance'), 0) as balance,
      coalesce(sum(e.amount) filter (where a.kind = 'client_credit'), 0) as credit
    from added e
    join ledger_accounts a on a.id = e.account_id and a.kind in ('client_balance', 'client_credit')
    join ledger_transactions t on t.id = e.transaction_id
    group by a.client_id
  ) s
  where b.client_id = s.client_id;
  return null;
end $$;

-- Who is below zero now is so since the same day as the books will say from now on.
alter table account_balances disable trigger closed;
update account_balances b set negative_since = n.began
from (
  select distinct on (x.client_id) x.client_id, ledger_owed_since(x.kind, x.effective_on, x.created_at) as began
  from (
    select h.*, lag(total, 1, 0) over (partition by client_id order by id) as before
    from (
      select t.client_id, t.id, t.kind, t.effective_on, t.created_at,
        sum(sum(e.amount)) over (partition by t.client_id order by t.id) as total
      from account_balances o
      join ledger_accounts a on a.client_id = o.client_id and a.kind in ('client_balance', 'client_credit')
      join ledger_entries e on e.account_id = a.id
      join ledger_transactions t on t.id = e.transaction_id
      where o.negative_since is not null
      group by t.id
    ) h
  ) x
  where x.total < 0 and x.before >= 0
  order by x.client_id, x.id desc
) n
where n.client_id = b.client_id and b.negative_since <> n.began;
alter table account_balances enable trigger closed;

-- Charges a day of up to so many clients after the given one who are not at work elsewhere: those of whom the engines have
-- told all, or everyone. Answers whom. Who is charged before an engine has told all is told so, once, with each usage of it;
-- an engine that never says how far it has told is not known to be late.
create or replace function charge_day(p_day date, p_after bigint, p_limit int, p_everyone boolean)
returns table (client_id bigint, amount numeric) language plpgsql as $$
#variable_conflict use_column
declare
  v_client bigint;
  v_amount numeric;
  v_over constant timestamptz := (p_day + 1)::timestamp at time zone 'utc';
  v_behind bigint[] := '{}';
begin
  if p_everyone then
    v_behind := array(select w.panel_engine_id from engine_watermarks w where w.through < v_over);
  end if;
  for v_client in
    select d.client_id from usage_client_days d
    where d.usage_on = p_day and d.due and d.client_id > p_after
      and (p_everyone or not exists (
        select from usage_panel_days x
        join panels p on p.id = x.panel_id
        left join engine_watermarks w on w.panel_engine_id = p.panel_engine_id
        where x.client_id = d.client_id and x.usage_on = d.usage_on
          and (w.through is null or w.through < v_over)))
    order by d.client_id limit p_limit for update skip locked
  loop
    v_amount := charge_client_day(v_client, p_day);
    if v_amount <> 0 and cardinality(v_behind) > 0 then
      insert into usage_notes (usage_id, client_id, usage_on, kind, note_en, note_ro)
        select u.id, v_client, p_day, 'late_data',
          'Charged before all data of the day had come; what comes later is charged when it does.',
          'Taxată înainte să fi sosit toate datele zilei; ce sosește mai târziu se taxează atunci.'
        from usages u join panels p on p.id = u.panel_id
        where u.client_id = v_client and u.usage_on = p_day and p.panel_engine_id = any(v_behind)
          and not exists (select from usage_charges c where c.client_id = v_client and c.usage_on = p_day and c.seq > 1);
    end if;
    return query select v_client, v_amount;
  end loop;
end $$;

-- The start of a debt, so that late usage does not age it.

-- The day from which a posting may count as a debt. Usage counts for its day, but no earlier than the day
-- before its booking, which is when a day is charged on time.
create or replace function ledger_owed_since(p_kind text, p_effective_on date, p_created_at timestamptz) returns date
language sql immutable as $$
  select case when p_kind = 'usage' then greatest(p_effective_on, (p_created_at at time zone 'utc')::date - 1)
    else p_effective_on end
$$;

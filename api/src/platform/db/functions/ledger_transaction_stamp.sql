-- A ledger transaction always carries the id of the database transaction that writes it, and the action of staff under which it
-- does. What only staff may post is refused without one, but for what the portal posts by a reason of its own, as in a demo.
create or replace function ledger_transaction_stamp() returns trigger language plpgsql as $$
begin
  new.written_by := pg_current_xact_id();
  new.staff_action_id := nullif(current_setting('portico.action', true), '')::bigint;
  if new.staff_action_id is null and new.kind in ('goodwill', 'adjustment') then
    if nullif(current_setting('portico.because', true), '') is null then
      raise exception 'ledger_needs_staff: % is posted by staff alone', new.kind using errcode = '42501';
    end if;
    new.staff_action_id := own_action(current_setting('portico.because'), 'portal');
  end if;
  return new;
end $$;

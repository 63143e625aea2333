-- A panel is used from now on, so the credit of a trial cannot wait for the country any more.
create or replace function panel_needs_credit() returns trigger language plpgsql as $$
begin
  perform trial_credit_give(new.client_id);
  return null;
end $$;

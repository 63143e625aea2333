-- expand
-- Writes on the operator's own tables are noted also when nobody said why. Acts of others than staff have no person, but
-- whoever was connected to the database.
-- Older versions read null: they show no name in the log, and compare it with the id of a person.
alter table staff_actions
  alter column admin_id drop not null,
  add column origin text not null default 'desk' check (origin in ('desk', 'portal', 'cli', 'sql')),
  add column caller text,
  add check (admin_id is not null or origin <> 'desk');

-- Its text is in db/functions; until that is applied, releases before write as they did.
create function own_note() returns trigger language plpgsql as $$ begin return null; end $$;

-- The operator's own tables, each with the columns that jobs and the start of the portal write: counters, health, and
-- what is noted otherwise. A table that follows needs the same two triggers in its own migration.
do $$
declare
  v_table text;
  v_silent text[];
  v_free text;
begin
  for v_table, v_silent in select * from (values
    ('access_policies', '{}'::text[]),
    ('admins', '{}'),
    ('announcements', '{letters,letters_after,letters_asked_at,letters_done_at,letters_upto}'),
    ('billing_policies', '{}'),
    ('brands', '{}'),
    ('canned_answers', '{}'),
    ('client_price_lists', '{}'),
    ('currency_policies', '{}'),
    ('fx_rates', '{}'),
    ('invoice_series', '{next_number,last_issue_date}'),
    ('operator_profile', '{}'),
    ('operator_settings', '{by_server,server_value}'),
    ('panel_engine_secrets', '{}'),
    ('panel_engines', '{capabilities,contract,health,health_checked_at,health_detail,version}'),
    ('plan_engines', '{}'),
    ('plan_limits', '{}'),
    ('plan_prices', '{}'),
    ('plans', '{}'),
    ('price_lists', '{}'),
    ('prices', '{}'),
    ('proforma_series', '{next_number,last_issue_date}'),
    ('published_texts', '{}'),
    ('staff_limits', '{}'),
    ('tax_offices', '{access_ends_at,access_sealed,asked_by,asked_hash,asked_until,failures,in_use,paused_until,problem,
      refresh_ends_at,refresh_sealed,refreshing_until,said,searched_at}'),
    ('ticket_departments', '{}'),
    ('vat_rates', '{}')) t
  loop
    -- Where `staff_note` notes what is written under `portico.staff`, this leaves it to that.
    v_free := case when exists (select from pg_trigger where tgrelid = v_table::regclass and tgname = 'staff_note')
      then $f$coalesce(current_setting('portico.staff', true), '') = ''$f$
      else $f$coalesce(current_setting('portico.staff', true), '') in ('', 'sql')$f$ end;
    execute format('create trigger own_note after insert or delete on %I for each row
      when (%s) execute function own_note()', v_table, v_free);
    execute format('create trigger own_note_update after update on %I for each row
      when (%s and to_jsonb(old) - %L::text[] is distinct from to_jsonb(new) - %3$L::text[])
      execute function own_note()', v_table, v_free, v_silent || '{updated_at}'::text[]);
  end loop;
end $$;

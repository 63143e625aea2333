-- A random ticket number, which does not disclose how many tickets exist. The alphabet has no characters that
-- look alike.
create or replace function new_ticket_number() returns text language plpgsql volatile as $$
declare
  made text;
begin
  loop
    select 'T-' || string_agg(substr('23456789ABCDEFGHJKLMNPQRSTUVWXYZ', 1 + get_byte(bytes, n) % 32, 1), '')
      into made from (select uuid_send(gen_random_uuid()) as bytes) random, unnest('{0,1,2,3,4,5,9,10}'::int[]) n;
    exit when not exists (select from tickets where number = made);
  end loop;
  return made;
end $$;

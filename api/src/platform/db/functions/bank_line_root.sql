-- The line that has the money of a line: the last one of those that are each the same as the next. Null of null, and in a circle.
create or replace function bank_line_root(p_line bigint) returns bigint language sql stable strict as $$
  with recursive path as (
    select l.id, l.state, l.same_as from bank_lines l where l.id = p_line
    union select l.id, l.state, l.same_as from path p join bank_lines l on l.id = p.same_as where p.state = 'same')
  select id from path where state <> 'same'
$$;

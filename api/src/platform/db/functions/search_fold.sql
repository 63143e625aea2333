-- A text as it is searched for: in lower case and without diacritics. Indexes hold what it returned, so a change of it has
-- to build them again.
create or replace function search_fold(p_text text) returns text language sql immutable strict parallel safe as $$
  select translate(lower(p_text), 'ăâáàäãåîíìïșşţțéèêëóòôöőõúùûüűñçčšžđłý', 'aaaaaaaiiiisstteeeeoooooouuuuunccszdly')
$$;

-- expand
-- An announcement may be sent by letter, once. Batches go on after the last client who was decided about.
alter table announcements
  add column letters_asked_at timestamptz,
  add column letters_done_at timestamptz,
  add column letters int not null default 0,
  add column letters_after bigint not null default 0,
  -- The last client of that moment: who comes later gets no letter.
  add column letters_upto bigint,
  add constraint announcement_letters_asked check ((letters_asked_at is null) = (letters_upto is null)
    and (letters_done_at is null or letters_asked_at is not null));

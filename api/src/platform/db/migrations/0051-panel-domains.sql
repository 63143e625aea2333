-- The domain that a panel was made with, as DNS writes it. Engines of contract 1.1 may want one.
alter table panels add column domain varchar(253);

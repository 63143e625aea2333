-- People are spoken to as “tu” everywhere.
update ticket_statuses set name_ro = 'Așteaptă răspunsul tău' where code = 'awaiting_client';

-- Rating anew is asked for by services/usage-rerate.ts, which first says what it would change.
drop function usage_rerate(date, date);

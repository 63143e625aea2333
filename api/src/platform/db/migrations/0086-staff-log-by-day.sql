-- The log of staff is read from its newest entries.
create index staff_actions_by_at on staff_actions (at, id);

-- expand
-- The writes that nobody explained, which are few (api/src/desk/checks/unexplained.ts).
create index concurrently staff_actions_unexplained on staff_actions (at) where reason = 'unexplained';

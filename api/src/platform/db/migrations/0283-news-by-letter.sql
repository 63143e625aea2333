-- expand
-- Whether an announcement is about the service or the contract, so that its letter goes to everybody whom it concerns. Those of
-- before are, and so is what an older version announces.
alter table announcements add column about_service boolean not null default true;

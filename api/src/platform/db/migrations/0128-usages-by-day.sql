-- expand
-- The usage of one day of all clients: days follow one another in the table.
create index concurrently usages_by_use_day on usages using brin (usage_on);

-- expand
-- Old looks at clients are removed by their hour.
create index concurrently staff_looks_by_hour on staff_looks (hour);

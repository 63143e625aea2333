-- expand
-- Changes of plan that an engine did not make, by when they ended: the desk shows those of the last days.
create index concurrently panel_plan_changes_kept on panel_plan_changes (ended_at) where state in ('refused', 'failed');

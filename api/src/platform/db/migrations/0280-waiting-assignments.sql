-- expand
-- Why a plan that staff gave a panel has not begun on its day, and since when, as of the last try.
alter table plan_assignments
  add column problem text check (problem in ('plan_not_offered', 'plan_of_suspended', 'panel_not_ready',
    'plan_change_unsupported', 'plan_not_on_engine', 'plan_needs_domain', 'plan_change_waiting', 'plan_limit_exceeded')),
  add column problem_at timestamptz,
  add constraint plan_assignment_problem check ((problem is null) = (problem_at is null));

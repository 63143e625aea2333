-- expand
-- Why a plan that staff gave a panel has not begun on its day, and since when, as of the last try.
alter table plan_assignments
  add column problem text,
  add column problem_at timestamptz,
  add constraint plan_assignment_problem check ((problem is null) = (problem_at is null)) not valid;

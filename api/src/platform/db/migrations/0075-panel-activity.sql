-- The panel that an act is about: panels are renamed, so its name does not identify it.
alter table auth_events add column panel_id bigint references panels on delete set null;
create index auth_events_by_panel on auth_events (panel_id) where panel_id is not null;

-- Names of panels are unique within an account while they exist. Older acts under an earlier name stay without a panel.
update auth_events e set panel_id = p.id
from clients c join panels p on p.client_id = c.id and p.deleted_at is null
where c.auth_id = e.account_id and e.about = p.name and e.at >= p.created_at
  and e.kind in ('panel-added', 'panel-renamed', 'panel-moved', 'panel-plan-asked', 'panel-plan-changed', 'panel-plan-refused',
    'panel-deleted');

-- Open alerts that count as notified although nobody was: older than notifications, or raised while no member of staff could
-- act. The job for missed alerts takes them up. A database that is made anew has no such column yet, and no such alerts.
do $$
begin
  if exists (select from information_schema.columns where table_schema = current_schema()
      and table_name = 'staff_alerts' and column_name = 'notified_at') then
    update staff_alerts a set notified_at = null
      where resolved_at is null and notified_at is not null
        and not exists (select from notifications n where n.kind = 'staff_alert' and n.about_id = a.id);
  end if;
end $$;

create or replace function default_panel_engine() returns bigint language sql stable as
  'select id from panel_engines where is_default';

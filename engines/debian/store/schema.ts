/** The tables of the engine; each statement may run again. */
export const schema = `
create table if not exists seen_ids (id text primary key, at int not null) without rowid;
create table if not exists answers (key text primary key, body text, at int not null) without rowid;
create table if not exists audit (
  id integer primary key autoincrement, panel text not null, at int not null, actor text not null,
  action text not null, target text, ip text
);
create index if not exists audit_panel on audit (panel, id);
create table if not exists visits (
  hash text primary key, kind text not null, panel text not null, subject text not null, about text not null,
  expires int not null
) without rowid;
create index if not exists visits_panel on visits (panel, subject);
create table if not exists counters (
  uuid text primary key, cpu real not null, out real not null, started text not null, at int not null
) without rowid;
create table if not exists hours (
  uuid text not null, panel int not null, resource text not null, meter text not null, start int not null,
  quantity real not null, primary key (uuid, panel, meter, start)
) without rowid;
create table if not exists steps (
  uuid text not null, step int not null, cpu real not null, memory real, out real, seconds real not null,
  primary key (uuid, step)
) without rowid;
create table if not exists reasons (
  uuid text not null, code text not null, since int not null, text text not null, primary key (uuid, code)
) without rowid;
create table if not exists outbox (
  id text primary key, path text not null, type text not null, body text not null, until int
);
create table if not exists marks (name text primary key, at int not null) without rowid;
`

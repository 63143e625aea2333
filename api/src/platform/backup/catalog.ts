import type pg from 'pg'
import type { Manifest } from './manifest.ts'

/** Tables that a migrated database fills itself, so that their rows are not part of an archive. */
const own = `('public.schema_migrations'), ('public.schema_functions'), ('graphile_worker.migrations')`

export type FoundTable = { readonly schema: string; readonly name: string; readonly columns: string[] }

// Rows of a partition that is being detached are no longer rows of its parent.
const isPart = 'exists (select from pg_inherits i where i.inhrelid = c.oid and not i.inhdetachpending)'

/** The tables of the portal and of its job queue, with their stored columns. Partitions belong to their parents. */
export async function tablesOf(client: pg.Client): Promise<FoundTable[]> {
  const { rows } = await client.query<FoundTable>(`
    select n.nspname as schema, c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'graphile_worker') and c.relkind in ('r', 'p') and not ${isPart}
      and (n.nspname || '.' || c.relname) not in (values ${own})
    order by 1, 2`)
  return rows
}

/** The names of the partitioned tables of the portal. */
export async function partitionedTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'p'",
  )
  return rows.map(({ name }) => name)
}

/** The partitions with their bounds, in SQL. */
export async function partitionsOf(client: pg.Client): Promise<Manifest['partitions']> {
  const { rows } = await client.query<Manifest['partitions'][number]>(`
    select n.nspname as schema, c.relname as name, p.relname as of, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
    where n.nspname = 'public' and c.relkind = 'r' and not i.inhdetachpending order by 2`)
  return rows
}

/** The sequences that have given a number. */
export async function sequencesOf(client: pg.Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<Manifest['sequences'][number]>(`
    select schemaname as schema, sequencename as name, last_value::text as "lastValue" from pg_sequences
    where schemaname in ('public', 'graphile_worker') and last_value is not null order by 1, 2`)
  return rows
}

export type ForeignKey = { readonly of: string; readonly name: string; readonly definition: string }

/** The foreign keys of the tables, in SQL. */
export async function foreignKeysOf(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    select k.conrelid::regclass::text as of, quote_ident(k.conname) as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where k.contype = 'f' and k.conparentid = 0 and n.nspname in ('public', 'graphile_worker') order by 1, 2`)
  return rows
}

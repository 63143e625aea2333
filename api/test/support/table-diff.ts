import { isDeepStrictEqual } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

type Row = Readonly<Record<string, unknown>>
type Rows = ReadonlyMap<string, Row>

/** What happened to one row: the columns that differ, before and after. */
export type Change = { readonly before: Row | null; readonly after: Row | null }
type Changes = ReadonlyMap<string, Change>

/** The tables that note what staff change in them. */
export async function notedTables(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_class c
    join pg_trigger t on t.tgrelid = c.oid and t.tgname = 'staff_note'
    where c.relnamespace = 'public'::regnamespace and not c.relispartition order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** All rows of tables, by table and id; a row without an id by what it holds. */
export async function rowsOf(db: Database, tables: readonly string[]): Promise<Rows> {
  const each = (name: string): RawBuilder<unknown> =>
    sql`select ${sql.lit(name)} || ' ' || coalesce(to_jsonb(x) ->> 'id', '') as key, to_jsonb(x) as row from ${sql.table(name)} x`
  const { rows } = await sql<{
    key: string
    row: Row
  }>`${sql.join(tables.map(each), sql` union all `)}`.execute(db)
  return new Map(
    rows.map(({ key, row }) => [key.endsWith(' ') ? key + JSON.stringify(row) : key, row] as const),
  )
}

/** A secret is not in the log; both sides say that it changed. */
const isSecret = (value: unknown) => typeof value === 'string' && value.startsWith('\\x')

const keysOf = (...rows: (Row | null | undefined)[]) => new Set(rows.flatMap((row) => Object.keys(row ?? {})))

/** Keeps the columns that differ. Undefined if none does. */
function changeOf(before: Row | null, after: Row | null): Change | undefined {
  const names = [...keysOf(before, after)].filter((name) => !isDeepStrictEqual(before?.[name], after?.[name]))
  if (names.length === 0) return undefined
  const secret = (name: string) => isSecret(before?.[name]) || isSecret(after?.[name])
  const only = (row: Row | null) =>
    row && Object.fromEntries(names.map((name) => [name, secret(name) ? 'changed' : row[name]]))
  return { before: only(before), after: only(after) }
}

/** The rows that differ between two moments. */
export function differences(before: Rows, after: Rows): Changes {
  const changes = [...keysOf(Object.fromEntries(before), Object.fromEntries(after))].flatMap((key) => {
    const change = changeOf(before.get(key) ?? null, after.get(key) ?? null)
    return change ? [[key, change] as const] : []
  })
  return new Map(changes)
}

/** The changes in the log since an action, each row once: from its first state to its last. */
export async function notedSince(db: Database, action: number): Promise<Changes> {
  const { rows } = await sql<{ key: string; id: string | null; op: string } & Change>`
    select table_name || ' ' || coalesce(row_id, '') as key, row_id as id, op, before, after
    from staff_action_changes where action_id > ${action} order by action_id, n`.execute(db)
  const all = new Map<string, { before: Row | null; after: Row | null }>()
  for (const { key: name, id, op, before, after } of rows) {
    const key = id === null ? name + JSON.stringify(after ?? before) : name
    const first = op === 'insert' ? null : before
    const known = all.get(key) ?? { before: first, after: null }
    all.set(key, {
      before: known.before && { ...before, ...known.before },
      after: op === 'delete' ? null : { ...known.after, ...after },
    })
  }
  const kept = [...all].flatMap(([key, { before, after }]) => {
    const change = changeOf(before, after)
    return change ? [[key, change] as const] : []
  })
  return new Map(kept)
}

import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Queryable } from './client.ts'

/** A function or view with its definition; `name` is the name of its file. */
type Definition = { readonly name: string; readonly sql: string; readonly checksum: string }

const ownFolder = path.join(import.meta.dirname, 'functions')

/** Reads the files of functions, sorted by name. */
export function readFunctions(folder = ownFolder): Definition[] {
  const files = fs.readdirSync(folder).filter((file) => file.endsWith('.sql'))
  return files.sort().map((file) => {
    // A checkout with other line endings has the same checksums.
    const sql = fs.readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n')
    return {
      name: file.slice(0, -'.sql'.length),
      sql,
      checksum: createHash('sha256').update(sql).digest('hex'),
    }
  })
}

async function appliedIn(client: Queryable): Promise<Map<string, { checksum: string; schema: string }>> {
  await client.query(`create table if not exists schema_functions (
    name text primary key, checksum text not null, schema text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query('select name, checksum, schema from schema_functions')
  // The columns are text and not null in the table above.
  const found = rows as { name: string; checksum: string; schema: string }[]
  return new Map(found.map(({ name, ...rest }) => [name, rest]))
}

/**
 * Applies each function of the folder whose text differs from the last applied one, in the caller's
 * transaction; returns their names. `schema` is the newest migration of this version: a function that a
 * version with a newer schema applied is left alone, so that an old replica that restarts during a rollout
 * does not restore the old text.
 */
export async function applyFunctions(
  client: Queryable,
  schema: string,
  folder = ownFolder,
): Promise<string[]> {
  const applied = await appliedIn(client)
  const changed = readFunctions(folder).filter(({ name, checksum }) => {
    const last = applied.get(name)
    return last === undefined || (last.checksum !== checksum && last.schema <= schema)
  })
  // Functions call each other, so bodies are not checked until all exist.
  if (changed.length > 0) await client.query('set local check_function_bodies = off')
  for (const { name, sql, checksum } of changed) {
    await client.query(sql)
    await client.query(`insert into schema_functions (name, checksum, schema) values ('${name}', '${checksum}', '${schema}')
      on conflict (name) do update set checksum = excluded.checksum, schema = excluded.schema, applied_at = now()`)
  }
  return changed.map(({ name }) => name)
}

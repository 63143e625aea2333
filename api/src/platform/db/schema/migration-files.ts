import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { CannotStart } from '#config/env.ts'

/** Whether versions that do not know a migration run on its schema: on an expanded one they do. */
export type MigrationKind = 'expand' | 'contract'

export type Migration = { name: string; kind: MigrationKind; sql: string; checksum: string }

/** A migration that cannot be applied, reported to the operator without a stack. */
export class MigrationRefused extends CannotStart {}

/** The folder of the portal's own migrations. */
export const ownFolder = path.join(import.meta.dirname, '../migrations')

/** The kind that the first line of a file names. Migrations from before this rule name none. */
export const kindOf = (sql: string): MigrationKind => (/^-- expand\b/.test(sql) ? 'expand' : 'contract')

/** Reads the migration files in the order of application. */
export function readMigrations(folder = ownFolder): Migration[] {
  const names = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  const seen = new Map<string, string>()
  return names.map((file) => {
    const number = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(file)?.[1]
    if (number === undefined)
      throw new MigrationRefused(`Migration ${file} must be named like 0001-what-it-does.sql.`)
    const twin = seen.get(number)
    if (twin)
      throw new MigrationRefused(
        `Migrations ${twin} and ${file} have the same number: give the newer the next one.`,
      )
    seen.set(number, file)
    // A checkout with other line endings has the same checksums.
    const sql = fs.readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n')
    return {
      name: file.slice(0, -'.sql'.length),
      kind: kindOf(sql),
      sql,
      checksum: createHash('sha256').update(sql).digest('hex'),
    }
  })
}

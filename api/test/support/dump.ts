import type { Pool } from '#platform/db/pool.ts'

/** The whole database as text, as the thief of a backup would read it. */
export async function dump(pool: Pool): Promise<string> {
  const tables = await pool.run({
    sql: `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
    values: [],
  })
  const parts: string[] = []
  for (const { name } of tables) {
    const rows = await pool.run({ sql: `select t::text as row from ${String(name)} t`, values: [] })
    parts.push(...rows.map(({ row }) => String(row)))
  }
  return parts.join('\n')
}

/** The ways in which a secret could be read: as it is, and as the bytes it is or stands for. */
export function formsOf(secret: string): string[] {
  return [
    secret,
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret, 'base64url').toString('hex'),
    Buffer.from(secret).toString('base64'),
  ]
}

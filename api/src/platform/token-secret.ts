import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Env } from '#config/env.ts'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'

const create = () => randomBytes(32).toString('base64url')

/**
 * The key in a file that only its owner can read; the caller holds the folder's lock, which prevents
 * concurrent creation.
 */
function fromFile(dataDir: string): string {
  const file = path.join(dataDir, 'token-secret')
  const kept = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : ''
  if (kept !== '') return kept
  const secret = create()
  const partial = `${file}.${process.pid}`
  fs.writeFileSync(partial, `${secret}\n`, { mode: 0o600, flush: true })
  fs.renameSync(partial, file)
  return secret
}

/** Keeps a key in the database, unless there is one. */
export async function storeTokenSecret(connection: Connection, secret: string): Promise<void> {
  await withClient(connection, (client) =>
    client.query(
      "insert into settings (key, value) values ('token_secret', to_jsonb($1::text)) on conflict (key) do nothing",
      [secret],
    ),
  )
}

/** The key in the database, shared by all replicas; the first writer wins. */
async function fromDatabase(connection: Connection): Promise<string> {
  await storeTokenSecret(connection, create())
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ secret: string }>(
      "select value #>> '{}' as secret from settings where key = 'token_secret'",
    )
    if (rows[0] === undefined)
      throw new Error('The table settings lost the token secret that was just written.')
    return rows[0].secret
  })
}

/** The key that signs tokens: the configured one, else one generated at the first start and stored. */
export async function tokenSecret(env: Env, connection: Connection): Promise<string> {
  if (env.tokenSecret !== undefined) return env.tokenSecret
  return env.databaseUrl === undefined ? fromFile(env.dataDir) : fromDatabase(connection)
}

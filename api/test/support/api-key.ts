import { apiKeyScopes } from '@portico/contract/rules/api-key-scopes.ts'
import { newKey, newSecret } from '#identity/api-keys/api-keys.ts'
import type { Pool } from '#platform/db/pool.ts'

export type TestKey = { readonly id: string; readonly secret: string }

/** A key of a client, for use from the loopback: with every scope, of the whole account, unless said otherwise. */
export async function makeKey(
  pool: Pool,
  key: { client: number; project?: number; scopes?: readonly string[]; ips?: readonly string[] },
): Promise<TestKey> {
  const { columns, returned } = newSecret()
  const { id } = newKey({ actor: { id: key.client }, now: new Date(), sent: {} })
  await pool.kysely
    .insertInto('api_keys')
    .values({
      ...columns,
      id,
      client_id: key.client,
      project_id: key.project ?? null,
      name: 'A program',
      allowed_ips: [...(key.ips ?? ['127.0.0.1'])],
      scopes: [...(key.scopes ?? apiKeyScopes)],
    })
    .execute()
  return { id, secret: returned.secret }
}

import type pg from 'pg'
import { CannotStart, type Env } from '#config/env.ts'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import type { Runner } from '#platform/db/pool.ts'
import { canaryKey, canaryText, resealCanary, sealCanary } from './secret-canary.ts'
import { tokenSecret } from './token-secret.ts'
import { makeVault, unsealOrUndefined, type Vault } from './vault.ts'

const sealedColumns = [
  ['auth_totp', 'secret_sealed'],
  ['panel_engine_secrets', 'sealed'],
  ['outbox_letters', 'sealed'],
  ['tax_offices', 'access_sealed'],
  ['tax_offices', 'refresh_sealed'],
  ['operator_settings', 'sealed'],
  ['idempotency_keys', 'answer'],
] as const

/** Whether a database without a canary holds sealed values of which none can be opened. */
async function isSealedByOthers(client: pg.Client, { known }: Vault): Promise<boolean> {
  const all = sealedColumns
    .map(([table, column]) => `select ${column} as sealed from ${table} where ${column} is not null`)
    .join(' union all ')
  // Each `exists` stops at its first row; a shared CTE would be read in full.
  const { rows } = await client.query<{ any: boolean; ours: boolean }>(
    `with sealed_values as not materialized (${all})
      select exists (select from sealed_values) as any,
        exists (select from sealed_values where substring(sealed from 1 for $2::int) = any($1::bytea[])) as ours`,
    [known, known[0]?.length],
  )
  return rows[0]?.any === true && !rows[0].ours
}

/** The sealed canary; undefined when none was ever sealed, null when the operator gave up a lost secret. */
async function readCanary(client: pg.Client): Promise<Buffer | null | undefined> {
  const { rows } = await client.query<{ canary: string | null }>(
    "select value #>> '{}' as canary from settings where key = $1",
    [canaryKey],
  )
  const canary = rows[0]?.canary
  return typeof canary === 'string' ? Buffer.from(canary, 'base64') : canary
}

/** Stores a canary if there is none; of several concurrent starts the first wins. */
const keepCanary = (client: pg.Client, vault: Vault) =>
  client.query(
    `insert into settings (key, value) values ($1, to_jsonb($2::text))
      on conflict (key) do update set value = excluded.value where settings.value = 'null'`,
    [canaryKey, sealCanary(vault)],
  )

async function fits(client: pg.Client, vault: Vault): Promise<boolean> {
  const found = await readCanary(client)
  if (found === undefined && (await isSealedByOthers(client, vault))) return false
  if (!found) await keepCanary(client, vault)
  const canary = found ?? (await readCanary(client))
  if (!canary || unsealOrUndefined(vault, canary) !== canaryText) return false
  const run: Runner['run'] = async ({ sql, values }) => (await client.query(sql, [...values])).rows
  await resealCanary({ run }, vault)
  return true
}

function misfit({ tokenSecret: given, databaseUrl, dataDir }: Env): CannotStart {
  const kept =
    databaseUrl === undefined ? `the key in ${dataDir}/token-secret` : 'the key kept in the database'
  const used = given === undefined ? `TOKEN_SECRET is not set, and ${kept}` : 'TOKEN_SECRET'
  return new CannotStart(
    `${used} is not the secret that this database was sealed with: set TOKEN_SECRET to that one, or to a new one and that one separated by a comma; docs/operations/secure.md describes what to do when it is lost.`,
  )
}

/**
 * The configured or stored secret, and the vault made from it. Refuses a secret that the database was not
 * sealed with: people would otherwise lose their second factors one by one, long after a start that looked
 * healthy.
 */
export async function openVault(
  env: Env,
  connection: Connection,
): Promise<{ readonly secret: string; readonly vault: Vault }> {
  const secret = await tokenSecret(env, connection)
  const vault = makeVault(secret)
  if (!(await withClient(connection, (client) => fits(client, vault)))) throw misfit(env)
  return { secret, vault }
}

import type { Runner } from '#platform/db/pool.ts'
import type { Vault } from './vault.ts'

/** The setting that holds the canary. */
export const canaryKey = 'secret_canary'

/** The text that is sealed at the first start, so that later starts can verify their secret. */
export const canaryText = 'portico'

export const sealCanary = (vault: Vault): string => vault.seal(canaryText).toString('base64')

/**
 * Reseals the canary once no authenticator secret needs the older secret: until then a start without it would
 * look healthy and reject their codes.
 */
export async function resealCanary(runner: Runner, vault: Vault): Promise<void> {
  const { outdated } = vault
  if (outdated.length === 0) return
  await runner.run({
    sql: `update settings set value = to_jsonb($2::text)
      where key = $1 and substring(decode(value #>> '{}', 'base64') from 1 for $4::int) = any($3::bytea[])
        and not exists (select from auth_totp where substring(secret_sealed from 1 for $4::int) = any($3::bytea[]))`,
    values: [canaryKey, sealCanary(vault), outdated, outdated[0]?.length],
  })
}

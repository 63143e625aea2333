import { because } from '#platform/db/settings.ts'
import { resealCanary } from '#platform/secret-canary.ts'
import type { Deps } from './deps.ts'

/** Reseals the tokens of the tax office, which live for a year. */
async function resealTokens({ pool, vault }: Pick<Deps, 'pool' | 'vault'>): Promise<number> {
  const offices = await pool.kysely
    .selectFrom('tax_offices')
    .select(['id', 'access_sealed', 'refresh_sealed'])
    .execute()
  let resealed = 0
  for (const { id, ...tokens } of offices)
    for (const column of ['access_sealed', 'refresh_sealed'] as const) {
      const sealed = tokens[column]
      if (
        sealed === null ||
        !vault.outdated.some((sealer) => sealer.equals(sealed.subarray(0, sealer.length)))
      )
        continue
      await pool.kysely
        .updateTable('tax_offices')
        .set({ [column]: vault.seal(vault.unseal(sealed)) })
        .where('id', '=', id)
        .where(column, '=', sealed)
        .execute()
      resealed += 1
    }
  return resealed
}

/** Reseals the secrets that administrators entered at the desk. */
async function resealSettings({ pool, vault }: Pick<Deps, 'pool' | 'vault'>): Promise<number> {
  const rows = await pool.run<{ key: string; sealed: Buffer }>({
    sql: `select key, sealed from operator_settings
      where exists (select 1 from unnest($1::bytea[]) sealer where position(sealer in sealed) = 1)`,
    values: [vault.outdated],
  })
  for (const { key, sealed } of rows)
    await pool.kysely.transaction().execute(async (tx) => {
      await because(tx, 'another token secret')
      await tx
        .updateTable('operator_settings')
        .set({ sealed: vault.seal(vault.unseal(sealed)) })
        .where('key', '=', key)
        .where('sealed', '=', sealed)
        .execute()
    })
  return rows.length
}

/**
 * Reseals the long-lived values of an older token secret: authenticator secrets, the tokens of the tax office and
 * the settings of the desk. Returns
 * their number; afterwards the older secret can be removed from the configuration.
 */
export async function reseal({ pool, vault }: Pick<Deps, 'pool' | 'vault'>): Promise<number> {
  if (vault.outdated.length === 0) return 0
  const others = (await resealTokens({ pool, vault })) + (await resealSettings({ pool, vault }))
  const rows = await pool.run<{ account_id: string; secret_sealed: Buffer }>({
    sql: `select account_id, secret_sealed from auth_totp
      where exists (select 1 from unnest($1::bytea[]) sealer where position(sealer in secret_sealed) = 1)`,
    values: [vault.outdated],
  })
  for (const { account_id, secret_sealed } of rows)
    await pool.kysely
      .updateTable('auth_totp')
      .set({ secret_sealed: vault.seal(vault.unseal(secret_sealed)) })
      .where('account_id', '=', account_id)
      .where('secret_sealed', '=', secret_sealed)
      .execute()
  await resealCanary(pool, vault)
  return rows.length + others
}

import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'

/** The keys by which programs act for the owner of an account, by name: they need neither password nor session. */
async function standingKeys(tx: Database, accountId: string): Promise<string[]> {
  const keys = await tx
    .selectFrom('api_keys as k')
    .innerJoin('clients as c', 'c.id', 'k.client_id')
    .select('k.name')
    .where('c.auth_id', '=', accountId)
    .where('k.revoked_at', 'is', null)
    .where(sql<boolean>`(k.expires_at is null or k.expires_at > now())`)
    .orderBy('k.id')
    .execute()
  return keys.map(({ name }) => name)
}

/** What opens an account beside a password, as its owner is told. */
export async function waysBeside(tx: Database, accountId: string) {
  const { passkeys } = await tx
    .selectFrom('auth_passkeys')
    .select((eb) => eb.fn.countAll<number>().as('passkeys'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const google = await tx
    .selectFrom('auth_identities')
    .select('email')
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  const totp = await tx
    .selectFrom('auth_totp')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('enabled_at', 'is not', null)
    .executeTakeFirst()
  return {
    passkeys,
    google: google.map(({ email }) => email),
    two_factor: totp !== undefined,
    api_keys: await standingKeys(tx, accountId),
  }
}

/**
 * Refuses, with `way_in_last`, what was just taken away in this transaction when no way to sign in would remain: no password,
 * no passkey and no linked account. The account is locked already, so that of two that take away a way in at the same moment
 * one sees what the other did.
 */
export async function assertWayIn(tx: Database, accountId: string): Promise<void> {
  const { password_hash } = await tx
    .selectFrom('auth_accounts')
    .select('password_hash')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (password_hash !== null) return
  const { rest } = await tx
    .selectNoFrom((eb) =>
      eb
        .or([
          eb.exists(eb.selectFrom('auth_passkeys').select('id').where('account_id', '=', accountId)),
          eb.exists(eb.selectFrom('auth_identities').select('id').where('account_id', '=', accountId)),
        ])
        .as('rest'),
    )
    .executeTakeFirstOrThrow()
  if (!rest) throw refuse('way_in_last')
}

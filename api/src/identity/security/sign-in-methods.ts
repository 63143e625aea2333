import { sql } from 'kysely'
import { hasTwoFactor } from '#identity/sign-in/two-factor/has-two-factor.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'

/** The names of an account's active API keys: they need neither password nor session. */
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

/** The other ways into an account besides the password, for a letter to its owner. */
export async function otherSignInMethods(tx: Database, accountId: string) {
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
  return {
    passkeys,
    google: google.map(({ email }) => email),
    two_factor: await hasTwoFactor(tx, accountId),
    api_keys: await standingKeys(tx, accountId),
  }
}

/**
 * Throws `way_in_last` when a removal in this transaction leaves no way to sign in: no password, no passkey
 * and no linked account. The account is already locked, so of two concurrent removals the second sees the
 * first.
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

import type { Database } from '../db/pool.ts'
import { Problem } from '../errors/problem.ts'

/**
 * Refuses, with `conflict`, what was just taken away in this transaction when no way to sign in would remain: no password,
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
  if (!rest)
    throw new Problem(
      'conflict',
      'This is the only way to sign in. Set a password first, or add another passkey.',
    )
}

import type { Database } from '../db/pool.ts'

/** The statuses of a client who may act: all but blocked (0) and closed (4). */
export const mayAct = [1, 2, 3]

/** What sign-in looks an address up by: without the differences that do not make another address. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase()
}

/** Creates an identity, to be linked by `clients.auth_id` in the same transaction; returns its id. */
export async function createAccount(
  tx: Database,
  {
    email,
    passwordHash,
    verifiedAt,
  }: { email: string; passwordHash: string | null; verifiedAt: Date | null },
): Promise<string> {
  const account = await tx
    .insertInto('auth_accounts')
    .values({
      email: email.trim(),
      email_key: emailKey(email),
      password_hash: passwordHash,
      verified_at: verifiedAt?.toISOString() ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return account.id
}

/**
 * Takes every way in from an account, for the owner of its address who has just been proven: whoever opened it without
 * being that owner keeps nothing. Sessions end at once.
 */
export async function dropWaysIn(tx: Database, accountId: string, now: Date): Promise<void> {
  await tx.updateTable('auth_accounts').set({ password_hash: null }).where('id', '=', accountId).execute()
  await tx
    .updateTable('auth_sessions')
    .set({ revoked_at: now.toISOString(), revoke_reason: 'taken-over' })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .execute()
  const tables = [
    'auth_one_time',
    'auth_totp',
    'auth_recovery_codes',
    'auth_passkeys',
    'auth_identities',
    'auth_devices',
  ] as const
  for (const table of tables) await tx.deleteFrom(table).where('account_id', '=', accountId).execute()
}

import type { Database } from '#platform/db/pool.ts'

/** Whether two-factor authentication is on; a secret that was never confirmed by a code does not count. */
export async function hasTwoFactor(db: Database, accountId: string): Promise<boolean> {
  const totp = await db
    .selectFrom('auth_totp')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('enabled_at', 'is not', null)
    .executeTakeFirst()
  return totp !== undefined
}

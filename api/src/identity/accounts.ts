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

import { randomInt } from 'node:crypto'
import { sha256 } from '#identity/crypto.ts'
import type { Database } from '#platform/db/pool.ts'

// Crockford's base32: none of its letters is mistaken for another character when copied from paper.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const howMany = 10
// At five bits per character a code has 80 bits: too many to try even with the hashes, so a fast hash is
// enough.
const groups = 4
const perGroup = 4

const newCode = () =>
  Array.from({ length: groups }, () =>
    Array.from({ length: perGroup }, () => alphabet[randomInt(alphabet.length)]).join(''),
  ).join('-')

/** The normalized code for hashing: without separators, and with look-alike characters replaced. */
function canonical(typed: string): string {
  return typed
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
}

// Salted with the account, so that one table of hashes does not fit all accounts.
const hashOf = (accountId: string, code: string) => sha256(`${accountId}.${canonical(code)}`)

/** Replaces all recovery codes by ten new ones, returned once and stored as hashes. */
export async function renewCodes(tx: Database, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: howMany }, newCode)
  await removeCodes(tx, accountId)
  await tx
    .insertInto('auth_recovery_codes')
    .values(codes.map((code) => ({ account_id: accountId, code_hash: hashOf(accountId, code) })))
    .execute()
  return codes
}

export async function removeCodes(tx: Database, accountId: string): Promise<void> {
  await tx.deleteFrom('auth_recovery_codes').where('account_id', '=', accountId).execute()
}

/** Consumes a code; false when it is not the account's, or already used. */
export async function spendCode(tx: Database, accountId: string, code: string, now: Date): Promise<boolean> {
  const spent = await tx
    .updateTable('auth_recovery_codes')
    .set({ used_at: now.toISOString() })
    .where('code_hash', '=', hashOf(accountId, code))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .returning('account_id')
    .executeTakeFirst()
  return spent !== undefined
}

/** The number of unused codes. */
export async function codesLeft(db: Database, accountId: string): Promise<number> {
  const { left } = await db
    .selectFrom('auth_recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}

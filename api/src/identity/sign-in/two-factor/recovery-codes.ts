import { randomInt } from 'node:crypto'
import { sha256 } from '#identity/crypto.ts'
import type { Database } from '#platform/db/pool.ts'

// Crockford's base32: no letter of it is taken for another sign, whoever copies it from paper.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const howMany = 10
// At five bits each, 80 bits a code: whoever has the hashes cannot try them all, so that a fast hash is enough.
const groups = 4
const perGroup = 4

const newCode = () =>
  Array.from({ length: groups }, () =>
    Array.from({ length: perGroup }, () => alphabet[randomInt(alphabet.length)]).join(''),
  ).join('-')

/** A code as it is hashed: without what was typed for the eye, and with the signs that were meant. */
function canonical(typed: string): string {
  return typed
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
}

// With the account, so that one table of hashes would not fit everybody's codes.
const hashOf = (accountId: string, code: string) => sha256(`${accountId}.${canonical(code)}`)

/** Ten new codes in place of all earlier ones; they are told this once, and stored as hashes. */
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

/** Uses a code up; false when it is none of the account's, or was used before. */
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

/** How many codes were not used yet. */
export async function codesLeft(db: Database, accountId: string): Promise<number> {
  const { left } = await db
    .selectFrom('auth_recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}

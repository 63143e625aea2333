import type { Database } from '../db/pool.ts'
import type { Json } from '../db/types.ts'
import { newToken, sha256 } from './crypto.ts'

/** What a one-time token is good for; one of one purpose is worth nothing for another. */
export type Purpose =
  | 'sign-in'
  | 'second-factor'
  | 'registration'
  | 'verify-email'
  | 'password-reset'
  | 'email-change'
  | 'email-undo'
  | 'passkey'
  | 'new-passkey'
  | 'elsewhere'

// What a token is bound to is part of what is hashed: whoever lacks it finds no row, and burns none.
const stored = (token: string, binding: string) => sha256(`${token}.${binding}`)

/** Makes a token that can be redeemed once, before it expires, by whoever also presents `binding`. */
export async function issue(
  db: Database,
  spec: { purpose: Purpose; accountId: string | null; binding: string; data: Json; expires: Date },
): Promise<string> {
  const token = newToken()
  await db
    .insertInto('auth_one_time')
    .values({
      token_hash: stored(token, spec.binding),
      purpose: spec.purpose,
      account_id: spec.accountId,
      data: JSON.stringify(spec.data),
      expires_at: spec.expires.toISOString(),
    })
    .execute()
  return token
}

type Presented = {
  readonly purpose: Purpose
  readonly token: string
  readonly binding: string
  readonly now: Date
}

/** What a token was issued for, without using it up; undefined when it could not be redeemed. */
export function peek(db: Database, { purpose, token, binding, now }: Presented) {
  return db
    .selectFrom('auth_one_time')
    .select(['account_id', 'data'])
    .where('token_hash', '=', stored(token, binding))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
}

/** Redeems a token and returns what it was issued for; undefined when it is unknown, used, expired or bound elsewhere. */
export async function consume(
  db: Database,
  { purpose, token, binding, now }: Presented,
): Promise<{ account_id: string | null; data: Json } | undefined> {
  return db
    .deleteFrom('auth_one_time')
    .where('token_hash', '=', stored(token, binding))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .returning(['account_id', 'data'])
    .executeTakeFirst()
}

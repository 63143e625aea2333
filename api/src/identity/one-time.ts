import type { Database } from '../db/pool.ts'
import type { Json } from '../db/types.ts'
import { newToken, sha256 } from './crypto.ts'

/** What a one-time token is good for; one of one purpose is worth nothing for another. */
export type Purpose = 'sign-in'

// What a token is bound to is part of what is hashed: whoever lacks it finds no row, and burns none.
const stored = (token: string, binding: string) => sha256(`${token}.${binding}`)

/** Makes a token that can be redeemed once, before it expires, by whoever also presents `binding`. */
export async function issue(
  db: Database,
  spec: { purpose: Purpose; accountId: string; binding: string; data: Json; expires: Date },
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

/** Redeems a token and returns what it was issued for; undefined when it is unknown, used, expired or bound elsewhere. */
export async function consume(
  db: Database,
  { purpose, token, binding, now }: { purpose: Purpose; token: string; binding: string; now: Date },
): Promise<{ account_id: string | null; data: Json } | undefined> {
  return db
    .deleteFrom('auth_one_time')
    .where('token_hash', '=', stored(token, binding))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now.toISOString())
    .returning(['account_id', 'data'])
    .executeTakeFirst()
}

import { newToken, sha256 } from '#identity/crypto.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Json } from '#platform/db/types.ts'
import { type Problem, refuse } from '#platform/errors/problem.ts'

/**
 * The purposes of links in letters. Unlike codes, used and expired links are kept for a while, so that people
 * learn what happened.
 */
export const linkPurposes = ['verify-email', 'password-reset', 'email-change', 'email-undo'] as const
type LinkPurpose = (typeof linkPurposes)[number]

/** The purpose of a one-time token; it is worthless for another purpose. */
export type Purpose =
  | LinkPurpose
  | 'sign-in'
  | 'second-factor'
  | 'registration'
  | 'passkey'
  | 'new-passkey'
  | 'elsewhere'

// The binding is part of the hash: without it the row is not found, and no token is consumed.
const stored = (token: string, binding: string) => sha256(`${token}.${binding}`)

/** Creates a token that can be redeemed once, before it expires, together with `binding`. */
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

/** The data of a token, without consuming it; undefined when it could not be redeemed. */
export function peek(db: Database, { purpose, token, binding, now }: Presented) {
  return db
    .selectFrom('auth_one_time')
    .select(['account_id', 'data', 'expires_at'])
    .where('token_hash', '=', stored(token, binding))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
}

/** The refusal that explains why a link is invalid. */
async function deadLink(db: Database, { purpose, token, binding }: Presented): Promise<Problem> {
  const link = await db
    .selectFrom('auth_one_time')
    .select('used_at')
    .where('token_hash', '=', stored(token, binding))
    .where('purpose', '=', purpose)
    .executeTakeFirst()
  if (link === undefined) return refuse('link_invalid')
  if (link.used_at !== null) return refuse('link_used')
  return refuse('link_expired')
}

type Followed = { readonly accountId: string; readonly data: Json; readonly expires: Date }

type Found = { account_id: string | null; data: Json; expires_at: string }

function followed(found: Found | undefined): Followed | undefined {
  if (!found?.account_id) return undefined
  return { accountId: found.account_id, data: found.data, expires: new Date(found.expires_at) }
}

/** Reads the link of a letter without consuming it. Throws `link_used`, `link_expired` or `link_invalid`. */
export async function readLink(db: Database, presented: Presented): Promise<Followed> {
  const found = followed(await peek(db, presented))
  if (found === undefined) throw await deadLink(db, presented)
  return found
}

/**
 * Redeems the link of a letter once; it is kept for a while, so that a second use is reported as such. Throws
 * `link_used`, `link_expired` or `link_invalid`.
 */
export async function follow(db: Database, presented: Presented): Promise<Followed> {
  const { purpose, token, binding, now } = presented
  const redeemed = await db
    .updateTable('auth_one_time')
    .set({ used_at: now.toISOString() })
    .where('token_hash', '=', stored(token, binding))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .returning(['account_id', 'data', 'expires_at'])
    .executeTakeFirst()
  const found = followed(redeemed)
  if (found === undefined) throw await deadLink(db, presented)
  return found
}

/** Invalidates unused tokens of an account: those of one purpose, or all but undo links. */
export async function withdraw(db: Database, accountId: string, purpose?: Purpose): Promise<void> {
  const unused = db
    .deleteFrom('auth_one_time')
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
  // Undo links stay: the victim of a theft holds them, and the thief changes the password.
  await (purpose
    ? unused.where('purpose', '=', purpose)
    : unused.where('purpose', '<>', 'email-undo')
  ).execute()
}

/**
 * Redeems a token and returns its data; undefined when it is unknown, used, expired or bound to another
 * browser.
 */
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

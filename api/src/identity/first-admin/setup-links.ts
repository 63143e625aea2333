import { lifetimes } from '#identity/config.ts'
import { newToken, sha256 } from '#identity/crypto.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { isSetUp } from './setup-state.ts'

type Making = { readonly db: Database; readonly now: Date; readonly publicUrl: string }

/**
 * A new link for the first administrator; undefined once the portal is set up. The secret is in the fragment, which
 * browsers never send, so that no log of requests has it.
 */
export async function makeSetupLink({ db, now, publicUrl }: Making): Promise<string | undefined> {
  if (await isSetUp(db)) return undefined
  const token = newToken()
  const expires_at = new Date(now.getTime() + lifetimes.setupLink).toISOString()
  await db
    .insertInto('setup_links')
    .values({ hash: sha256(token), expires_at })
    .execute()
  return `${publicUrl}/setup#${token}`
}

/** Like `makeSetupLink`, and all earlier links become invalid. */
export async function replaceSetupLinks({ db, ...making }: Making): Promise<string | undefined> {
  return db.transaction().execute(async (tx) => {
    await tx.deleteFrom('setup_links').execute()
    return makeSetupLink({ db: tx, ...making })
  })
}

/** Throws `setup_over`, `link_invalid`, `link_used`, `link_expired`. The link is locked in a transaction. */
export async function assertSetupLink(db: Database, token: string, now: Date): Promise<void> {
  if (await isSetUp(db)) throw refuse('setup_over')
  const link = await db
    .selectFrom('setup_links')
    .select(['expires_at', 'used_at'])
    .where('hash', '=', sha256(token))
    .forUpdate()
    .executeTakeFirst()
  if (link === undefined) throw refuse('link_invalid')
  if (link.used_at !== null) throw refuse('link_used')
  if (Date.parse(link.expires_at) <= now.getTime()) throw refuse('link_expired')
}

import { lockAccountById } from '#identity/accounts.ts'
import type { Work } from '#identity/identity-context.ts'
import type { Actor } from '#platform/context.ts'
import { sessionEnded } from './refusal.ts'

/**
 * Locks the account of a signed-in person and re-checks the session: it may have been revoked during this
 * request. Throws `session_ended`.
 */
export async function lockLive(
  { tx, now }: Pick<Work, 'tx' | 'now'>,
  { accountId, sessionId }: Pick<Actor, 'accountId' | 'sessionId'>,
) {
  const account = await lockAccountById(tx, accountId)
  const live = await tx
    .selectFrom('auth_sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('idle_expires_at', '>', now.toISOString())
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  if (live === undefined || !account.may_act) throw sessionEnded()
  return account
}

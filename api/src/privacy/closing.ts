import { emailKey, removeSignInMethods } from '#identity/accounts.ts'
import type { Deps, Origin } from '#identity/deps.ts'
import { inOne } from '#identity/identity-context.ts'
import { record } from '#identity/security/events.ts'
import { queueOwnerLetter } from '#identity/security/letters.ts'
import { lockLive } from '#identity/sessions/live-session.ts'
import { revokeOthers } from '#identity/sessions/sessions.ts'
import type { Actor, Context } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { endAccount, erasedFrom } from './close-account.ts'

/**
 * Closes the account of the signed-in person with every sign-in method, and sends a confirmation. `email` is
 * typed as a confirmation. Throws `account_email_differs` when it is not their address, and like `endAccount`
 * while something is unsettled.
 */
export async function closeAccount(
  deps: Deps,
  person: Pick<Actor, 'accountId' | 'sessionId'>,
  { email, origin }: { readonly email: string; readonly origin: Origin },
): Promise<void> {
  const { accountId } = person
  await inOne(deps, origin, async (work) => {
    const { now } = work
    const account = await lockLive(work, person)
    if (account.email_key !== emailKey(email))
      throw refuse('account_email_differs', {}, { source: { pointer: '/email' } })
    // Sent first, while the person's language and their sharing are still known.
    const erased = erasedFrom(now)
    await queueOwnerLetter(work, accountId, (about) => ({ kind: 'account-closed', ...about, erased }))
    await record(work, { accountId, kind: 'account-closed' })
    await endWithSignIn(work, { clientId: account.client_id, accountId })
  })
}

/**
 * Ends an account with every way to sign in; one that was never signed in to has none. The caller has queued the letter
 * about it. Throws like `endAccount`.
 */
export async function endWithSignIn(
  work: Pick<Context, 'tx' | 'vault' | 'now'>,
  { clientId, accountId }: { readonly clientId: number; readonly accountId: string | null },
): Promise<void> {
  const { tx, now } = work
  await endAccount(work, clientId)
  if (accountId === null) return
  await revokeOthers(work, { accountId, sessionId: null }, 'account-closed')
  await removeSignInMethods(tx, accountId, now)
  await tx
    .updateTable('auth_accounts')
    .set({ disabled_at: now.toISOString() })
    .where('id', '=', accountId)
    .execute()
}

import { letterLimits } from '#identity/config.ts'
import type { Work } from '#identity/identity-context.ts'
import { deviceOf, rememberDevice } from '#identity/security/devices.ts'
import { lastOf, longestUserAgent, record } from '#identity/security/events.ts'
import { queueOwnerLetter, queueStaffDeviceLetters } from '#identity/security/letters.ts'
import { unauthenticated } from '#identity/sessions/refusal.ts'
import { type Opened, openSession } from '#identity/sessions/sessions.ts'
import { storedAddress } from '#platform/db/address.ts'
import { reason } from '#platform/errors/problem.ts'
import { clientStatus, mayAct } from '#reference/client-status.ts'
import { allow } from './throttle.ts'

/** The client of an identity, when it may act. */
function clientOf({ tx }: Work, accountId: string) {
  return tx
    .selectFrom('clients as c')
    .innerJoin('auth_accounts as a', 'a.id', 'c.auth_id')
    .select(['c.id', 'c.status', 'a.verified_at'])
    .where('a.id', '=', accountId)
    .where('a.disabled_at', 'is', null)
    .where('c.status', 'in', mayAct)
    .executeTakeFirst()
}

/** Whether the address was confirmed in another browser than the current one. */
async function isConfirmedInAnotherBrowser({ tx, origin }: Work, accountId: string): Promise<boolean> {
  const confirmed = await lastOf(tx, accountId, 'email-verified')
  if (confirmed === undefined) return false
  const userAgent = origin.userAgent?.slice(0, longestUserAgent) ?? null
  return confirmed.user_agent !== userAgent || confirmed.ip !== storedAddress(origin.ip)
}

/**
 * The last step of every sign-in: opens a session for an authenticated person, and notifies the owner of an
 * unknown device. Throws `account_not_open` for an account that may not sign in.
 */
export async function enter(
  work: Work,
  { accountId, amr }: { accountId: string; amr: readonly string[] },
): Promise<Opened> {
  const { tx } = work
  const client = await clientOf(work, accountId)
  if (client === undefined) throw unauthenticated(reason('account_not_open'))
  const device = deviceOf(work)
  const isKnown = await rememberDevice(work, accountId, device)
  // A client who has never signed in has no unknown device, except when the address was confirmed in another
  // browser than the registering one.
  const isFirst = client.status === clientStatus.neverSignedIn
  const isExpected = isKnown || (isFirst && !(await isConfirmedInAnotherBrowser(work, accountId)))
  if (isFirst)
    await tx.updateTable('clients').set({ status: clientStatus.active }).where('id', '=', client.id).execute()
  // An unconfirmed address may be a stranger's, who must not get letters about another person's sign-in.
  const tells = !isExpected && client.verified_at !== null
  if (tells && (await allow(work, letterLimits.newDevice, accountId))) {
    await queueOwnerLetter(work, accountId, (about) => ({ kind: 'new-device', ...about }))
    await queueStaffDeviceLetters(work, accountId)
  }
  await record(work, { accountId, kind: 'signed-in' })
  return openSession(work, { accountId, amr, device })
}

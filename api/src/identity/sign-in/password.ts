import {
  emailKey,
  lockAccount,
  lockAccountById,
  removeSignInMethods,
  setVerified,
} from '#identity/accounts.ts'
import { lifetimes, limits } from '#identity/config.ts'
import { hashPassword, verifyPassword } from '#identity/crypto.ts'
import type { Deps, Origin } from '#identity/deps.ts'
import { inOne, type Work } from '#identity/identity-context.ts'
import { deviceOf, forgetDevices, rememberDevice } from '#identity/security/devices.ts'
import { record } from '#identity/security/events.ts'
import { countAsker, mayWrite } from '#identity/security/letter-limits.ts'
import { queueOwnerLetter } from '#identity/security/letters.ts'
import { otherSignInMethods } from '#identity/security/sign-in-methods.ts'
import { lockLive } from '#identity/sessions/live-session.ts'
import { type RevokeReason, revokeOthers } from '#identity/sessions/sessions.ts'
import type { Actor } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { follow, issue, readLink, withdraw } from './one-time.ts'
import { assertStrong } from './password-strength.ts'
import type { Throttle } from './throttle.ts'

/** Sends a link to choose a new password to the owner of an account, and invalidates older ones. */
export async function sendResetLink(work: Work, accountId: string): Promise<void> {
  await withdraw(work.tx, accountId, 'password-reset')
  const token = await issue(work.tx, {
    purpose: 'password-reset',
    accountId,
    binding: '',
    data: {},
    expires: new Date(work.now.getTime() + lifetimes.resetPassword),
  })
  const link = `/reset-password#${token}`
  await queueOwnerLetter(work, accountId, ({ name }) => ({ kind: 'password-reset', name, link }))
}

/** Sends a reset link to an address, when it has an account and within the limits. */
export async function forgot(deps: Deps, email: string, origin: Origin): Promise<void> {
  await countAsker(deps, origin)
  await inOne(deps, origin, async (work) => {
    if (!(await mayWrite(work, 'forgot', email))) return
    const account = await lockAccount(work.tx, email)
    if (!account?.may_act) return
    await record(work, { accountId: account.id, kind: 'password-reset-requested' })
    await sendResetLink(work, account.id)
  })
}

const linkOf = (token: string, now: Date) => ({ purpose: 'password-reset', token, binding: '', now }) as const

/** The personal data that a new password must not consist of. */
async function personOf({ pool }: Deps, accountId: string) {
  const { email, ...names } = await pool.kysely
    .selectFrom('auth_accounts as a')
    .innerJoin('clients as c', 'c.auth_id', 'a.id')
    .leftJoin('client_entities as e', 'e.client_id', 'c.id')
    .select(['a.email', 'a.password_hash', 'c.first_name', 'c.last_name', 'c.company_url', 'e.company_name'])
    .where('a.id', '=', accountId)
    .executeTakeFirstOrThrow()
  const { password_hash, ...known } = names
  return { email, password_hash, names: Object.values(known) }
}

/** The address of the account of a reset link. Throws `link_used`, `link_expired`, `link_invalid`. */
export async function checkReset(deps: Deps, token: string): Promise<string> {
  const { accountId } = await readLink(deps.pool.kysely, linkOf(token, deps.clock.now()))
  return (await personOf(deps, accountId)).email
}

/** Revokes access under the former password: other sessions, known devices, and unused links and codes. */
async function endOthers(
  work: Work,
  holder: { accountId: string; sessionId: string | null },
  reason: RevokeReason,
): Promise<void> {
  await forgetDevices(work, holder)
  await revokeOthers(work, holder, reason)
  await withdraw(work.tx, holder.accountId)
}

/** Notifies the owner with a list of the other ways into the account, because some may be a thief's. */
async function notifyPasswordChanged(work: Work, accountId: string): Promise<void> {
  const remaining = await otherSignInMethods(work.tx, accountId)
  await queueOwnerLetter(work, accountId, (about) => ({ kind: 'password-changed', ...about, remaining }))
}

/**
 * Sets a new password by a link, which also verifies the address. Every session ends, and sign-in still
 * requires the second factor. Returns the new device cookie: this browser is the owner's.
 */
export async function reset(
  deps: Deps,
  throttle: Throttle,
  { token, password, origin }: { token: string; password: string; origin: Origin },
): Promise<string | undefined> {
  const { accountId } = await readLink(deps.pool.kysely, linkOf(token, deps.clock.now()))
  await assertStrong(password, await personOf(deps, accountId))
  const password_hash = await hashPassword(password)
  const { email, device } = await inOne(deps, origin, async (work) => {
    const { tx, now } = work
    const account = await lockAccountById(tx, accountId)
    await follow(tx, linkOf(token, now))
    if (account.verified_at === null) {
      await removeSignInMethods(tx, accountId, now)
      await setVerified(tx, accountId, now)
      await record(work, { accountId, kind: 'email-verified', about: account.email })
    }
    await tx.updateTable('auth_accounts').set({ password_hash }).where('id', '=', accountId).execute()
    await endOthers(work, { accountId, sessionId: null }, 'password-reset')
    await record(work, { accountId, kind: 'password-reset' })
    await notifyPasswordChanged(work, accountId)
    const known = deviceOf(work)
    await rememberDevice(work, accountId, known)
    return { email: account.email, device: known.cookie }
  })
  // Guesses at the old password must not lock the owner out of the new one.
  await throttle.forget(limits.account, emailKey(email))
  return device
}

const atCurrent = { source: { pointer: '/current_password' } }

/**
 * Checks the current password, if there is one. Throws `password_required`, `current_password_wrong`,
 * `attempts_too_many`.
 */
async function assertCurrent(
  throttle: Throttle,
  { accountId, stored, given }: { accountId: string; stored: string | null; given: string | undefined },
): Promise<void> {
  if (stored === null) return
  if (given === undefined) throw refuse('password_required', {}, atCurrent)
  const charged = await throttle.charge(limits.current, accountId)
  if (!(await verifyPassword(stored, given))) throw refuse('current_password_wrong', {}, atCurrent)
  await throttle.refund([charged])
}

/** Changes or sets the password of a signed-in person; all other sessions end. */
export async function change(
  deps: Deps,
  throttle: Throttle,
  actor: Pick<Actor, 'accountId' | 'sessionId'>,
  { current, password, origin }: { current: string | undefined; password: string; origin: Origin },
): Promise<void> {
  const { accountId } = actor
  const { password_hash: stored, ...person } = await personOf(deps, accountId)
  await assertStrong(password, person)
  await assertCurrent(throttle, { accountId, stored, given: current })
  const password_hash = await hashPassword(password)
  await inOne(deps, origin, async (work) => {
    const account = await lockLive(work, actor)
    // Otherwise a request with the former password could undo a concurrent change.
    if (account.password_hash !== stored) throw refuse('password_changed_meanwhile')
    await work.tx.updateTable('auth_accounts').set({ password_hash }).where('id', '=', accountId).execute()
    await endOthers(work, actor, 'password-changed')
    await record(work, { accountId, kind: stored === null ? 'password-set' : 'password-changed' })
    await notifyPasswordChanged(work, accountId)
  })
}

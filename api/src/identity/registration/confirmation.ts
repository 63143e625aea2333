import { sql } from 'kysely'
import * as z from 'zod/mini'
import {
  emailKey,
  lockAccount,
  lockAccountById,
  removeSignInMethods,
  setEmail,
  setVerified,
} from '#identity/accounts.ts'
import { lifetimes } from '#identity/config.ts'
import type { Deps, Origin } from '#identity/deps.ts'
import { inOne, type Work } from '#identity/identity-context.ts'
import { deviceName } from '#identity/security/device-name.ts'
import { forgetDevices, knownDevice } from '#identity/security/devices.ts'
import { lastOf, record } from '#identity/security/events.ts'
import { countAsker, mayWrite } from '#identity/security/letter-limits.ts'
import { queueOwnerLetter, type Writing } from '#identity/security/letters.ts'
import { revokeOthers } from '#identity/sessions/sessions.ts'
import { follow, issue, peek, readLink, withdraw } from '#identity/sign-in/one-time.ts'
import { sendResetLink } from '#identity/sign-in/password.ts'
import { refuse } from '#platform/errors/problem.ts'
import { attemptData, attemptOf } from './attempt.ts'

const linkData = z.object({ email: z.string(), email_key: z.string() })

/** The origin and time of the registration, so that the recipient can judge whether it was theirs. */
async function registeredFrom({ tx }: Writing, accountId: string) {
  const registered = await lastOf(tx, accountId, 'registered')
  return registered && { device: deviceName(registered.user_agent), ip: registered.ip, at: registered.at }
}

/**
 * Sends a confirmation link to an address and invalidates older ones. The letter always describes the
 * registration, also when another person requests a copy. Returns whether the limits let it go.
 */
export async function sendConfirmation(
  work: Writing,
  account: { readonly id: string; readonly client_id: number },
  email: string,
): Promise<boolean> {
  await withdraw(work.tx, account.id, 'verify-email')
  const hash = await issue(work.tx, {
    purpose: 'verify-email',
    accountId: account.id,
    binding: String(account.client_id),
    data: { email, email_key: emailKey(email) },
    expires: new Date(work.now.getTime() + lifetimes.verifyEmail),
  })
  const link = `/verify-email/${account.client_id}/${hash}`
  const registered = await registeredFrom(work, account.id)
  return queueOwnerLetter(
    work,
    account.id,
    (about) => ({ kind: 'verify-email', ...about, ...registered, link }),
    email,
  )
}

/**
 * Whether the link is followed in the browser that registered the account last, or one that signed in with
 * that registration's password.
 */
async function isRegistrants({ tx, now, origin }: Work, accountId: string, presented: string) {
  const attempt = await peek(tx, attemptOf(presented, now))
  if (attempt?.account_id === accountId) return true
  return (await knownDevice(tx, { account: { id: accountId }, cookie: origin.device, now })) !== undefined
}

/**
 * Handles a confirmation in a browser that did not register the account, perhaps of another person. The
 * sessions of the registering browser end, and it gets no code. The password stays, so that people can
 * confirm on their phone; except when several browsers registered, of which one is not the owner's.
 */
async function confirmedInAnotherBrowser(work: Work, accountId: string): Promise<void> {
  const { tx, now } = work
  const attempts = tx
    .updateTable('auth_one_time')
    .set({ data: sql`data || '{"elsewhere": true}'` })
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'registration')
    .returning('data')
  if ((await attempts.execute()).some(({ data }) => attemptData.parse(data).contested)) {
    await removeSignInMethods(tx, accountId, now)
    return sendResetLink(work, accountId)
  }
  await forgetDevices(work, { accountId, sessionId: null })
  await revokeOthers(work, { accountId, sessionId: null }, 'confirmed-elsewhere')
}

/**
 * Redeems a confirmation link; returns the address. Throws `link_used`, `link_expired`, `link_invalid`, and
 * `email_taken` when the address has become another account's meanwhile.
 */
export async function verify(
  deps: Deps,
  { id, hash, presented, origin }: { id: number; hash: string; presented: string; origin: Origin },
): Promise<string> {
  return inOne(deps, origin, async (work) => {
    const { tx, now } = work
    const link = { purpose: 'verify-email', token: hash, binding: String(id), now } as const
    const { accountId } = await readLink(tx, link)
    const account = await lockAccountById(tx, accountId)
    const { email, email_key } = linkData.parse((await follow(tx, link)).data)
    if (account.email_key !== email_key) {
      if (await lockAccount(tx, email)) throw refuse('email_taken')
      await setEmail(tx, accountId, email)
    }
    await setVerified(tx, accountId, now)
    await record(work, { accountId, kind: 'email-verified', about: email })
    if (!(await isRegistrants(work, accountId, presented))) await confirmedInAnotherBrowser(work, accountId)
    return email
  })
}

/** The account with this unconfirmed address: as its own, or as a requested change. */
async function waitingFor({ tx }: Work, email: string) {
  const own = await lockAccount(tx, email)
  if (own !== undefined) return own.verified_at === null && own.may_act ? own : undefined
  const change = await tx
    .selectFrom('auth_one_time')
    .select('account_id')
    .where('purpose', '=', 'verify-email')
    .where('used_at', 'is', null)
    .where(sql`data ->> 'email_key'`, '=', emailKey(email))
    .executeTakeFirst()
  return change?.account_id ? lockAccountById(tx, change.account_id) : undefined
}

/** Sends the confirmation letter of an address again, when it is unconfirmed and within the limits. */
export async function resend(deps: Deps, email: string, origin: Origin): Promise<void> {
  await countAsker(deps, origin)
  await inOne(deps, origin, async (work) => {
    if (!(await mayWrite(work, 'resend', email))) return
    const account = await waitingFor(work, email)
    if (account !== undefined) await sendConfirmation(work, account, email)
  })
}

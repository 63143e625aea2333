import { sql } from 'kysely'
import * as z from 'zod/mini'
import {
  emailKey,
  lockAccount,
  lockAccountById,
  releaseEmail,
  setEmail,
  setVerified,
} from '#identity/accounts.ts'
import { letterLimits, lifetimes } from '#identity/config.ts'
import type { Deps, Origin } from '#identity/deps.ts'
import { inOne, type Work } from '#identity/identity-context.ts'
import { sendConfirmation } from '#identity/registration/confirmation.ts'
import { lockLive } from '#identity/sessions/live-session.ts'
import { revokeOthers } from '#identity/sessions/sessions.ts'
import { follow, issue, readLink, withdraw } from '#identity/sign-in/one-time.ts'
import { sendResetLink } from '#identity/sign-in/password.ts'
import { assertAllowed } from '#identity/sign-in/throttle.ts'
import { disableMember } from '#identity/staff-registry.ts'
import type { Actor } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { endPermission } from '#sharing/permission-end.ts'
import { hasSecondFactor } from '#staff/roles.ts'
import { forgetDevices } from './devices.ts'
import { record } from './events.ts'
import { mayWrite } from './letter-limits.ts'
import { queueOwnerLetter } from './letters.ts'

const linkData = z.object({ email: z.string() })

type Account = Awaited<ReturnType<typeof lockAccountById>>

/** Notifies the owner of a requested address, because the requester must not learn that it is taken. */
async function notifyHolder(work: Work, holder: Account): Promise<void> {
  const links = { link: '/login', reset: '/forgot-password' }
  if (holder.may_act && holder.verified_at !== null)
    await queueOwnerLetter(work, holder.id, ({ name }) => ({ kind: 'already-registered', name, ...links }))
}

/** Sends the confirmation link to the requested new address. */
async function sendChange(work: Work, account: Account, email: string, writes: boolean): Promise<void> {
  await withdraw(work.tx, account.id, 'email-change')
  const token = await issue(work.tx, {
    purpose: 'email-change',
    accountId: account.id,
    binding: '',
    data: { email },
    expires: new Date(work.now.getTime() + lifetimes.confirmEmail),
  })
  const link = `/email-change#confirm=${token}`
  if (writes)
    await queueOwnerLetter(
      work,
      account.id,
      ({ name }) => ({ kind: 'email-change-confirm', name, link }),
      email,
    )
}

/**
 * Requests an address change, which takes effect when the link sent there is followed. It is not disclosed
 * whether the address is taken. Throws `email_unchanged` for the current address, `attempts_too_many`.
 */
export async function requestChange(
  deps: Deps,
  person: Pick<Actor, 'accountId' | 'sessionId'>,
  { email, origin }: { email: string; origin: Origin },
): Promise<void> {
  const { accountId } = person
  await inOne(deps, origin, (work) => assertAllowed(work, letterLimits.changes, accountId))
  await inOne(deps, origin, async (work) => {
    const writes = await mayWrite(work, 'change', email)
    const account = await lockLive(work, person)
    if (account.email_key === emailKey(email))
      throw refuse('email_unchanged', {}, { source: { pointer: '/email' } })
    const holder = await lockAccount(work.tx, email)
    const isTaken = holder !== undefined && holder.verified_at !== null
    if (holder && isTaken && writes) await notifyHolder(work, holder)
    await record(work, { accountId, kind: 'email-change-requested', about: email })
    if (account.verified_at !== null) await sendChange(work, account, email, writes && !isTaken)
    else if (writes && holder === undefined) await sendConfirmation(work, account, email)
  })
}

/** Gives an account a verified address, and removes it from an account that never verified it. */
async function takeEmail({ tx, now }: Work, accountId: string, email: string): Promise<void> {
  const holder = await lockAccount(tx, email)
  if (holder !== undefined && holder.id !== accountId) {
    if (holder.verified_at !== null) throw refuse('email_taken')
    await releaseEmail(tx, holder.id, now)
  }
  await setEmail(tx, accountId, email)
  await setVerified(tx, accountId, now)
}

const linkOf = (purpose: 'email-change' | 'email-undo', token: string, now: Date) =>
  ({ purpose, token, binding: '', now }) as const

/** Redeems a link, after locking its account before anything else of it. */
async function followLocked(work: Work, purpose: 'email-change' | 'email-undo', token: string) {
  const link = linkOf(purpose, token, work.now)
  const { accountId } = await readLink(work.tx, link)
  const former = await lockAccountById(work.tx, accountId)
  const { data, expires } = await follow(work.tx, link)
  return { accountId, former, expires, email: linkData.parse(data).email }
}

/**
 * Redeems the link to a new address, which becomes the account's; the former address gets a letter with a
 * link to undo it.
 */
export function confirmChange(deps: Deps, token: string, origin: Origin): Promise<string> {
  return inOne(deps, origin, async (work) => {
    const { tx, now } = work
    const { accountId, email, former } = await followLocked(work, 'email-change', token)
    await takeEmail(work, accountId, email)
    // Reset links went to the former address, and would open the account to its reader.
    await withdraw(tx, accountId, 'password-reset')
    const undo = await issue(tx, {
      purpose: 'email-undo',
      accountId,
      binding: '',
      data: { email: former.email },
      expires: new Date(now.getTime() + lifetimes.undoEmail),
    })
    const link = `/email-change#undo=${undo}`
    await queueOwnerLetter(
      work,
      accountId,
      ({ name }) => ({ kind: 'email-changed', name, email, link }),
      former.email,
    )
    await record(work, { accountId, kind: 'email-changed', about: email })
    return email
  })
}

/** Revokes sharing that was granted since a moment: a thief may invite an accomplice who then stays. */
async function unshareSince(work: Work, accountId: string, at: string): Promise<void> {
  const shared = await work.tx
    .selectFrom('share_permissions as s')
    .innerJoin('clients as c', 'c.id', 's.inviting_client_id')
    .select('s.id')
    .where('c.auth_id', '=', accountId)
    .where('s.created_at', '>=', at)
    .where('s.revoked_at', 'is', null)
    .orderBy('s.id')
    .execute()
  for (const { id } of shared) await endPermission(work, id, 'owner')
}

/** Removes sign-in methods that were added since a moment, before an address change that is undone. */
async function dropSince(work: Work, accountId: string, since: Date): Promise<void> {
  const { tx, now } = work
  const at = since.toISOString()
  await unshareSince(work, accountId, at)
  // A key needs neither password nor session.
  await tx
    .updateTable('api_keys')
    .set({ revoked_at: now.toISOString() })
    .where('client_id', 'in', ({ selectFrom }) =>
      selectFrom('clients').select('clients.id').where('auth_id', '=', accountId),
    )
    .where('created_at', '>=', at)
    .where('revoked_at', 'is', null)
    .execute()
  for (const table of ['auth_passkeys', 'auth_identities'] as const)
    await tx.deleteFrom(table).where('account_id', '=', accountId).where('created_at', '>=', at).execute()
  const totp = await tx
    .updateTable('auth_totp')
    .set({ secret_sealed: null, enabled_at: null })
    .where('account_id', '=', accountId)
    .where('enabled_at', '>=', at)
    .executeTakeFirst()
  if (totp.numUpdatedRows === 0n) return
  await tx.deleteFrom('auth_recovery_codes').where('account_id', '=', accountId).execute()
  await tx.updateTable('clients').set({ two_fa_enabled: 0 }).where('auth_id', '=', accountId).execute()
}

/**
 * Takes the rights of a member of staff who is left without a second factor: a person who reads the restored address could add their
 * own. An administrator gives the rights back. The only administrator keeps them, because nobody else could give them back.
 */
async function endStaffRights({ tx, now }: Work, accountId: string): Promise<void> {
  const { rows } = await sql<{
    id: number
  }>`select m.id from admins m where m.auth_id = ${accountId} and m.disabled_at is null
    and not ${sql.raw(hasSecondFactor('m'))} and (m.role <> 'admin' or exists (
      select from admins o where o.role = 'admin' and o.disabled_at is null and o.auth_id is not null and o.id <> m.id))`.execute(
    tx,
  )
  for (const { id } of rows) await disableMember({ tx, now }, id)
}

/**
 * Redeems the link that restores a former address. The person who changed it may know the password and be
 * signed in: every session ends, and the restored address gets a link to choose a new password, which sign-in
 * by password then requires.
 */
export function undoChange(deps: Deps, token: string, origin: Origin): Promise<string> {
  return inOne(deps, origin, async (work) => {
    const { tx } = work
    const { accountId, email, expires } = await followLocked(work, 'email-undo', token)
    await takeEmail(work, accountId, email)
    // The undo links of later changes went to the thief's address.
    await tx
      .deleteFrom('auth_one_time')
      .where('account_id', '=', accountId)
      .where('purpose', '=', 'email-undo')
      .where('used_at', 'is', null)
      .where('expires_at', '>=', expires.toISOString())
      .execute()
    await withdraw(tx, accountId)
    // A hijacker first adds a sign-in method and then changes the address.
    const changed = expires.getTime() - lifetimes.undoEmail
    await dropSince(work, accountId, new Date(changed - lifetimes.beforeUndone))
    await endStaffRights(work, accountId)
    await tx.updateTable('auth_accounts').set({ password_hash: null }).where('id', '=', accountId).execute()
    await forgetDevices(work, { accountId, sessionId: null })
    await revokeOthers(work, { accountId, sessionId: null }, 'email-change-undone')
    await record(work, { accountId, kind: 'email-change-undone', about: email })
    await sendResetLink(work, accountId)
    return email
  })
}
